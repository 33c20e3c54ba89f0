import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type GatewayTarget, readTarget } from './gatewayPath.ts';

/** 128 bits, in hex. */
export function newGatewayToken(): string {
  return randomBytes(16).toString('hex');
}

/** What a request must know to be let in. */
export interface Door {
  readonly token: string;
  /**
   * What hooks know in its place: they name files that are trusted. The other token may stand in an agent's command line, which other users
   * of the machine can see.
   */
  readonly hookToken: string;
  readonly port: number;
}

/**
 * What a request asks for, from its head alone; nothing where it is not to be answered: no token, or sent by a web page, by way of another
 * host name, or in a form that two readers can read in two ways.
 */
export function admit(request: IncomingMessage, door: Door): GatewayTarget | undefined {
  const target = readTarget(request.url ?? '');
  // Compared first, and always, so that an answer's time says nothing about the token.
  const known = sameToken(target?.token ?? '', target?.kind === 'hook' ? door.hookToken : door.token);
  return known && METHODS.has(request.method ?? '') && plainHead(request.rawHeaders, door.port) ? target : undefined;
}

/** Whether a request asks for a WebSocket. Other upgrades are offers (`h2c`), which a server may pass over. */
export function isWebSocket({ headers }: IncomingMessage): boolean {
  return /(?:^|[ ,])websocket(?:$|[ ,])/i.test(headers.upgrade ?? '');
}

function sameToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** OPTIONS would be the question of a web page. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Only browsers send these, and no page can leave them out. `Sec-Fetch-Mode` is not among them: the `fetch` of Node sends it, which is what
 * agents use.
 */
const OF_WEB_PAGES = new Set([
  'origin',
  'sec-fetch-site',
  'sec-fetch-dest',
  'sec-fetch-user',
  'sec-fetch-storage-access',
  'access-control-request-method',
  'access-control-request-headers',
  'access-control-request-private-network',
]);

function plainHead(rawHeaders: readonly string[], port: number): boolean {
  const values = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (OF_WEB_PAGES.has(name) || (values.has(name) && ONCE.has(name))) {
      return false;
    }
    values.set(name, rawHeaders[at + 1] ?? '');
  }
  const host = values.get('host')?.toLowerCase();
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) {
    return false;
  }
  const coding = values.get('transfer-encoding');
  // Node's parser refuses these too; an open door would depend on nothing else.
  return coding === undefined || (coding.toLowerCase() === 'chunked' && !values.has('content-length'));
}

const ONCE = new Set(['host', 'content-length', 'transfer-encoding', 'content-encoding']);
