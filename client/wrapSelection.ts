import { isBlockId, tagLine } from '../protocol/lifecycle/declaration.ts';
import { scanDeclarations } from '../protocol/lifecycle/scan.ts';
import { structureOf } from '../protocol/lifecycle/structure.ts';
import {
  afterLineEnd,
  isLineEnd,
  isLineStart,
  type Message,
  type TextChange,
  type TextRange,
} from '../protocol/lifecycle/text.ts';

/** The two lines that make a block of the lines that `selection` touches; every other character stays. */
export function wrapChanges(text: string, selection: TextRange, id: string, lineEnd: string): readonly TextChange[] {
  const { start, end } = wholeLines(text, selection);
  const endsOpen = end > start && !isLineEnd(text.charCodeAt(end - 1));
  const opening = `${tagLine('opening', id)}${lineEnd}`;
  const closing = endsOpen ? `${lineEnd}${tagLine('closing', id)}` : `${tagLine('closing', id)}${lineEnd}`;
  return [
    { range: { start, end: start }, newText: opening },
    { range: { start: end, end }, newText: closing },
  ];
}

/** Why an ID cannot be given to a new block of this text, in one sentence; undefined when it can. */
export function idProblem(text: string, id: string): Message | undefined {
  if (!isBlockId(id)) {
    return { template: 'An ID has only the characters a–z, 0–9, _ and -.', values: [] };
  }
  const taken = scanDeclarations(text).some(declaration => declaration.kind === 'opening' && declaration.id === id);
  return taken ? { template: "This document already has a block '{0}'.", values: [id] } : undefined;
}

/** Why these lines cannot become a block whatever its ID, in one sentence; undefined when they can. */
export function selectionProblem(text: string, selection: TextRange): Message | undefined {
  const { start, end } = wholeLines(text, selection);
  const declarations = scanDeclarations(text);
  const { blocks } = structureOf(declarations);
  const cutsTag = declarations.some(
    ({ kind, range }) => (kind === 'opening' || kind === 'closing') && range.start >= start && range.start < end,
  );
  if (cutsTag) {
    return {
      template: 'The selection holds the first or last line of another block. Blocks cannot be nested.',
      values: [],
    };
  }
  const outer = blocks.find(
    ({ opening, closing }) => opening.range.start < start && end <= (closing?.range.start ?? text.length),
  );
  return outer && { template: "The selection stands inside block '{0}'. Blocks cannot be nested.", values: [outer.id] };
}

/** From the start of the first line to behind the end of the last one; a line that is only touched at its start is out. */
function wholeLines(text: string, { start: from, end: to }: TextRange): TextRange {
  let start = from;
  while (!isLineStart(text, start)) {
    start--;
  }
  let end = to;
  if (to === from || !isLineStart(text, to)) {
    while (end < text.length && !isLineEnd(text.charCodeAt(end))) {
      end++;
    }
    end = afterLineEnd(text, end);
  }
  return { start, end };
}
