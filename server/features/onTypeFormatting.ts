import type { Position, TextEdit } from 'vscode-languageserver';
import { tagLine } from '../../protocol/lifecycle/declaration.ts';
import { afterLineEnd, type TextChange } from '../../protocol/lifecycle/text.ts';
import type { OpenDocument } from '../document.ts';
import { fileEdits } from './shared/edits.ts';
import { lineAround, lineEndOf } from './shared/lines.ts';
import { repairs } from './shared/repair.ts';
import { blockOf, tagAt } from './shared/tagAt.ts';

/** The characters after which a client asks: the first one, and more. */
export const ON_TYPE_TRIGGERS = { first: '>', more: ['\n'] } as const;

/**
 * The closing line below an opening that was just typed, when nothing closes that opening: after `>` on the next line,
 * after a line break below the new line. Empty wherever the line would not leave the document with fewer problems.
 *
 * VS Code puts the cursor behind text that is inserted at it. So after `>` at the end of the text nothing is inserted: the
 * line break that follows brings the closing line, with a line end of its own, so that nobody types on behind the tag.
 */
export function onTypeFormatting(document: OpenDocument, position: Position, typed: string): TextEdit[] {
  if (typed === '\n') {
    return position.line === 0 ? [] : closingBelow(document, position.line - 1, document.offsetAt(position), true);
  }
  const offset = document.offsetAt(position);
  const atLineEnd = offset === lineAround(document.text.getText(), offset).end;
  return typed === '>' && atLineEnd ? closingBelow(document, position.line, offset, false) : [];
}

function closingBelow(document: OpenDocument, line: number, cursor: number, atTextEnd: boolean): TextEdit[] {
  const tag = tagAt(document, { line, character: 0 });
  const block = tag?.kind === 'opening' ? blockOf(document.outline, tag) : undefined;
  if (!block || block.closing) {
    return [];
  }
  const text = document.text.getText();
  const { end } = lineAround(text, cursor);
  const next = afterLineEnd(text, end);
  if (next === end && !atTextEnd) {
    return [];
  }
  const closing = tagLine('closing', block.id);
  const lineEnd = lineEndOf(text);
  const change: TextChange = {
    range: { start: next, end: next },
    newText: next === end ? lineEnd + closing + lineEnd : closing + lineEnd,
  };
  return repairs(document.outline, [change]) ? [...fileEdits(document, [change]).edits] : [];
}
