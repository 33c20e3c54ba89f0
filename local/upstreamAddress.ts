const MAX_LENGTH = 2_000;
const WEB = /^https?:\/\//;
const OBEYED = /[\p{Cc}\p{Cf}\p{Z}\p{Cs}]/u;

/** What may stand for a model API: the address without a slash at its end. */
export type CheckedUpstream = { readonly address: string } | { readonly wrong: string };

/**
 * Whether a gateway may send requests to this address, which a person wrote. A request carries the agent's credentials, so
 * outside of this machine it must be https. `wrong` is the end of a sentence whose subject the caller knows.
 */
export function checkUpstream(given: string): CheckedUpstream {
  if (given.length > MAX_LENGTH || OBEYED.test(given) || !WEB.test(given) || !URL.canParse(given)) {
    return { wrong: 'must be an address that begins with https://' };
  }
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') {
    return { wrong: 'must hold no name and no password: the agent sends its own credentials' };
  }
  if (/[?#]/.test(given)) {
    return { wrong: 'must have no query and no fragment: paths are put behind it' };
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return { wrong: 'must begin with https://: over http the credentials would cross the network in clear text' };
  }
  return { address: url.href.replace(/\/+$/, '') };
}

/** Whether a URL's host is this machine, whatever the network says. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
