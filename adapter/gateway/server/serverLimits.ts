import type { ServerOptions } from 'node:http';

const MEGABYTE = 1_000_000;

/** What keeps the gateway small, however large or hostile its requests are. */
export const SERVER_LIMITS = {
  /** Of a request whose body must be seen, as it comes and decompressed; others are handed on in pieces. */
  bodyBytes: 100 * MEGABYTE,
  hookBytes: MEGABYTE,
  /** Connections at the same time; more are closed at once. Ten times what a busy machine's agents open. */
  connections: 1_024,
  /** Of the sentence in the answer's header. */
  noticeLength: 300,
} as const;

/** How Node's server is set up; where a value is not Node's own, the reason stands with it. */
export const SERVER_OPTIONS = {
  // `NODE_OPTIONS=--insecure-http-parser` of the person's shell must not let smuggled requests in.
  insecureHTTPParser: false,
  requireHostHeader: true,
  // Agents put what they know of a turn into headers; Node's 16 kB would be met by a long token beside that.
  maxHeaderSize: 64 * 1_024,
  // The only time-out: whoever has not sent a whole head by then knows no token. A running answer has none.
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  // An upload waits as long as the upstream lets it wait.
  requestTimeout: 0,
  // Longer than the pools of agents keep a connection (90 s at most), so that it is they who close: no request meets a closing socket.
  keepAliveTimeout: 120_000,
  noDelay: true,
} as const satisfies ServerOptions;
