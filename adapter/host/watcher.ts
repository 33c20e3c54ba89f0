import type { Socket } from 'node:net';
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { isNonce, isProof, newNonce, proofOf } from '../../local/wire/proof.ts';
import { RpcChannel } from '../../local/wire/rpcChannel.ts';
import type { RpcMessage } from '../../local/wire/rpcMessage.ts';
import type { Timers } from '../../local/wire/timers.ts';
import { LIMITS, type Params, type Result, WIRE_VERSION, watcherRequests } from '../../protocol/wire/messages.ts';
import type { EventBatch } from './eventBatches.ts';
import { HOST_LIMITS } from './hostLimits.ts';
import { answer, type WatcherRequests } from './watcherRequests.ts';

/** What all connections of a host share. */
export interface WatcherHost {
  readonly token: string;
  readonly timers: Timers;
  readonly requests: WatcherRequests;
  /** A connection has proved the token: its label, and what it gets. Throws where there are too many. */
  attach(known: Params<'attach'>['known']): { readonly label: string; readonly result: Result<'attach'> };
  /** Absent when there is nothing from `from` on. Throws a sentence where the next event can't be sent. */
  nextBatch(from: number): EventBatch | undefined;
  closed(watcher: Watcher): void;
}

/**
 * One connection of a host. Its cursor into the session's events is all that is kept for it: the next batch is made only when the
 * socket has taken the one before, so that a watcher that reads nothing costs nothing.
 */
export class Watcher {
  /** Settles when the socket is gone. */
  readonly gone: Promise<void>;
  readonly #host: WatcherHost;
  readonly #socket: Socket;
  readonly #channel: RpcChannel;
  readonly #hostNonce = newNonce();
  #watcherNonce = '';
  /** `ended`: it gets no more than what is written already, and nothing comes in. */
  #phase: 'silent' | 'greeted' | 'proved' | 'watching' | 'ended' = 'silent';
  #label = '';
  #cancelTimer: () => void;
  #cursor = 0;
  #sending = false;
  #endReason: string | undefined;

  constructor(socket: Socket, host: WatcherHost) {
    this.#host = host;
    this.#socket = socket;
    this.gone = new Promise(resolve => socket.once('close', () => resolve()));
    this.#channel = new RpcChannel(socket, {
      limits: { untrusted: LIMITS.unauthenticatedBytes, frame: LIMITS.frameBytes },
      unanswered: HOST_LIMITS.unanswered,
      admit: message => this.#admit(message),
      closed: () => {
        this.#cancelTimer();
        this.#phase = 'ended';
        host.closed(this);
      },
    });
    this.#cancelTimer = host.timers.after(HOST_LIMITS.proofMilliseconds, () => this.#channel.close());
    const { connection } = this.#channel;
    answer(connection, 'hello', params => this.#hello(params));
    answer(connection, 'attach', params => this.#attach(params));
    host.requests.answerOn(connection, () => this.#label);
    this.#channel.listen();
  }

  /** It has proved the token and gets events. */
  get watching(): boolean {
    return this.#phase === 'watching';
  }

  get bytesWaiting(): number {
    return this.#channel.bytesWaiting;
  }

  /** Sends what it has not, unless it still has not taken the last batch. Never throws. */
  catchUp(): void {
    if (this.watching && !this.#sending) {
      this.#sending = true;
      void this.#send();
    }
  }

  /** Sends the last events and why there are no more, then closes; at once where it proved nothing, and soon where it takes nothing. */
  end(reason: string): void {
    if (!this.watching) {
      this.#channel.close();
      return;
    }
    this.#endReason ??= reason;
    this.#socket.ref();
    this.#cancelTimer();
    this.#cancelTimer = this.#host.timers.after(HOST_LIMITS.closingMilliseconds, () => this.#channel.close());
    this.catchUp();
  }

  async #send(): Promise<void> {
    const { connection } = this.#channel;
    try {
      for (let batch = this.#nextBatch(); batch; batch = this.#nextBatch()) {
        this.#cursor = batch.next;
        // Settles when the socket has taken it.
        await connection.sendNotification('events', { events: batch.events });
      }
      if (this.#endReason !== undefined) {
        this.#phase = 'ended';
        await connection.sendNotification('closing', { reason: this.#endReason });
        this.#channel.end();
      }
    } catch {
      // The socket is closed: there is nobody to tell.
      this.#channel.close();
    } finally {
      this.#sending = false;
    }
  }

  /** Absent when all is sent, and where the next event can't be: that ends the connection with a sentence. */
  #nextBatch(): EventBatch | undefined {
    if (!this.watching) {
      return undefined;
    }
    try {
      return this.#host.nextBatch(this.#cursor);
    } catch (error) {
      this.end((error as Error).message);
      return undefined;
    }
  }

  /** Before the proof only the two messages that lead to it come in, each once, and everything else closes the socket unanswered. */
  #admit(message: RpcMessage): string | undefined {
    if (message.kind !== 'request') {
      return 'A watcher sends requests only.';
    }
    const { method, params } = message;
    switch (this.#phase) {
      case 'silent':
        if (
          method !== 'hello' ||
          watcherRequests.hello.params.fault(params, 'params') ||
          !isNonce(String(params['nonce']))
        ) {
          return 'A watcher begins with hello.';
        }
        this.#phase = 'greeted';
        return undefined;
      case 'greeted':
        if (method !== 'attach' || watcherRequests.attach.params.fault(params, 'params')) {
          return 'After hello a watcher attaches.';
        }
        return this.#admitProof(String(params['proof']));
      case 'watching':
        return method === 'hello' || method === 'attach' ? 'The watcher is attached already.' : undefined;
      default:
        return 'The watcher did not wait for an answer.';
    }
  }

  #admitProof(proof: string): string | undefined {
    if (!isProof(proof, 'watcher', this.#host.token, this.#nonces())) {
      return 'The peer could not prove the token.';
    }
    this.#channel.trust();
    this.#phase = 'proved';
    return undefined;
  }

  #hello({ wireVersion, nonce }: Params<'hello'>): Result<'hello'> {
    this.#watcherNonce = nonce;
    if (wireVersion !== WIRE_VERSION) {
      // The watcher says to its person why; the timer closes what it leaves open.
      this.#phase = 'ended';
    }
    const proof = proofOf('host', this.#host.token, this.#nonces());
    return { wireVersion: WIRE_VERSION, nonce: this.#hostNonce, proof };
  }

  #attach({ known }: Params<'attach'>): Result<'attach'> {
    try {
      const { label, result } = this.#host.attach(known);
      this.#phase = 'watching';
      this.#label = label;
      this.#cursor = result.nextSeq;
      this.#cancelTimer();
      // After the answer, which is written as soon as this returns.
      setImmediate(() => this.catchUp());
      return result;
    } catch (error) {
      this.#phase = 'ended';
      throw new ResponseError(ErrorCodes.InvalidRequest, (error as Error).message);
    }
  }

  #nonces(): { readonly watcher: string; readonly host: string } {
    return { watcher: this.#watcherNonce, host: this.#hostNonce };
  }
}
