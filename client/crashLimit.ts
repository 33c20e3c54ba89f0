/** The language client's own numbers: its fifth end within three minutes is the last. */
const MAX_ENDS = 5;
const PERIOD = 3 * 60 * 1000;

/**
 * Says whether a server that ended by itself is started again. The library has the same limit, but it restarts a client
 * while an earlier start of it is still failing (editor-bugs 55), so we count and make new clients.
 */
export class CrashLimit {
  readonly #now: () => number;
  #ends: readonly number[] = [];

  /** `now` gives milliseconds that only grow. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts one end; true while the server may be started again. */
  allowsRestart(): boolean {
    const now = this.#now();
    this.#ends = [...this.#ends.filter(end => now - end <= PERIOD), now];
    return this.#ends.length < MAX_ENDS;
  }
}
