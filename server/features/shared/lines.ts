import { afterLineEnd, isLineEnd, isLineStart, type TextRange } from '../../../protocol/lifecycle/text.ts';

/** The line that holds `offset`, without its line end. */
export function lineAround(text: string, offset: number): TextRange {
  let start = offset;
  while (!isLineStart(text, start)) {
    start--;
  }
  let end = offset;
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
  return text.charCodeAt(lineStart - 1) === 0x0a && text.charCodeAt(lineStart - 2) === 0x0d
    ? lineStart - 2
    : lineStart - 1;
}
