import { afterLineEnd, isLineEnd } from '../protocol/lifecycle/text.ts';

/** A place for people and reports: both count from 1, columns in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Turns offsets of one text into lines and columns, in any order. The lines are found once, on first use. */
export class TextPositions {
  readonly #text: string;
  #starts: readonly number[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  at(offset: number): TextPosition {
    this.#starts ??= lineStarts(this.#text);
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = 0; at < text.length; ) {
    if (isLineEnd(text.charCodeAt(at))) {
      at = afterLineEnd(text, at);
      starts.push(at);
    } else {
      at++;
    }
  }
  return starts;
}
