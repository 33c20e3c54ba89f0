/** Header lines in order, names and values in turn, as Node's `rawHeaders` and undici take them. */
export type HeaderLines = string[];

/** What an upstream gets of an agent's header lines: all but those that are about the connection, or about a body that became another. */
export function toUpstream(
  raw: readonly string[],
  body: { readonly length?: number | undefined; readonly changed: boolean },
): HeaderLines {
  const dropped = new Set([...HOP_BY_HOP, ...namedByConnection(raw), ...OURS, ...(body.changed ? OF_THE_BODY : [])]);
  const lines = raw.filter((_, at) => !dropped.has((raw[at - (at % 2)] ?? '').toLowerCase()));
  // So that the answer can be read while it passes.
  lines.push('accept-encoding', 'identity');
  if (body.length !== undefined) {
    lines.push('content-length', String(body.length));
  }
  return lines;
}

/** What an agent gets of an upstream's header lines: all but those that are about the connection. */
export function toAgent(raw: readonly (string | Buffer)[], notice?: string): HeaderLines {
  const texts = raw.map(part => (typeof part === 'string' ? part : part.toString('latin1')));
  const dropped = new Set([...HOP_BY_HOP, ...namedByConnection(texts), NOTICE_HEADER]);
  const lines = texts.filter((_, at) => !dropped.has((texts[at - (at % 2)] ?? '').toLowerCase()));
  if (notice !== undefined) {
    lines.push(NOTICE_HEADER, notice);
  }
  return lines;
}

/** The same lines as an object: the values of one name are a list, in order. */
export function joinedByName(lines: HeaderLines): Record<string, string | string[]> {
  const joined = new Map<string, string | string[]>();
  for (let at = 0; at < lines.length; at += 2) {
    const [name = '', value = ''] = lines.slice(at, at + 2);
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(joined);
}

const NOTICE_HEADER = 'x-context-lifecycle';

/** A sentence as a header can carry it: printable ASCII, bounded. */
export function headerText(sentence: string, length: number): string {
  return sentence
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
    .trim()
    .slice(0, length);
}

function namedByConnection(raw: readonly string[]): readonly string[] {
  return raw
    .filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === 'connection')
    .flatMap(value => value.split(','))
    .map(name => name.trim().toLowerCase());
}

/** RFC 9110, 7.6.1. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
];

/** Set anew for the upstream. The 100 of `expect` is given by the gateway itself. */
const OURS = ['host', 'expect', 'accept-encoding', 'content-length'];

const OF_THE_BODY = ['content-encoding', 'content-md5', 'content-digest', 'digest', 'repr-digest'];
