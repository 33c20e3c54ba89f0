import { type Amount, sumOf } from '../../log/amounts.ts';

/** A sum of counts, apart by where they come from, so that a few estimates do not make one of all the rest. */
export class Tally {
  #exact = 0;
  #anchored = 0;
  #estimated = 0;

  static of(amounts: readonly Amount[]): Tally {
    const tally = new Tally();
    for (const { tokens, origin } of amounts) {
      tally.#exact += origin === 'exact' ? tokens : 0;
      tally.#anchored += origin === 'anchored' ? tokens : 0;
      tally.#estimated += origin === 'estimated' ? tokens : 0;
    }
    return tally;
  }

  add(other: Tally): void {
    this.#exact += other.#exact;
    this.#anchored += other.#anchored;
    this.#estimated += other.#estimated;
  }

  subtract(other: Tally): void {
    this.#exact -= other.#exact;
    this.#anchored -= other.#anchored;
    this.#estimated -= other.#estimated;
  }

  equals(other: Tally): boolean {
    return this.#exact === other.#exact && this.#anchored === other.#anchored && this.#estimated === other.#estimated;
  }

  /** One of each kind that there is, as it is to be read. */
  amounts(read: (counted: Amount) => Amount): readonly Amount[] {
    const counted: readonly Amount[] = [
      { tokens: this.#exact, origin: 'exact' },
      { tokens: this.#anchored, origin: 'anchored' },
      { tokens: this.#estimated, origin: 'estimated' },
    ];
    return counted.filter(({ tokens }) => tokens > 0).map(read);
  }

  /** All of it. */
  amount(read: (counted: Amount) => Amount): Amount {
    return sumOf(this.amounts(read));
  }
}
