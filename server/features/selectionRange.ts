import type { Position, SelectionRange } from 'vscode-languageserver';
import { idRange } from '../../protocol/lifecycle/declaration.ts';
import type { TextRange } from '../../protocol/lifecycle/text.ts';
import type { OpenDocument } from '../document.ts';
import { lineAround } from './shared/lines.ts';
import { openBlockAt, tagAt } from './shared/tagAt.ts';

/** For each position the ranges that hold it, from the inside: ID, tag line, block content, block, document. */
export function selectionRange(document: OpenDocument, positions: readonly Position[]): SelectionRange[] {
  return positions.map(position => chainAt(document, position));
}

function chainAt(document: OpenDocument, position: Position): SelectionRange {
  const offset = document.offsetAt(position);
  const text = document.text.getText();
  const ranges: TextRange[] = [{ start: 0, end: text.length }, ...blockRanges(document, offset)];
  const tag = tagAt(document, position);
  if (tag) {
    ranges.push(tag.range, idRange(tag));
  }
  const [outermost, ...inner] = ranges.filter(({ start, end }) => start <= offset && offset <= end);
  let chain: SelectionRange = { range: document.rangeOf(outermost ?? { start: offset, end: offset }) };
  let outer = outermost;
  for (const range of inner) {
    if (range.start !== outer?.start || range.end !== outer.end) {
      chain = { range: document.rangeOf(range), parent: chain };
      outer = range;
    }
  }
  return chain;
}

/** The closed block around the offset, and its content where the offset stands in it. */
function blockRanges({ outline, text }: OpenDocument, offset: number): readonly TextRange[] {
  const { start } = lineAround(text.getText(), offset);
  const block = openBlockAt(outline, start) ?? outline.blocks.find(({ opening }) => opening.range.start === start);
  if (!block?.closing) {
    return [];
  }
  const { opening, closing } = block;
  const content = { start: opening.next, end: closing.range.start };
  const inContent = opening.range.start < start && start < closing.range.start;
  return [{ start: opening.range.start, end: closing.range.end }, ...(inContent ? [content] : [])];
}
