import { ErrorCodes, type MessageConnection, ResponseError } from 'vscode-jsonrpc/node';
import { usageReport } from '../../protocol/budget/usageReport.ts';
import type { Shape } from '../../protocol/shape.ts';
import { type Method, type Params, type Result, watcherRequests } from '../../protocol/wire/messages.ts';
import type { EventBatches } from './eventBatches.ts';
import { HOST_LIMITS } from './hostLimits.ts';
import type { SealedText, WatchedSession } from './watchedSession.ts';

/** The requests of a watcher that has proved the token. What the session throws becomes the sentence of an error answer. */
export class WatcherRequests {
  readonly #session: WatchedSession;
  readonly #batches: EventBatches;
  /** A request is read in pieces, one after the other: it is rebuilt once for all of them. */
  #sealed: (SealedText & { readonly requestSequence: number }) | undefined;

  constructor(session: WatchedSession, batches: EventBatches) {
    this.#session = session;
    this.#batches = batches;
  }

  /** `label` gives the connection's name in audits. */
  answerOn(connection: MessageConnection, label: () => string): void {
    answer(connection, 'history', params => this.#history(params));
    answer(connection, 'request', params => this.#piece(params));
    answer(connection, 'whatIf', ({ blockId }) => ({ price: this.#session.whatIf(blockId) ?? null }));
    answer(connection, 'discard', ({ blockId }) => ({ outcome: this.#session.discard(blockId, label()) }));
    answer(connection, 'whatIfCompressed', () => ({ whatIf: this.#session.whatIfCompressed() ?? null }));
    answer(connection, 'tier1', () => this.#tier1());
    answer(connection, 'updateTier1', ({ id, value }) => ({
      outcome: this.#session.updateTier1(id, value, label()),
    }));
    answer(connection, 'rebasePrefix', () => ({ outcome: this.#session.rebasePrefix(label()) }));
    answer(connection, 'usageReport', () => ({
      report: usageReport(this.#session.state())?.text ?? null,
      nextSeq: this.#session.events().length,
    }));
  }

  #tier1(): Result<'tier1'> {
    const tier1 = this.#session.tier1();
    return { budget: tier1 !== undefined, constraints: [], ...tier1 };
  }

  #history({ from, to }: Params<'history'>): Result<'history'> {
    const { events, next } = this.#batches.batch(this.#session.events(), from, to, HOST_LIMITS.historyBytes);
    return { events, next };
  }

  #piece({ requestSequence, offset }: Params<'request'>): Result<'request'> {
    if (this.#sealed?.requestSequence !== requestSequence) {
      const sealed = this.#session.sealedText(requestSequence);
      if (!sealed) {
        throw new Error(`This session has no request ${requestSequence}.`);
      }
      this.#sealed = { ...sealed, requestSequence };
    }
    const { text, hash, content } = this.#sealed;
    const end = offset + HOST_LIMITS.pieceLength;
    if (end >= text.length) {
      this.#sealed = undefined;
    }
    return { piece: text.slice(offset, end), length: text.length, hash, content };
  }
}

/** Registers what answers a request, after its params were checked. */
export function answer<Asked extends Method>(
  connection: MessageConnection,
  method: Asked,
  handle: (params: Params<Asked>) => Result<Asked>,
): void {
  const shape: Shape<unknown> = watcherRequests[method].params;
  connection.onRequest<unknown, unknown>(method, (params: unknown) => {
    const fault = shape.fault(params, 'params');
    if (fault !== undefined) {
      throw new ResponseError(ErrorCodes.InvalidParams, `The request ${method} isn't understood: ${fault}.`);
    }
    try {
      return handle(params as Params<Asked>);
    } catch (error) {
      throw error instanceof ResponseError
        ? error
        : new ResponseError(ErrorCodes.InternalError, error instanceof Error ? error.message : String(error));
    }
  });
}
