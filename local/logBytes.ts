import { LogReader, type LogReading, MAX_LINE_LENGTH } from '../protocol/log/logReader.ts';

const LINE_END = 0x0a;
/** The most that a character of UTF-16 takes in UTF-8. */
const MAX_LINE_BYTES = MAX_LINE_LENGTH * 3;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a log's bytes piece by piece; pieces may end anywhere, inside a character too. Bytes that are no UTF-8 make their
 * line one that cannot be parsed, whatever it would say without them, and no other line.
 */
export class LogBytes {
  readonly reader = new LogReader();
  /** Of the line that is not finished yet. */
  #rest: Uint8Array[] = [];
  #restBytes = 0;

  write(piece: Uint8Array): void {
    const end = piece.lastIndexOf(LINE_END) + 1;
    if (end > 0) {
      const lines = Buffer.concat([...this.#rest, piece.subarray(0, end)]);
      this.#rest = [];
      this.#restBytes = 0;
      this.#writeLines(lines);
    }
    if (end < piece.length) {
      // A copy, which `slice` of a Buffer is not: the caller may fill its buffer again.
      this.#rest.push(Buffer.from(piece.subarray(end)));
      this.#restBytes += piece.length - end;
    }
    if (this.#restBytes > MAX_LINE_BYTES) {
      // The reader says that the line is too long, and takes nothing more.
      this.reader.write(textOf(Buffer.concat(this.#rest)));
      this.#rest = [];
      this.#restBytes = 0;
    }
  }

  /** What was read; nothing may follow. */
  end(): LogReading {
    const bytes = this.#restBytes;
    this.reader.write(textOf(Buffer.concat(this.#rest)));
    const reading = this.reader.end();
    // The reader counts characters, and what was cut off may end inside one.
    return bytes > 0 && reading.torn ? { ...reading, torn: { bytes } } : reading;
  }

  #writeLines(lines: Buffer): void {
    const text = decoded(lines);
    if (text !== undefined) {
      this.reader.write(text);
      return;
    }
    for (let start = 0; start < lines.length; ) {
      const end = lines.indexOf(LINE_END, start) + 1;
      this.reader.write(textOf(lines.subarray(start, end)));
      start = end;
    }
  }
}

function textOf(line: Uint8Array): string {
  // U+FFFD begins no JSON.
  return decoded(line) ?? `\uFFFD${Buffer.from(line).toString('utf8')}`;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
