import type { Fix, NearMissReason, ProblemCode } from '../../protocol/lifecycle/problem.ts';
import type { ByteNoteCode } from '../../protocol/lifecycle/sourceBytes.ts';
import type { Message, TextRange } from '../../protocol/lifecycle/text.ts';

export type FindingCode = ProblemCode | ByteNoteCode;

/** How loud a finding is; `off` findings are never made. */
export type Severity = 'error' | 'warning' | 'note' | 'off';

/** Another place in the same document that explains a finding, at offsets in its text. */
export interface PlaceHere {
  readonly kind: 'here';
  readonly range: TextRange;
  readonly message: Message;
}

/**
 * A tag line of another file that explains a finding. The index keeps no text, and needs none: an exact tag line is
 * ASCII, starts at column 0 and is `length` characters long in every encoding.
 */
export interface PlaceElsewhere {
  readonly kind: 'elsewhere';
  readonly uri: string;
  /** From 0. */
  readonly line: number;
  readonly length: number;
  readonly message: Message;
}

export type FindingPlace = PlaceHere | PlaceElsewhere;

/** What the lint engine says of one place in one document; server and command line each show it their own way. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Exclude<Severity, 'off'>;
  readonly range: TextRange;
  readonly message: Message;
  readonly related: readonly FindingPlace[];
  readonly blockId?: string;
  readonly reason?: NearMissReason;
  readonly fix?: Fix;
  /** Set on a discard that repeats an earlier one of the same document and so does nothing (an editor may fade it). */
  readonly redundant?: true;
}
