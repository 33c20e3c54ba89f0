import type { Block } from '../../../protocol/lifecycle/structure.ts';
import type { Project } from '../../check/project.ts';
import type { OpenDocument } from '../../document.ts';
import type { TagPrefix } from '../shared/tagPrefix.ts';

/** The line that is being typed, and what is known around it. */
export interface CompletionPlace {
  readonly document: OpenDocument;
  readonly project: Project;
  readonly prefix: TagPrefix;
  readonly snippets: boolean;
  readonly newLine: string;
  readonly lineStart: number;
  readonly lineEnd: number;
  /** The block that is open where the line begins. */
  readonly open: Block | undefined;
}

/** One completion before it is put into the client's form. */
export interface CompletionOffer {
  /** The line or ID as it will stand there; also what the client filters by. */
  readonly label: string;
  readonly newText: string;
  /** Whether `newText` is a snippet. */
  readonly snippet: boolean;
  /** Plain text; absent where there is nothing to add. */
  readonly detail?: string;
  readonly documentation: string;
  /** The one that is meant most likely. */
  readonly first?: boolean;
}
