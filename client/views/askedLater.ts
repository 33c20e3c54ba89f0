/** Answers that are kept; the oldest go first. */
const KEPT = 2_000;
/** Questions that wait at most; what does not fit is asked when its row is drawn again. */
const WAITING = 100;

/**
 * What rows say, but only the session knows: answered from memory, and asked for one at a time where it is not there yet, so
 * that drawing never waits and a session is never flooded.
 */
export class AskedLater<Value> {
  readonly #answers = new Map<string, Value | undefined>();
  readonly #waiting = new Map<string, () => Promise<Value | undefined>>();
  readonly #onAnswer: () => void;
  #asking = false;

  /** `onAnswer` is called when rows may say more than before. */
  constructor(onAnswer: () => void) {
    this.#onAnswer = onAnswer;
  }

  /** Absent while it is not known, and where the question had no answer. */
  get(key: string, ask: () => Promise<Value | undefined>): Value | undefined {
    if (!this.#answers.has(key) && this.#waiting.size < WAITING) {
      this.#waiting.set(key, ask);
      void this.#askAll();
    }
    return this.#answers.get(key);
  }

  /** What was answered before; asks nothing. */
  known(key: string): Value | undefined {
    return this.#answers.get(key);
  }

  /** What had no answer is asked again when it is drawn: somebody else may answer now. */
  retry(): void {
    for (const [key, answer] of this.#answers) {
      if (answer === undefined) {
        this.#answers.delete(key);
      }
    }
  }

  async #askAll(): Promise<void> {
    if (this.#asking) {
      return;
    }
    this.#asking = true;
    for (const [key, ask] of this.#waiting) {
      const answer = await ask().catch(() => undefined);
      this.#waiting.delete(key);
      this.#keep(key, answer);
      if (answer !== undefined) {
        this.#onAnswer();
      }
    }
    this.#asking = false;
  }

  #keep(key: string, answer: Value | undefined): void {
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > KEPT && oldest !== undefined) {
      this.#answers.delete(oldest);
    }
  }
}
