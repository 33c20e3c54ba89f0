import { isLineEnd, type Work } from './text.ts';

/** Below this many characters a plain walk is as fast as jumping. */
const JUMPING_PAYS = 1 << 18;

/**
 * Finds line ends going forward only. In large texts it jumps with `indexOf`, which looks at each character at most
 * twice; a `careful` walk looks at each exactly once, and serves small texts and those that were read once already.
 */
export class LineCursor {
  readonly #text: string;
  readonly #work: Work | undefined;
  #lineFeed = -1;
  #carriageReturn = -1;
  careful: boolean;

  constructor(text: string, work: Work | undefined) {
    this.#text = text;
    this.#work = work;
    this.careful = text.length < JUMPING_PAYS;
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
