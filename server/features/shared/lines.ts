import {
  afterLineEnd,
  CARRIAGE_RETURN,
  isLineEnd,
  isLineStart,
  LINE_FEED,
  type TextRange,
} from '../../../protocol/lifecycle/text.ts';

/** The line that holds `offset`, without its line end; a place inside a line end belongs to the line before it. */
export function lineAround(text: string, offset: number): TextRange {
  const inLineEnd = text.charCodeAt(offset) === LINE_FEED && text.charCodeAt(offset - 1) === CARRIAGE_RETURN;
  const from = inLineEnd ? offset - 1 : offset;
  let start = from;
  while (!isLineStart(text, start)) {
    start--;
  }
  let end = from;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) {
    end++;
  }
  return { start, end };
}

/** The line with its line end, so that removing it leaves no empty line. At the end of the text it takes the line end before it. */
export function wholeLine(text: string, line: TextRange): TextRange {
  const next = afterLineEnd(text, line.end);
  return next === line.end
    ? { start: lineEndBefore(text, line.start), end: line.end }
    : { start: line.start, end: next };
}

/** The first line end of the text; `\n` where it has none. New lines are written with it. */
export function lineEndOf(text: string): string {
  const feed = text.indexOf('\n');
  const carriage = text.indexOf('\r');
  if (carriage >= 0 && (feed < 0 || carriage < feed)) {
    return feed === carriage + 1 ? '\r\n' : '\r';
  }
  return '\n';
}

function lineEndBefore(text: string, lineStart: number): number {
  if (lineStart === 0) {
    return 0;
  }
  return text.charCodeAt(lineStart - 1) === LINE_FEED && text.charCodeAt(lineStart - 2) === CARRIAGE_RETURN
    ? lineStart - 2
    : lineStart - 1;
}
