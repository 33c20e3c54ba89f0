/** A line that is not blank; a comment that a host takes out may be many of them. */
export interface Line {
  readonly start: number;
  /** Behind its line end. */
  readonly end: number;
  /** Without blanks around it. */
  readonly text: string;
}

/** All lines from a place on that are not blank. */
export function linesOf(text: string, from: number): readonly Line[] {
  const reader = new LineReader(text, from);
  const lines: Line[] = [];
  for (let line = reader.next(); line; line = reader.next()) {
    lines.push(line);
  }
  return lines;
}

/** Lines that are not blank, one after the other. */
export class LineReader {
  readonly #text: string;
  readonly #pattern = /\r\n|\n|\r|$/g;
  #at: number;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#at = from;
  }

  next(): Line | undefined {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      this.#pattern.lastIndex = start;
      const found = this.#pattern.exec(this.#text);
      const ended = found?.index ?? this.#text.length;
      this.#at = ended + (found?.[0].length ?? 0);
      const text = this.#text.slice(start, ended).trim();
      if (text !== '') {
        return { start, end: this.#at, text };
      }
    }
    return undefined;
  }
}
