import type { Fix, NearMissReason, ProblemCode } from '../../protocol/lifecycle/problem.ts';
import type { ByteNoteCode } from '../../protocol/lifecycle/sourceBytes.ts';
import type { Message, TextRange } from '../../protocol/lifecycle/text.ts';

export type FindingCode = ProblemCode | ByteNoteCode;

/** How loud a finding is; `off` findings are never made. */
export type Severity = 'error' | 'warning' | 'note' | 'off';

/** Another place, possibly in another file, that explains a finding. */
export interface FindingPlace {
  readonly uri: string;
  /** Offsets in the text of `uri`. */
  readonly range: TextRange;
  /** The line of `range.start`, from 0. Places outside the document are exact tag lines, so column = offset - line start = 0. */
  readonly line: number;
  readonly message: Message;
}

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
