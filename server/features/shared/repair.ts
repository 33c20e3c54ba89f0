import { type DocumentOutline, outlineDocument } from '../../../protocol/lifecycle/document.ts';
import type { TextChange } from '../../../protocol/lifecycle/text.ts';
import { withChanges } from './edits.ts';

/** The document as it would be after the changes. */
export function outlineAfter(outline: DocumentOutline, changes: readonly TextChange[]): DocumentOutline {
  return outlineDocument(withChanges(outline.text, changes));
}

/** Whether the changes leave fewer problems than there are: only then they are worth an offer. */
export function repairs(outline: DocumentOutline, changes: readonly TextChange[]): boolean {
  return outlineAfter(outline, changes).problems.length < outline.problems.length;
}
