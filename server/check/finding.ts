import { type Fix, type NearMissReason, PROBLEM_CODES, type ProblemCode } from '../../protocol/lifecycle/problem.ts';
import { BYTE_NOTE_CODES, type ByteNoteCode } from '../../protocol/lifecycle/sourceBytes.ts';
import type { Message, TextRange } from '../../protocol/lifecycle/text.ts';

export type FindingCode = ProblemCode | ByteNoteCode;

/** Every code, in the order of the docs. */
export const FINDING_CODES: readonly FindingCode[] = [...PROBLEM_CODES, ...BYTE_NOTE_CODES];

/** How loud a finding is; `off` findings are never made. */
export type Severity = 'error' | 'warning' | 'note' | 'off';

export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note', 'off'];

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
}

/** A finding before the rules have said how loud it is. */
export type UnratedFinding = Omit<Finding, 'severity'>;
