import type { AnswerHead, Provider } from '../../../../adapter/gateway/apis/gatewayApi.ts';
import type { GatewayCall, GatewayCalls, Prepared, SentCall } from '../../../../adapter/gateway/gatewayCall.ts';
import { Gate } from './fakeUpstream.ts';

/** Keeps what it was told of one call. */
export class RecordedCall implements SentCall {
  readonly hashes: string[] = [];
  /** Names of what it was told, in order. */
  readonly told: string[] = [];
  readonly heads: AnswerHead[] = [];
  readonly pieces: Buffer[] = [];
  readonly ends: string[] = [];
  readonly #left = new Gate<string>('the body had left');
  readonly #ended = new Gate<string>('a call was over');

  left(sha256: string): void {
    this.told.push('left');
    this.hashes.push(sha256);
    this.#left.open(sha256);
  }

  head(head: AnswerHead): void {
    this.told.push('head');
    this.heads.push(head);
  }

  piece(bytes: Uint8Array): void {
    this.pieces.push(Buffer.from(bytes));
  }

  end(how: 'whole' | 'cut' | 'aborted' | 'unreachable'): void {
    this.told.push('end');
    this.ends.push(how);
    this.#ended.open(how);
  }

  /** SHA-256 of what left. */
  gone(): Promise<string> {
    return this.#left.wait();
  }

  ended(): Promise<string> {
    return this.#ended.wait();
  }
}

/** What stands behind the door in tests: wants POSTs whose path ends in `/messages`, and does with them what a test says. */
export class FakeCalls implements GatewayCalls {
  readonly seen: GatewayCall[] = [];
  readonly sent: RecordedCall[] = [];
  readonly hooks: { readonly name: string; readonly body: string }[] = [];
  prepareWith: (call: GatewayCall) => Prepared | Promise<Prepared> = () => this.send();

  /** A `send` that is recorded. */
  send(body?: Uint8Array): Prepared {
    const sent = new RecordedCall();
    this.sent.push(sent);
    return { kind: 'send', sent, ...(body === undefined ? {} : { body }) };
  }

  wants(method: string, _provider: Provider, path: string): boolean {
    return method === 'POST' && path.endsWith('/messages');
  }

  async prepare(call: GatewayCall): Promise<Prepared> {
    this.seen.push(call);
    return this.prepareWith(call);
  }

  async hook(name: string, body: Uint8Array): Promise<string> {
    this.hooks.push({ name, body: Buffer.from(body).toString() });
    return `heard ${name}`;
  }

  async close(): Promise<void> {}
}
