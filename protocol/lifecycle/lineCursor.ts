import { isLineEnd, type Work } from './text.ts';

/**
 * Finds line ends going forward only. By default it jumps with `indexOf`, which looks at each character at most twice;
 * `careful` looks at each exactly once, which is slower and serves texts that were read once already.
 */
export class LineCursor {
  readonly #text: string;
  readonly #work: Work | undefined;
  #lineFeed = -1;
  #carriageReturn = -1;
  careful = false;

  constructor(text: string, work: Work | undefined) {
    this.#text = text;
    this.#work = work;
  }

  /** The offset of the first line end at or behind `from`, or the end of the text. */
  lineEnd(from: number): number {
    if (this.careful) {
      return this.#walk(from);
    }
    if (this.#lineFeed < from) {
      this.#lineFeed = this.#find('\n', from);
    }
    if (this.#carriageReturn < from) {
      this.#carriageReturn = this.#find('\r', from);
    }
    return Math.min(this.#lineFeed, this.#carriageReturn);
  }

  #find(character: string, from: number): number {
    const found = this.#text.indexOf(character, from);
    const at = found < 0 ? this.#text.length : found;
    if (this.#work) {
      this.#work.visited += at - from;
    }
    return at;
  }

  #walk(from: number): number {
    let at = from;
    while (at < this.#text.length && !isLineEnd(this.#text.charCodeAt(at))) {
      at++;
    }
    if (this.#work) {
      this.#work.visited += at - from;
    }
    return at;
  }
}
