import { afterLineEnd, isLineEnd, type TextRange } from './text.ts';

export interface FrontMatter {
  /** The `---` that opens it; undefined when the text has no front matter. */
  readonly range: TextRange | undefined;
  /** Where the line behind it starts; 0 when there is none. */
  readonly end: number;
  /** How many characters were looked at. */
  readonly visited: number;
}

/**
 * YAML front matter: `---` alone on line 1 until the next line that is `---` or `...`. A byte order mark may stand
 * before it. Looks at each character once, and no further than the first four when the text does not start so.
 */
export function findFrontMatter(text: string): FrontMatter {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const opening = text.startsWith('---', start) ? blankLineEnd(text, start + 3) : undefined;
  if (opening === undefined) {
    return { range: undefined, end: 0, visited: 0 };
  }
  let at = opening;
  while (at < text.length) {
    const next = afterLineEnd(text, at);
    const marked = text.startsWith('---', next) || text.startsWith('...', next);
    const closing = marked ? blankLineEnd(text, next + 3) : undefined;
    if (closing !== undefined) {
      return { range: { start, end: start + 3 }, end: afterLineEnd(text, closing), visited: closing };
    }
    at = next;
    while (at < text.length && !isLineEnd(text.charCodeAt(at))) {
      at++;
    }
  }
  return { range: undefined, end: 0, visited: at };
}

/** The end of the line when only spaces and tabs stand between `from` and it. */
function blankLineEnd(text: string, from: number): number | undefined {
  let at = from;
  for (let code = text.charCodeAt(at); code === 0x20 || code === 0x09; code = text.charCodeAt(at)) {
    at++;
  }
  return at === text.length || isLineEnd(text.charCodeAt(at)) ? at : undefined;
}
