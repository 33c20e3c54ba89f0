import { PROVIDERS, type Provider } from '../apis/gatewayApi.ts';

/** What a request's target names. The token is not proved yet. */
export type GatewayTarget = { readonly token: string } & (
  | {
      readonly kind: 'call';
      readonly provider: Provider;
      /** Behind the provider's word; `/` where nothing stands there. */
      readonly path: string;
      /** Byte for byte, with its question mark; empty where there is none. */
      readonly query: string;
      readonly sessionName?: string;
    }
  | { readonly kind: 'hook'; readonly name: string }
);

/**
 * Reads `/TOKEN[/s/NAME]/PROVIDER/REST?QUERY` and `/HOOKTOKEN/_hook/NAME`. Gives nothing for everything else, also for a REST that an upstream
 * could read as another path than the one it seems to be.
 */
export function readTarget(url: string): GatewayTarget | undefined {
  // A target in absolute form starts with no slash.
  const parts = /^\/([^/?]+)(?:\/s\/([^/?]+))?\/([^/?]+)(\/[^?]*)?(\?.*)?$/.exec(url);
  if (!parts || !VISIBLE.test(url)) {
    return undefined;
  }
  const [, token = '', sessionName, word, rest = '/', query = ''] = parts;
  if (sessionName !== undefined && !LABEL.test(sessionName)) {
    return undefined;
  }
  if (word === '_hook') {
    const name = rest.slice(1);
    return sessionName === undefined && query === '' && LABEL.test(name) ? { token, kind: 'hook', name } : undefined;
  }
  const provider = PROVIDERS.find(known => known === word);
  return provider && staysInside(rest)
    ? { token, kind: 'call', provider, path: rest, query, ...(sessionName === undefined ? {} : { sessionName }) }
    : undefined;
}

/** No blank, no control character, nothing outside ASCII, no backslash, no fragment. */
const VISIBLE = /^[!"$-[\]-~]+$/;

const LABEL = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/;

/** Whether no reader can take a path for one with other segments: dots, slashes and escapes of them are where that starts. */
function staysInside(path: string): boolean {
  // Escaped: control characters, `%`, `.`, `/`, `\`.
  if (path.includes('//') || /%(?:[01][0-9A-Fa-f]|25|2[EeFf]|5[Cc]|7[Ff])/.test(path) || !escapesCharacters(path)) {
    return false;
  }
  // Some servers cut what follows a semicolon from a segment.
  return !path.split('/').some(segment => /^\.{1,2}(?:;|$)/.test(segment));
}

/** Whether each `%` starts the escape of a character: what is no UTF-8 (`%c0%af`) is a slash to some. */
function escapesCharacters(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
