import type { Message, TextChange, TextRange } from './text.ts';

/** Every code that a document, or a set of documents, can earn; docs/diagnostics.md has one anchor for each. */
export const PROBLEM_CODES = [
  'malformed-tag',
  'duplicate-block-id',
  'nested-block',
  'mismatched-block-end',
  'unexpected-block-end',
  'unclosed-block',
  'live-tag-in-code-fence',
  'block-id-conflict',
  'unknown-block',
  'discard-inside-block',
  'host-strips-comments',
] as const;

export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** The codes of seed 1's structural rule, which vectors/grammar.jsonl calls `structural`. */
export const STRUCTURAL_CODES: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'duplicate-block-id',
  'nested-block',
  'mismatched-block-end',
  'unexpected-block-end',
  'unclosed-block',
]);

/** Another place that explains a problem. */
export interface RelatedPlace {
  readonly range: TextRange;
  readonly message: Message;
}

/** A repair that a person may choose; never applied by itself. */
export interface Fix {
  readonly title: Message;
  readonly changes: readonly TextChange[];
  /** Blanks, letter case and the like: safe for "fix all" and `check --fix`. */
  readonly mechanical: boolean;
}

/** Something wrong in one document, at offsets; line numbers are the reader's to compute. */
export interface Problem {
  readonly code: ProblemCode;
  readonly range: TextRange;
  readonly message: Message;
  readonly related: readonly RelatedPlace[];
  /** The block ID that the problem is about; absent where there is none. */
  readonly blockId?: string;
  /** Only for `malformed-tag`: which kind of near miss. */
  readonly reason?: NearMissReason;
  /** Absent where more than one exact tag may be meant, or none. */
  readonly fix?: Fix;
}

/** Why a line that looks like a tag is none. The names are stable: settings, docs and tests use them. */
export const NEAR_MISS_REASONS = [
  'leading-characters',
  'trailing-characters',
  'blank-inside',
  'wrong-case',
  'missing-id',
  'illegal-id',
  'misspelt-keyword',
  'wrong-closing-form',
  'unclosed-comment',
  'misclosed-comment',
  'misopened-comment',
  'text-before',
  'text-after',
  'homoglyph',
] as const;

export type NearMissReason = (typeof NEAR_MISS_REASONS)[number];
