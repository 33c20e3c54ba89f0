import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { inTime } from '../../../server/deadline.ts';

/** Speaks HTTP by hand, rightly or wrongly. */
export class RawAgent {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  received = Buffer.alloc(0);
  #waiting: (() => void)[] = [];

  constructor(t: Pick<TestContext, 'after'>, port: number) {
    this.socket = connect({ port, host: '127.0.0.1' });
    this.socket.on('error', () => {});
    this.socket.on('data', piece => {
      this.received = Buffer.concat([this.received, piece]);
      this.#wake();
    });
    this.closed = new Promise(resolve =>
      this.socket.once('close', () => {
        resolve();
        this.#wake();
      }),
    );
    t.after(() => this.socket.destroy());
  }

  /** Waits until something that fits has come. */
  async until(what: string, fits: (text: string) => boolean): Promise<string> {
    for (;;) {
      const text = this.received.toString('latin1');
      if (fits(text)) {
        return text;
      }
      if (this.socket.closed) {
        throw new Error(`The connection was closed before ${what} came; it got: ${text}`);
      }
      await inTime(new Promise<void>(resolve => this.#waiting.push(resolve)), what);
    }
  }

  /** Everything that came, once the gateway has closed the connection. */
  async whole(): Promise<string> {
    await inTime(this.closed, 'the connection was closed');
    return this.received.toString('latin1');
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) {
      wake();
    }
  }
}

/** A request's head: the request line, then header lines. */
export function head(line: string, ...headers: readonly string[]): string {
  return [line, ...headers, '', ''].join('\r\n');
}
