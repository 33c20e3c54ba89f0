import { connect } from 'node:net';
import { ErrorCodes, ResponseError } from 'vscode-jsonrpc/node';
import { readEvent } from '../../protocol/log/readEvent.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { Shape } from '../../protocol/shape.ts';
import {
  hostNotifications,
  LIMITS,
  type Method,
  type Params,
  type Result,
  WIRE_VERSION,
  watcherRequests,
} from '../../protocol/wire/messages.ts';
import { isNonce, isProof, newNonce, proofOf } from './proof.ts';
import { RpcChannel } from './rpcChannel.ts';
import type { RpcMessage } from './rpcMessage.ts';
import type { Timers } from './timers.ts';
import { versionSentence } from './versionSentence.ts';

export interface LinkOptions {
  readonly address: string;
  readonly token: string;
  /** What the watcher has already; absent when it has nothing. */
  readonly known: Params<'attach'>['known'];
  readonly timers: Timers;
}

/** Called in this order: `attached` at most once, then `events`, and `closed` once and last. */
export interface LinkListener {
  attached(result: Result<'attach'>): void;
  /** Each batch begins where the one before, or what `attached` gave, has ended. */
  events(events: readonly LogEvent[]): void;
  closed(end: LinkEnd): void;
}

export interface LinkEnd {
  /** For a person. */
  readonly sentence: string;
  /** To connect again is of no use: the session is over, or would be refused again. */
  readonly final: boolean;
  /** What answers is no session that this version can speak with. */
  readonly refused?: true;
}

const ANSWER_MILLISECONDS = 10_000;
const LATE = `The session did not answer within ${ANSWER_MILLISECONDS / 1_000} seconds.`;

/** There is no answer that counts: whether the session did what it was asked for is not known. The message is a sentence. */
export class UnansweredError extends Error {}

/** The answer did not come in time; one to a later question may. */
export class LateAnswerError extends UnansweredError {
  constructor() {
    super(LATE);
  }
}

/** Ends a link; the message is a sentence. */
class LinkError extends UnansweredError {
  readonly end: LinkEnd;

  constructor(sentence: string, final: boolean, refused = false) {
    super(sentence);
    this.end = { sentence, final, ...(refused && { refused }) };
  }
}

/** The connection went away while an answer was awaited; why is known only when the socket is closed. */
class LostError extends UnansweredError {
  constructor() {
    super('The connection to the session was lost before it answered.');
  }
}

/** One connection to a session's host, from the first byte to the last; where it is lost, another one is made. */
export class WatcherLink {
  readonly #options: LinkOptions;
  readonly #listener: LinkListener;
  readonly #channel: RpcChannel;
  readonly #cancelTimer: () => void;
  #attached = false;
  #nextSeq = 0;
  #end: LinkEnd | undefined;
  #silenced = false;

  constructor(options: LinkOptions, listener: LinkListener) {
    this.#options = options;
    this.#listener = listener;
    this.#channel = new RpcChannel(connect(options.address), {
      limits: { untrusted: LIMITS.unauthenticatedBytes, frame: LIMITS.frameBytes },
      unanswered: 1,
      admit: message => this.#admit(message),
      closed: fault => this.#closed(fault),
    });
    const { connection } = this.#channel;
    connection.onNotification('events', (params: unknown) => this.#orEnd(() => this.#takeEvents(params)));
    connection.onNotification('closing', (params: unknown) => this.#orEnd(() => takeClosing(params)));
    this.#cancelTimer = options.timers.after(ANSWER_MILLISECONDS, () => this.#endWith(new LinkError(LATE, false)));
    this.#channel.listen();
    this.#attach().catch((error: unknown) => this.#endWith(error));
  }

  /** Rejects with a sentence where the host refuses, and with `UnansweredError` where it gives no answer in time. */
  async ask<Asked extends Method>(method: Asked, params: Params<Asked>): Promise<Result<Asked>> {
    let cancel = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancel = this.#options.timers.after(ANSWER_MILLISECONDS, () => reject(new LateAnswerError()));
    });
    try {
      return checked(method, await Promise.race([this.#send(method, params), late]));
    } finally {
      cancel();
    }
  }

  /** The listener is called no more. */
  close(): void {
    this.#silenced = true;
    this.#end ??= { sentence: 'This program has closed the connection.', final: true };
    this.#cancelTimer();
    this.#channel.close();
  }

  /** The host proves the token first: whoever only sits at the socket learns nothing from us but a nonce. */
  async #attach(): Promise<void> {
    const { token, known } = this.#options;
    const watcher = newNonce();
    const greeting = await this.#send('hello', { wireVersion: WIRE_VERSION, nonce: watcher });
    const otherVersion = versionSentence(versionOf(greeting));
    if (otherVersion !== undefined) {
      throw new LinkError(otherVersion, true, true);
    }
    const { nonce: host, proof } = checked('hello', greeting);
    if (!isNonce(host) || !isProof(proof, 'host', token, { watcher, host })) {
      throw new LinkError(
        "What answers at the session's socket is not the session: it could not prove its token.",
        true,
        true,
      );
    }
    this.#channel.trust();
    const ours = proofOf('watcher', token, { watcher, host });
    const result = checked('attach', await this.#send('attach', { proof: ours, ...(known && { known }) }));
    this.#cancelTimer();
    this.#orEnd(() => {
      this.#attached = true;
      this.#nextSeq = result.nextSeq;
      this.#listener.attached(result);
    });
  }

  async #send(method: Method, params: object): Promise<unknown> {
    try {
      return await this.#channel.connection.sendRequest(method, params);
    } catch (error) {
      throw isRefusal(error) ? error : new LostError();
    }
  }

  #admit(message: RpcMessage): string | undefined {
    if (message.kind === 'response') {
      return undefined;
    }
    return message.kind === 'notification' && Object.hasOwn(hostNotifications, message.method)
      ? undefined
      : 'The session sent something else than events and answers.';
  }

  #takeEvents(params: unknown): void {
    const fault = hostNotifications.events.fault(params, 'params');
    if (fault !== undefined || !this.#attached) {
      throw new LinkError(`The session sent events that aren't understood: ${fault ?? 'nobody was attached'}.`, false);
    }
    const { events } = params as { readonly events: readonly LogEvent[] };
    if (events.some((event, index) => event.seq !== this.#nextSeq + index)) {
      throw new LinkError('The session left out events; they are asked for again.', false);
    }
    const read = events.map(event => readEvent(event, event.seq));
    this.#nextSeq += read.length;
    this.#listener.events(read);
  }

  /** What the listener throws, such as a `CorruptLogError` of its fold, would be thrown again after each new connection. */
  #orEnd(take: () => void): void {
    if (this.#end !== undefined) {
      return;
    }
    try {
      take();
    } catch (error) {
      this.#endWith(error);
    }
  }

  #endWith(error: unknown): void {
    if (!(error instanceof LostError)) {
      this.#end ??=
        error instanceof LinkError
          ? error.end
          : { sentence: (error as Error).message, final: !(error instanceof ResponseError) };
    }
    this.#channel.close();
  }

  #closed(fault: string | undefined): void {
    this.#cancelTimer();
    this.#end ??= { sentence: fault ?? 'The connection to the session was lost.', final: false };
    if (!this.#silenced) {
      this.#silenced = true;
      this.#listener.closed(this.#end);
    }
  }
}

function takeClosing(params: unknown): void {
  const { closing } = hostNotifications;
  const reason = closing.fault(params, 'params') === undefined ? (params as { readonly reason: string }).reason : '';
  throw new LinkError(reason || 'The session has ended.', true);
}

function checked<Asked extends Method>(method: Asked, result: unknown): Result<Asked> {
  const shape: Shape<unknown> = watcherRequests[method].result;
  const fault = shape.fault(result, 'result');
  if (fault !== undefined) {
    throw new LinkError(`The session's answer to ${method} isn't understood: ${fault}.`, false);
  }
  return result as Result<Asked>;
}

/** Whatever the rest of a greeting looks like, a version has its number. */
function versionOf(greeting: unknown): number {
  const version =
    typeof greeting === 'object' && greeting !== null && 'wireVersion' in greeting && greeting.wireVersion;
  return typeof version === 'number' ? version : WIRE_VERSION;
}

/** The host's own answer; the library's errors for a connection that went away have the codes at the range's end. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof ResponseError &&
    (error.code < ErrorCodes.MessageWriteError || error.code > ErrorCodes.ConnectionInactive)
  );
}
