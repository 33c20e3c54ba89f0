import type { NearMissReason } from '../problem.ts';
import type { Message, TextRange } from '../text.ts';

/** One thing that keeps a line from being an exact tag. */
export interface Flaw {
  readonly reason: NearMissReason;
  /** The characters at fault; empty where something is missing. */
  readonly range: TextRange;
  readonly message: Message;
  /** Whether mending it needs no guess: blanks, invisible characters, letter case, the comment's own signs. */
  readonly mechanical: boolean;
  /** Whether it can be mended in one way only. */
  readonly repairable: boolean;
}

/**
 * When a line has several flaws, the first of these is the one to read: first what has no repair, for the rest is idle
 * until it is settled; then what the eye cannot see in the tag itself; then the tag's shape; last what stands around it. Of two alike, the one further left.
 */
export const READING_ORDER: readonly NearMissReason[] = [
  'missing-id',
  'illegal-id',
  'homoglyph',
  'misspelt-keyword',
  'wrong-closing-form',
  'wrong-case',
  'misopened-comment',
  'unclosed-comment',
  'misclosed-comment',
  'blank-inside',
  'text-before',
  'text-after',
  'leading-characters',
  'trailing-characters',
];

/** The flaw that a person should read about. */
export function firstToRead(flaws: readonly Flaw[]): Flaw | undefined {
  let first: Flaw | undefined;
  for (const flaw of flaws) {
    if (!first || rank(flaw) < rank(first) || (rank(flaw) === rank(first) && flaw.range.start < first.range.start)) {
      first = flaw;
    }
  }
  return first;
}

function rank(flaw: Flaw): number {
  const order = READING_ORDER.indexOf(flaw.reason);
  return flaw.repairable ? order + READING_ORDER.length : order;
}
