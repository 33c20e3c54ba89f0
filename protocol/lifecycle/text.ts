/** A stretch of a document in UTF-16 code units from its start; `end` is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Replace `range` by `newText`. */
export interface TextChange {
  readonly range: TextRange;
  readonly newText: string;
}

/**
 * A sentence for a person, kept apart from its values so that the server can translate it.
 * `{0}`, `{1}` … in the template stand for the values.
 */
export interface Message {
  readonly template: string;
  readonly values: readonly string[];
}

/** The English text of a message. */
export function renderMessage(message: Message): string {
  return message.template.replace(/\{(\d)\}/g, (_, index: string) => message.values[Number(index)] ?? '');
}

/** Counts the characters that a scan looks at, so that tests can prove its work linear. */
export interface Work {
  visited: number;
}

export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;

/** DESIGN flow 1: a line ends at `\n`, `\r\n` or `\r` and at nothing else. */
export function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

/** Whether a line starts at `offset`; true for the start of the text, false between `\r` and `\n`. */
export function isLineStart(text: string, offset: number): boolean {
  if (offset === 0) {
    return true;
  }
  const before = text.charCodeAt(offset - 1);
  return before === LINE_FEED || (before === CARRIAGE_RETURN && text.charCodeAt(offset) !== LINE_FEED);
}

/** The offset behind the line end that stands at `offset`; `offset` itself at the end of the text. */
export function afterLineEnd(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  if (code === CARRIAGE_RETURN && text.charCodeAt(offset + 1) === LINE_FEED) {
    return offset + 2;
  }
  return isLineEnd(code) ? offset + 1 : offset;
}

/**
 * Gives the line number (from 1) of offsets that are asked for in ascending order, looking at each character once.
 * An offset before the last one asked for throws: it would need a second look.
 */
export class LineCounter {
  readonly #text: string;
  readonly #work: Work | undefined;
  #offset = 0;
  #line = 1;

  constructor(text: string, work?: Work) {
    this.#text = text;
    this.#work = work;
  }

  lineAt(offset: number): number {
    if (offset < this.#offset) {
      throw new RangeError('LineCounter: offsets must ascend');
    }
    if (this.#work) {
      this.#work.visited += offset - this.#offset;
    }
    for (let at = this.#offset; at < offset; at++) {
      const code = this.#text.charCodeAt(at);
      if (code === LINE_FEED || (code === CARRIAGE_RETURN && this.#text.charCodeAt(at + 1) !== LINE_FEED)) {
        this.#line++;
      }
    }
    this.#offset = offset;
    return this.#line;
  }
}
