import type { Declaration } from './declaration.ts';
import type { DocumentOutline } from './document.ts';
import type { Fix, Problem } from './problem.ts';
import type { Block } from './structure.ts';
import { isLineEnd, type TextChange, type TextRange } from './text.ts';

/** Longer lines are surveyed anew: looking for a line's ends must not cost more than the survey. */
const LONGEST_LINE = 10_000;

/**
 * The outline after one edit of ordinary prose, by moving what stands behind it: the same as `outlineDocument(text)`,
 * without a second look at the text. Undefined when the edit may say anything to the grammar; then survey anew.
 *
 * An edit is prose when it stays within one line, that line holds nothing that opens or ends a tag, a fence, a comment
 * or raw HTML before or after, and an ordinary character stands before the edit, so that the marks of lists and quotes
 * at the start of the line are what they were.
 */
export function outlineAfterEdit(
  before: DocumentOutline,
  { range, newText }: TextChange,
  text: string,
): DocumentOutline | undefined {
  if (!isProseEdit(before.text, range, newText)) {
    return undefined;
  }
  const shift = new Shift(range.end, newText.length - (range.end - range.start));
  const declarations = before.declarations.map(declaration => shift.declaration(declaration));
  return {
    text,
    declarations,
    blocks: movedBlocks(before, declarations),
    problems: before.problems.map(problem => shift.problem(problem)),
  };
}

/** The same blocks between the moved tag lines, which stand at the same places of their list. */
function movedBlocks(before: DocumentOutline, declarations: readonly Declaration[]): readonly Block[] {
  let at = 0;
  const movedFrom = (tag: Declaration): Declaration => {
    while (before.declarations[at] !== tag && at < declarations.length) {
      at++;
    }
    return declarations[at] ?? tag;
  };
  return before.blocks.map(block => {
    const opening = movedFrom(block.opening);
    const closing = block.closing && movedFrom(block.closing);
    return { id: block.id, opening, closing, valid: block.valid };
  });
}

function isProseEdit(text: string, { start, end }: TextRange, newText: string): boolean {
  if (
    newText.length + end - start > LONGEST_LINE ||
    !isProse(newText, 0, newText.length) ||
    !isProse(text, start, end)
  ) {
    return false;
  }
  const first = Math.max(0, start - LONGEST_LINE);
  let lineStart = start;
  let ordinary = false;
  for (; lineStart > first && !isLineEnd(text.charCodeAt(lineStart - 1)); lineStart--) {
    const code = text.charCodeAt(lineStart - 1);
    if (isSpecial(code)) {
      return false;
    }
    ordinary ||= !isMark(code);
  }
  const last = Math.min(text.length, end + LONGEST_LINE);
  let lineEnd = end;
  while (lineEnd < last && !isLineEnd(text.charCodeAt(lineEnd))) {
    if (isSpecial(text.charCodeAt(lineEnd))) {
      return false;
    }
    lineEnd++;
  }
  return ordinary && (lineStart === 0 || lineStart > first) && (lineEnd === text.length || lineEnd < last);
}

function isProse(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isSpecial(code) || isLineEnd(code)) {
      return false;
    }
  }
  return true;
}

/** What opens or ends a tag, a fence, a comment or raw HTML. */
function isSpecial(code: number): boolean {
  return code === 0x3c || code === 0x3e || code === 0x60 || code === 0x7e; // < > ` ~
}

/** What may stand in the marks of lists and quotes at the start of a line, or before front matter (a byte order mark). */
function isMark(code: number): boolean {
  return (
    code === 0x20 ||
    code === 0x09 ||
    (code >= 0x2a && code <= 0x2e) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x29 ||
    code === 0xfeff
  );
}

/** Moves everything from `pivot` on by `delta` characters. */
class Shift {
  readonly #pivot: number;
  readonly #delta: number;

  constructor(pivot: number, delta: number) {
    this.#pivot = pivot;
    this.#delta = delta;
  }

  declaration(declaration: Declaration): Declaration {
    if (declaration.range.start < this.#pivot) {
      return declaration;
    }
    const { kind, id, next } = declaration;
    return { kind, id, range: this.#range(declaration.range), next: next + this.#delta };
  }

  problem(problem: Problem): Problem {
    return {
      ...problem,
      range: this.#range(problem.range),
      related: problem.related.map(place => ({ ...place, range: this.#range(place.range) })),
      ...(problem.fix && { fix: this.#fix(problem.fix) }),
    };
  }

  #fix(fix: Fix): Fix {
    return { ...fix, changes: fix.changes.map(change => ({ ...change, range: this.#range(change.range) })) };
  }

  #range(range: TextRange): TextRange {
    return range.start < this.#pivot ? range : { start: range.start + this.#delta, end: range.end + this.#delta };
  }
}
