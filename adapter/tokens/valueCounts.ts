import { isContainer, type Json } from '../../protocol/request/json.ts';
import { type Contents, contentsOf, jsonContents } from './contents.ts';
import type { LocalCount } from './partSizes.ts';
import type { TokenCounter } from './tokenCounter.ts';

/** How a model reads a value: a tool as its JSON, everything else as its texts. */
export type ReadAs = 'message' | 'tool';

/**
 * Local counts of values, each counted once: a value that is the same object is not even looked into. Numbers are there at
 * once; where the counter has only an estimate it counts on, and the next look finds the number.
 */
export class ValueCounts {
  readonly #counter: TokenCounter;
  readonly #settled = new WeakMap<object, LocalCount>();
  #lastText: { readonly text: string; readonly count: LocalCount } | undefined;
  #looked = 0;

  constructor(counter: TokenCounter) {
    this.#counter = counter;
  }

  /** How many values were looked into so far. */
  get looked(): number {
    return this.#looked;
  }

  of(value: Json, readAs: ReadAs = 'message'): LocalCount {
    const known = this.#known(value);
    if (known) {
      return known;
    }
    this.#looked++;
    const contents = readAs === 'tool' ? jsonContents(value) : contentsOf(value);
    let tokens = contents.media;
    let counted = true;
    for (const text of contents.texts) {
      const amount = this.#counter.estimate(text);
      tokens += amount.tokens;
      counted &&= amount.origin === 'exact';
    }
    // What a provider makes of a tool's definition is its own affair.
    const count = { tokens, exact: counted && contents.media === 0 && readAs !== 'tool' };
    if (counted || this.#counter.estimatesOnly === true) {
      this.#keep(value, count);
    } else {
      this.#countOn(contents);
    }
    return count;
  }

  sum(values: Iterable<Json>, readAs: ReadAs = 'message'): LocalCount {
    let tokens = 0;
    let exact = true;
    for (const value of values) {
      const count = this.of(value, readAs);
      tokens += count.tokens;
      exact &&= count.exact;
    }
    return { tokens, exact };
  }

  /** Whether its number is known: no estimate that may still become better. */
  isSettled(value: Json): boolean {
    return this.#known(value) !== undefined;
  }

  #known(value: Json): LocalCount | undefined {
    if (isContainer(value)) {
      return this.#settled.get(value);
    }
    return this.#lastText?.text === value ? this.#lastText.count : undefined;
  }

  #keep(value: Json, count: LocalCount): void {
    if (isContainer(value)) {
      this.#settled.set(value, count);
    } else if (typeof value === 'string') {
      this.#lastText = { text: value, count };
    }
  }

  #countOn({ texts }: Contents): void {
    void this.#counter.count(texts).catch(() => {});
  }
}
