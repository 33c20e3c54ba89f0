import type { Position } from 'vscode-languageserver';
import type { Declaration } from '../../../protocol/lifecycle/declaration.ts';
import type { DocumentOutline } from '../../../protocol/lifecycle/document.ts';
import type { Block } from '../../../protocol/lifecycle/structure.ts';
import type { OpenDocument } from '../../document.ts';

/** The exact tag line at a position, both ends of the line included; undefined on every other line. */
export function tagAt(document: OpenDocument, position: Position): Declaration | undefined {
  const offset = document.offsetAt(position);
  const tag = lastStartingBy(document.outline.declarations, offset);
  return tag && offset <= tag.range.end ? tag : undefined;
}

/** The same, but only a line that carries an ID. */
export function idTagAt(document: OpenDocument, position: Position): Declaration | undefined {
  const tag = tagAt(document, position);
  return tag?.kind === 'ephemeral' ? undefined : tag;
}

/** The block that is open where the line at `lineStart` begins, that line itself not counted; undefined outside blocks. */
export function openBlockAt(outline: DocumentOutline, lineStart: number): Block | undefined {
  return outline.blocks.findLast(
    ({ opening, closing }) =>
      opening.range.start < lineStart && (closing === undefined || closing.range.start >= lineStart),
  );
}

/** The block that a tag line opens or closes; undefined for one that is no block's line. */
export function blockOf(outline: DocumentOutline, tag: Declaration): Block | undefined {
  return outline.blocks.find(({ opening, closing }) => opening === tag || closing === tag);
}

function lastStartingBy(tags: readonly Declaration[], offset: number): Declaration | undefined {
  let low = 0;
  let high = tags.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tags[middle]?.range.start ?? 0) <= offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return tags[low - 1];
}
