import { connect, type Socket } from 'node:net';
import type { FoundAnnouncement } from '../../../local/announcements.ts';
import { proofOf } from '../../../local/wire/proof.ts';
import { WIRE_VERSION } from '../../../protocol/wire/messages.ts';
import { inTime } from '../../server/deadline.ts';

export type Received = Readonly<Record<string, unknown>>;

/** A message as a frame; also of what is no message. */
export function frame(message: unknown): string {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export const NONCE = 'a'.repeat(32);

/** Speaks the wire by hand, rightly or wrongly, without any of the product's code but the proof. */
export class RawPeer {
  readonly socket: Socket;
  readonly received: Received[] = [];
  readonly closed: Promise<void>;
  #bytes = Buffer.alloc(0);
  #waiting: (() => void)[] = [];
  #nextId = 0;

  constructor(address: string) {
    this.socket = connect(address);
    this.socket.on('error', () => {});
    this.socket.on('data', chunk => this.#read(chunk));
    this.closed = new Promise(resolve => this.socket.once('close', () => resolve()));
    void this.closed.then(() => this.#wake());
  }

  /** Everything that came, as bytes. */
  bytesReceived = 0;

  send(message: unknown): void {
    this.socket.write(frame(message));
  }

  async ask(method: string, params: object): Promise<Received> {
    const id = this.#nextId++;
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.until(method, message => message['id'] === id);
  }

  async until(what: string, fits: (message: Received) => boolean): Promise<Received> {
    for (;;) {
      const found = this.received.find(fits);
      if (found) {
        return found;
      }
      if (this.socket.closed) {
        throw new Error(`The socket was closed before ${what} came.`);
      }
      await inTime(new Promise<void>(resolve => this.#waiting.push(resolve)), what);
    }
  }

  async hello(wireVersion = WIRE_VERSION): Promise<Received> {
    const answer = await this.ask('hello', { wireVersion, nonce: NONCE });
    return answer['result'] as Received;
  }

  /** Greets, proves and attaches as a good watcher does. */
  async attach(announcement: FoundAnnouncement, known?: object): Promise<Received> {
    const { nonce } = await this.hello();
    const proof = proofOf('watcher', announcement.token, { watcher: NONCE, host: String(nonce) });
    const answer = await this.ask('attach', { proof, ...(known && { known }) });
    return (answer['result'] ?? answer['error']) as Received;
  }

  async ended(): Promise<void> {
    await inTime(this.closed, 'the end of the connection');
  }

  #read(chunk: Buffer): void {
    this.bytesReceived += chunk.length;
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      const head = this.#bytes.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(this.#bytes.toString('latin1', 0, Math.max(head, 0)))?.[1]);
      if (head === -1 || this.#bytes.length < head + 4 + length) {
        break;
      }
      this.received.push(JSON.parse(this.#bytes.toString('utf8', head + 4, head + 4 + length)));
      this.#bytes = this.#bytes.subarray(head + 4 + length);
    }
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) {
      resolve();
    }
  }
}
