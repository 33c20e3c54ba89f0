import { LateAnswerError } from '../../local/wire/watcherLink.ts';

/** Answers that are kept; the oldest go first. */
const KEPT = 2_000;
/** Questions that one session is waited for with at most; what does not fit is asked when its row is drawn again. */
const WAITING = 100;

/**
 * What rows say, but only the session knows: answered from memory, and asked for one at a time where it is not there yet, so
 * that drawing never waits and a session is never flooded. One that does not answer keeps no other one waiting.
 */
export class AskedLater<Value> {
  readonly #answers = new Map<string, Value | undefined>();
  /** By session, then by question. */
  readonly #waiting = new Map<string, Map<string, () => Promise<Value | undefined>>>();
  readonly #onAnswer: () => void;

  /** `onAnswer` is called when rows may say more than before. */
  constructor(onAnswer: () => void) {
    this.#onAnswer = onAnswer;
  }

  /** Absent while it is not known, and where the question had no answer. `session` is the key of the one that is asked. */
  get(session: string, key: string, ask: () => Promise<Value | undefined>): Value | undefined {
    const waiting = this.#waiting.get(session);
    if (!this.#answers.has(key) && (waiting?.size ?? 0) < WAITING) {
      if (waiting) {
        waiting.set(key, ask);
      } else {
        void this.#askAll(session, new Map([[key, ask]]));
      }
    }
    return this.#answers.get(key);
  }

  /** What was answered before; asks nothing. */
  known(key: string): Value | undefined {
    return this.#answers.get(key);
  }

  /** What had no answer is asked again when it is drawn, as what had none in time is anyway: somebody else may answer now. */
  retry(): void {
    for (const [key, answer] of this.#answers) {
      if (answer === undefined) {
        this.#answers.delete(key);
      }
    }
  }

  /** Until nothing waits any more; what is added meanwhile is asked too. */
  async #askAll(session: string, waiting: Map<string, () => Promise<Value | undefined>>): Promise<void> {
    this.#waiting.set(session, waiting);
    for (const [key, ask] of waiting) {
      let isLate = false;
      const answer = await ask().catch((error: unknown) => {
        isLate = error instanceof LateAnswerError;
        return undefined;
      });
      waiting.delete(key);
      if (!isLate) {
        this.#keep(key, answer);
      }
      if (answer !== undefined) {
        this.#onAnswer();
      }
    }
    this.#waiting.delete(session);
  }

  #keep(key: string, answer: Value | undefined): void {
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > KEPT && oldest !== undefined) {
      this.#answers.delete(oldest);
    }
  }
}
