import type { LinkedEditingRanges, Position } from 'vscode-languageserver';
import { idRange } from '../../protocol/lifecycle/declaration.ts';
import type { OpenDocument } from '../document.ts';
import { blockOf, idTagAt } from './shared/tagAt.ts';

/**
 * The ID of an opening and of its closing line, to be typed at once. Null unless the position stands in one of the two and
 * the ID has exactly this one opening and this one closing in the document (editor-bugs 38).
 */
export function linkedEditingRange(document: OpenDocument, position: Position): LinkedEditingRanges | null {
  const tag = idTagAt(document, position);
  const block = tag && blockOf(document.outline, tag);
  if (!tag || !block?.closing) {
    return null;
  }
  const offset = document.offsetAt(position);
  const { start, end } = idRange(tag);
  const pair = document.outline.declarations.filter(
    ({ kind, id }) => id === tag.id && (kind === 'opening' || kind === 'closing'),
  );
  if (offset < start || offset > end || pair.length !== 2) {
    return null;
  }
  return { ranges: pair.map(line => document.rangeOf(idRange(line))), wordPattern: '[a-z0-9_-]+' };
}
