import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { inTime } from '../../../server/deadline.ts';

/** A request as it reached the upstream. */
export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** What an upstream does with a request; the body is whole by then. */
export type UpstreamAnswer = (request: UpstreamRequest, response: ServerResponse) => void | Promise<void>;

/** A model API on loopback that does what a test says, and keeps what it was sent. */
export class FakeUpstream {
  readonly requests: UpstreamRequest[] = [];
  readonly sockets = new Set<Socket>();
  readonly url: URL;
  readonly #server: Server;

  private constructor(server: Server, url: URL) {
    this.#server = server;
    this.url = url;
    server.on('connection', socket => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /** `path` stands in front of every path that is asked for. */
  static async start(t: Pick<TestContext, 'after'>, answer: UpstreamAnswer, path = ''): Promise<FakeUpstream> {
    const bare = await FakeUpstream.bare(
      t,
      (request, response) => {
        void (async () => {
          const pieces: Buffer[] = [];
          for await (const piece of request) {
            pieces.push(piece as Buffer);
          }
          const seen = {
            method: request.method ?? '',
            url: request.url ?? '',
            rawHeaders: request.rawHeaders,
            headers: request.headers,
            body: Buffer.concat(pieces),
          };
          bare.requests.push(seen);
          await answer(seen, response);
        })().catch(() => response.destroy());
      },
      path,
    );
    return bare;
  }

  /** Hands over each request before its body was read. */
  static async bare(
    t: Pick<TestContext, 'after'>,
    listener: (request: IncomingMessage, response: ServerResponse) => void,
    path = '',
  ): Promise<FakeUpstream> {
    const server = createServer({ requestTimeout: 0, keepAliveTimeout: 60_000, maxHeaderSize: 200_000 }, listener);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const upstream = new FakeUpstream(server, new URL(`http://127.0.0.1:${port}${path}`));
    t.after(() => upstream.close());
    return upstream;
  }

  async close(): Promise<void> {
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** Something that a test waits for and another part of it lets happen. */
export class Gate<T = void> {
  readonly opened: Promise<T>;
  open!: (value: T) => void;
  readonly #what: string;

  constructor(what: string) {
    this.#what = what;
    this.opened = new Promise(resolve => {
      this.open = resolve;
    });
  }

  /** Fails where nobody opens it. */
  wait(): Promise<T> {
    return inTime(this.opened, this.#what);
  }
}
