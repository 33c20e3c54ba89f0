import { isUtf8 } from 'node:buffer';

/** One line of a JSON Lines input: its number from 1 and its bytes without the line feed. */
export interface InputLine {
  readonly number: number;
  readonly bytes: Buffer;
}

const LINE_FEED = 0x0a;

/**
 * The lines of a byte stream, as they come in; a last line without a line feed counts. Only a line feed ends a line:
 * JSON strings may hold U+2028 and U+2029 as they are, which node:readline would split at.
 */
export async function* inputLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<InputLine> {
  let number = 1;
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      pending.push(chunk.subarray(from, end));
      yield { number: number++, bytes: Buffer.concat(pending) };
      pending = [];
      from = end + 1;
    }
    if (from < chunk.length) {
      pending.push(chunk.subarray(from));
    }
  }
  if (pending.length > 0) {
    yield { number, bytes: Buffer.concat(pending) };
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** The `text` member of a line's JSON object; the input may start with a byte order mark. Throws an `Error` with one sentence when there is none. */
export function textOfLine({ number, bytes: line }: InputLine): string {
  const bytes = number === 1 && line.subarray(0, 3).equals(BYTE_ORDER_MARK) ? line.subarray(3) : line;
  if (!isUtf8(bytes)) {
    throw new Error('The line is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new Error(`The line is not JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (typeof value !== 'object' || value === null || !('text' in value) || typeof value.text !== 'string') {
    throw new Error("The line must be a JSON object with a string 'text'.");
  }
  return value.text;
}
