import type { AgentSession } from '../../agentSession.ts';
import type { AnswerHead, AnswerReader, GatewayApi } from '../apis/gatewayApi.ts';
import type { SentCall } from '../gatewayCall.ts';

export interface Sending {
  readonly session: AgentSession;
  readonly api: GatewayApi;
  readonly requestSequence: number;
  /** It is over: the session may be closed. */
  readonly done: () => void;
  /** Told what could not be logged: the answer goes on all the same. */
  readonly tell: (sentence: string) => void;
}

/** Brings what becomes of a request that is in the log into the log. */
export class SentRequest implements SentCall {
  readonly #sending: Sending;
  #reader: AnswerReader | undefined;
  #isOver = false;

  constructor(sending: Sending) {
    this.#sending = sending;
  }

  left(sha256: string): void {
    this.#guarded(() => this.#sending.session.receipt(this.#sending.requestSequence, sha256));
  }

  head(head: AnswerHead): void {
    this.#guarded(() => {
      this.#reader = this.#sending.api.answer(head);
    });
  }

  piece(bytes: Uint8Array): void {
    this.#guarded(() => this.#reader?.push(bytes));
  }

  end(how: 'whole' | 'cut' | 'aborted' | 'unreachable'): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    const { session, requestSequence, done } = this.#sending;
    this.#guarded(() => {
      const seen = this.#reader?.end(how === 'whole') ?? { outcome: 'failed' };
      // Codex hangs up as soon as it has the final event: its answer is whole all the same.
      const isGivenUp = how === 'aborted' && seen.outcome !== 'completed';
      session.response(requestSequence, isGivenUp ? { ...seen, outcome: 'aborted' } : seen);
    });
    done();
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#sending.tell(error instanceof Error ? error.message : String(error));
    }
  }
}
