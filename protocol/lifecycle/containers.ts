import { isLineEnd, type Work } from './text.ts';

/** A block quote, or a list item whose content starts `width` columns behind its parent's. */
type Container = { readonly kind: 'quote' } | { readonly kind: 'item'; readonly width: number };

/** Deeper nesting is read as text: nobody writes it, and it keeps the work of one line bounded. */
const DEEPEST = 64;

/**
 * The block quotes and list items (CommonMark: Container blocks) around the line being read. Only as exact as telling
 * fences apart needs: lazy continuation lines end a container here.
 */
export class Containers {
  readonly #text: string;
  readonly #work: Work | undefined;
  #open: Container[] = [];
  #column = 0;
  /** The column at which the content of the innermost container starts. */
  #base = 0;
  /** The offset reached: behind the line's container marks and blanks. */
  at = 0;

  constructor(text: string, work: Work | undefined) {
    this.#text = text;
    this.#work = work;
  }

  get depth(): number {
    return this.#open.length;
  }

  /** Columns between the innermost container's content and `at`; four or more are indented code. */
  get indent(): number {
    return this.#column - this.#base;
  }

  /** Starts a line: keeps the containers that the line continues and drops the others. */
  enterLine(lineStart: number): void {
    this.at = lineStart;
    this.#column = 0;
    this.#base = 0;
    this.#skipBlanks();
    if (this.#open.length === 0) {
      return;
    }
    const blank = this.#atEnd();
    let kept = 0;
    for (const container of this.#open) {
      if (container.kind === 'quote' ? !this.#takeQuoteMark() : !blank && this.indent < container.width) {
        break;
      }
      if (container.kind === 'item') {
        this.#base += container.width;
      }
      kept++;
    }
    this.#open.length = kept;
  }

  /** Opens the containers whose marks stand at `at`. */
  openNew(): void {
    while (this.#open.length < DEEPEST && this.indent < 4) {
      if (this.#takeQuoteMark()) {
        this.#open.push({ kind: 'quote' });
      } else if (!this.#takeItemMark()) {
        return;
      }
    }
  }

  #takeQuoteMark(): boolean {
    if (this.indent >= 4 || this.#text.charCodeAt(this.at) !== 0x3e) {
      return false;
    }
    this.#step(1);
    this.#base = this.#column;
    const code = this.#text.charCodeAt(this.at);
    if (code === 0x20 || code === 0x09) {
      this.#base++;
    }
    this.#skipBlanks();
    return true;
  }

  #takeItemMark(): boolean {
    const length = this.#itemMarkLength();
    if (length === 0) {
      return false;
    }
    const before = this.#column + length;
    this.#step(length);
    this.#skipBlanks();
    const blanks = this.#column - before;
    const gap = blanks > 4 || this.#atEnd() ? 1 : blanks;
    const width = before + gap - this.#base;
    this.#base += width;
    this.#open.push({ kind: 'item', width });
    return true;
  }

  /** CommonMark: List items: `-`, `+`, `*`, or up to nine digits and `.` or `)`, each followed by a blank. */
  #itemMarkLength(): number {
    const text = this.#text;
    let end = this.at;
    const code = text.charCodeAt(end);
    if (code === 0x2d || code === 0x2b || code === 0x2a) {
      end++;
    } else {
      while (end - this.at < 9 && isDigit(text.charCodeAt(end))) {
        end++;
      }
      const mark = text.charCodeAt(end);
      if (end === this.at || (mark !== 0x2e && mark !== 0x29)) {
        return 0;
      }
      end++;
    }
    const next = text.charCodeAt(end);
    return next === 0x20 || next === 0x09 || end === text.length || isLineEnd(next) ? end - this.at : 0;
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.at);
      if (code === 0x20) {
        this.#step(1);
      } else if (code === 0x09) {
        this.#step(4 - (this.#column % 4), 1);
      } else {
        return;
      }
    }
  }

  #step(columns: number, units = columns): void {
    this.#column += columns;
    this.at += units;
    if (this.#work) {
      this.#work.visited += units;
    }
  }

  #atEnd(): boolean {
    return this.at === this.#text.length || isLineEnd(this.#text.charCodeAt(this.at));
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
