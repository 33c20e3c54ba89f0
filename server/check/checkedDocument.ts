import type { DocumentOutline } from '../../protocol/lifecycle/document.ts';

/** One text to be checked: an open document, or a file that was read. */
export interface CheckedDocument {
  readonly uri: string;
  /** Relative to its folder, with `/`; the file name where it lies in no folder. */
  readonly path: string;
  readonly outline: DocumentOutline;
}
