import { isDash, isEmptyLookingAt } from '../characters.ts';
import { lookalikeOf } from '../confusables.ts';
import { isLineEnd, type TextRange, type Work } from '../text.ts';

/** Where a candidate's comment ends on its line. */
export interface CommentEnd {
  readonly form: 'exact' | 'wrong' | 'missing';
  /** The characters that close, or are meant to; empty and at the end of what was read when there are none. */
  readonly range: TextRange;
  /** How far the text was read; no `<!` stands before it. */
  readonly stop: number;
}

/**
 * Looks for `-->` on the line, then for what people write or editors make of it (`->`, `--!>`, `—>`, `-- >`, `>`),
 * never past the next `<!`. Looks at each character once, and back over the signs that close.
 */
export function findCommentEnd(text: string, from: number, work: Work | undefined): CommentEnd {
  let dashes = 0;
  let wrong = -1;
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isLineEnd(code) || (code === 0x3c && text.charCodeAt(at + 1) === 0x21)) {
      break;
    }
    if (code === 0x3e && dashes >= 2) {
      const end = endOfLeftovers(text, at + 1);
      count(work, end - from);
      // A line of dashes behind a blank is an ornament; `a--->` closes the ID `a-`.
      const ornament = dashes > 3 && at - dashes > from && isEmptyLookingAt(text, at - dashes - 1);
      const start = ornament ? at - dashes : at - 2;
      return { form: ornament || end > at + 1 ? 'wrong' : 'exact', range: { start, end }, stop: end };
    }
    if (wrong < 0 && isCloser(code)) {
      wrong = at;
    }
    dashes = code === 0x2d ? dashes + 1 : 0;
  }
  count(work, at - from);
  if (wrong >= 0) {
    return { form: 'wrong', range: { start: closerStart(text, from, wrong), end: wrong + 1 }, stop: at };
  }
  const end = trimBack(text, from, at);
  const start = dashesStart(text, from, end);
  return { form: 'missing', range: { start, end }, stop: at };
}

/** `-->>` and the like: what is left over at the end of the line belongs to the closing. */
function endOfLeftovers(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 0x3e || code === 0x21 || code === 0x2d; code = text.charCodeAt(at)) {
    at++;
  }
  return at === text.length || isLineEnd(text.charCodeAt(at)) ? at : from;
}

function count(work: Work | undefined, visited: number): void {
  if (work) {
    work.visited += visited;
  }
}

function isCloser(code: number): boolean {
  return code === 0x3e || (code >= 0x80 && lookalikeOf(code) === '>');
}

/** Back from a `>` over the dashes, `!`, slashes and blanks that belong to a closing, as far as they do. */
function closerStart(text: string, from: number, closer: number): number {
  let start = closer;
  for (let at = closer; at > from; at--) {
    const code = text.charCodeAt(at - 1);
    if (isDash(code) || code === 0x21) {
      start = at - 1;
    } else if (code !== 0x2f && !isEmptyLookingAt(text, at - 1)) {
      break;
    }
  }
  return start;
}

/** An unfinished closing: dashes at the end of the line. */
function dashesStart(text: string, from: number, end: number): number {
  let start = end;
  while (start > from && isDash(text.charCodeAt(start - 1))) {
    start--;
  }
  return start;
}

/** The end of `[from, end)` without the blanks and invisible characters at its end. */
export function trimBack(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && isEmptyLookingAt(text, at - 1)) {
    at--;
  }
  return at;
}

/** The start of `[start, end)` without the blanks and invisible characters at its start. */
export function trimFront(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isEmptyLookingAt(text, at)) {
    at++;
  }
  return at;
}
