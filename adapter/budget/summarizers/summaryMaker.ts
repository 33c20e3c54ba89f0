import type { CompressionPart } from '../../../protocol/budget/compression.ts';
import type { ModelSummaries } from '../../../protocol/budget/summary/summarizer.ts';

/**
 * Asks somebody else for summaries, before a request is built. It never rejects but for an abort by `signal`. What it asks is no
 * request of the session and no interaction (tiers 4, rule 3).
 */
export interface SummaryMaker {
  /** Its program or model, as edits bear it. */
  readonly name: string;
  /** What came of it: anything at all, which `verifySummary` has still to look at. No part, nothing asked. */
  make(parts: readonly CompressionPart[], signal: AbortSignal | undefined): Promise<ModelSummaries>;
}
