import type { Json } from '../../protocol/request/json.ts';
import type { LocalCount } from './partSizes.ts';
import type { ValueCounts } from './valueCounts.ts';

/**
 * Sums the counts of one history after another. Where a history begins with the same objects as the one before, and their
 * numbers are known, not even their counts are looked up again: a history of ten thousand messages costs what is new in it.
 */
export class GrowingSum {
  readonly #counts: ValueCounts;
  /** The leading values of the last history whose numbers are known. */
  #settled: Json[] = [];
  /** Tokens of the first value, of the first two … */
  #totals: number[] = [];
  /** How many of the first values are exact. */
  #exact = 0;

  constructor(counts: ValueCounts) {
    this.#counts = counts;
  }

  of(values: readonly Json[]): LocalCount {
    const shared = this.#sharedStart(values);
    if (shared < values.length) {
      this.#cut(shared);
    }
    let tokens = this.#totals[shared - 1] ?? 0;
    let exact = shared <= this.#exact;
    for (let place = shared; place < values.length; place++) {
      const value = values[place] as Json;
      const count = this.#counts.of(value);
      tokens += count.tokens;
      exact &&= count.exact;
      if (this.#settled.length === place && this.#counts.isSettled(value)) {
        this.#settled.push(value);
        this.#totals.push(tokens);
        this.#exact += exact ? 1 : 0;
      }
    }
    return { tokens, exact };
  }

  #sharedStart(values: readonly Json[]): number {
    const most = Math.min(values.length, this.#settled.length);
    let shared = 0;
    while (shared < most && values[shared] === this.#settled[shared]) {
      shared++;
    }
    return shared;
  }

  #cut(length: number): void {
    this.#settled.length = length;
    this.#totals.length = length;
    this.#exact = Math.min(this.#exact, length);
  }
}
