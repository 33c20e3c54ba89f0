import type { DiscardOutcome } from './sessionModel.ts';

/** What came of the discards that were asked for from this window, by block. */
export class OwnDiscards {
  readonly #asked = new Map<string, readonly Promise<DiscardOutcome>[]>();

  add(blockId: string, outcome: Promise<DiscardOutcome>): Promise<DiscardOutcome> {
    this.#asked.set(blockId, [...(this.#asked.get(blockId) ?? []), outcome]);
    return outcome;
  }

  /** Whether this window has discarded the block. One whose answer was lost counts. */
  async has(blockId: string): Promise<boolean> {
    const asked = this.#asked.get(blockId) ?? [];
    const outcomes = await Promise.all(asked.map(outcome => outcome.catch(() => 'discarded')));
    return outcomes.includes('discarded');
  }

  clear(): void {
    this.#asked.clear();
  }
}
