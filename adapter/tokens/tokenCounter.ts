import type { Amount } from '../../protocol/log/sessionEvents.ts';

/** Counts tokens. It never throws and never rejects: where it cannot count, it estimates and says so. */
export interface TokenCounter {
  /** In the order of the texts. What was counted before is not counted again. */
  count(texts: readonly string[]): Promise<readonly Amount[]>;
  /** At once: a number that was counted before, or an estimate. */
  estimate(text: string): Amount;
  /** True when it only estimates from now on, so that asking again is of no use; absent is false. */
  readonly estimatesOnly?: boolean;
  /** Why that is, as a sentence for a person; absent where nothing went wrong. */
  readonly problem?: string | undefined;
  close(): Promise<void>;
}
