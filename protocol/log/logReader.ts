import { CorruptLogError, faultAt, faultOfFirstLine } from '../request/corruptLogError.ts';
import { isJsonObject } from '../request/json.ts';
import { type LogEvent, typeOf } from '../request/logEvent.ts';
import { utf8Length } from '../utf8Length.ts';
import { isTooDeep, MAX_LEVELS } from './nesting.ts';
import { parseLogHeader } from './parseLogHeader.ts';
import { readEvent } from './readEvent.ts';
import type { LogHeader } from './sessionEvents.ts';

/** Longer lines are neither written nor read; in UTF-16 code units. */
export const MAX_LINE_LENGTH = 64 * 1024 * 1024;

/** What is left of a line of JSON that is none. */
const UNPARSABLE = Symbol('unparsable');

/** What the text of a log says. */
export interface LogReading {
  /** Absent when the first line cannot be used; `fault` says why. */
  readonly header?: LogHeader;
  /** Those before the fault, where there is one. */
  readonly events: readonly LogEvent[];
  /** The last line has no line end: it was not written to its end, nobody was told of it, and it counts for nothing. */
  readonly torn?: { readonly bytes: number };
  /** Lines before a `log/torn`, which were torn when an earlier writer died. */
  readonly tornLines: number;
  /** Nothing from its place on was read. */
  readonly fault?: CorruptLogError;
}

/**
 * Reads a log's text piece by piece; pieces may end anywhere. A fault stops the reading and is kept: nothing is thrown. The
 * rules are those of docs/log-format.md.
 */
export class LogReader {
  readonly #maxLineLength: number;
  readonly #events: LogEvent[] = [];
  /** The text of the last event, which a `log/torn` may take back. */
  #lastLine = '';
  #header: LogHeader | undefined;
  #fault: CorruptLogError | undefined;
  /** The start of the line that is not finished yet. */
  #line = '';
  /** Unparsable lines at the end of what was read; only a `log/torn` after them explains them. */
  #unparsable = 0;
  #tornLines = 0;

  constructor(maxLineLength = MAX_LINE_LENGTH) {
    this.#maxLineLength = maxLineLength;
  }

  /** The events so far; the list grows with later pieces. */
  get events(): readonly LogEvent[] {
    return this.#events;
  }

  get header(): LogHeader | undefined {
    return this.#header;
  }

  /** What stopped the reading for good; absent while later pieces count. */
  get fault(): CorruptLogError | undefined {
    return this.#fault;
  }

  write(piece: string): void {
    let start = 0;
    for (let end = piece.indexOf('\n'); end !== -1 && !this.#fault; end = piece.indexOf('\n', start)) {
      this.#addToLine(piece.slice(start, end));
      const line = this.#line;
      this.#line = '';
      this.#catching(() => this.#readLine(line));
      start = end + 1;
    }
    this.#addToLine(piece.slice(start));
  }

  /** What was read, as if the log ended here; more pieces may follow. */
  end(): LogReading {
    const fault = this.#fault ?? this.#faultOfEnd();
    return {
      ...(this.#header && { header: this.#header }),
      events: this.#events,
      ...(this.#line !== '' && { torn: { bytes: utf8Length(this.#line) } }),
      tornLines: this.#tornLines,
      ...(fault && { fault }),
    };
  }

  #addToLine(text: string): void {
    if (this.#fault) {
      return;
    }
    if (this.#line.length + text.length > this.#maxLineLength) {
      this.#line = '';
      this.#fault = this.#faultHere(`its line is longer than ${this.#maxLineLength} characters`);
      return;
    }
    this.#line += text;
  }

  #readLine(line: string): void {
    if (this.#fault) {
      return;
    }
    const value = parsed(line);
    // A level takes two characters, so that short lines need no look.
    if (line.length > 2 * MAX_LEVELS && isTooDeep(value)) {
      throw this.#faultHere(`it is nested deeper than ${MAX_LEVELS} levels`);
    }
    if (!this.#header) {
      if (value === UNPARSABLE) {
        throw faultOfFirstLine('it is no JSON');
      }
      this.#header = parseLogHeader(value);
    } else if (value === UNPARSABLE) {
      this.#unparsable++;
    } else if (typeOf(value) === 'log/torn') {
      this.#readTorn(value);
    } else if (this.#unparsable > 0) {
      throw this.#faultHere('it is no JSON');
    } else {
      this.#events.push(readEvent(value, this.#events.length));
      this.#lastLine = line;
    }
  }

  /**
   * The line before it counts for nothing, also where it lacked nothing but its line end: then the length is that line's, and
   * the place too. That no event is missing follows from the places.
   */
  #readTorn(value: unknown): void {
    const replaces = this.#isLastLine(value);
    const event = readEvent(value, this.#events.length - (replaces ? 1 : 0));
    if (replaces) {
      this.#events.pop();
      this.#tornLines++;
    }
    this.#tornLines += this.#unparsable;
    this.#unparsable = 0;
    this.#events.push(event);
    this.#lastLine = '';
  }

  #isLastLine(torn: unknown): boolean {
    const { seq, data } = torn as Partial<LogEvent>;
    const bytes = isJsonObject(data) ? data['bytes'] : undefined;
    return seq === this.#events.length - 1 && bytes === utf8Length(this.#lastLine);
  }

  #faultOfEnd(): CorruptLogError | undefined {
    if (this.#unparsable > 0) {
      return this.#faultHere('it is no JSON');
    }
    return this.#header ? undefined : faultOfFirstLine(this.#line === '' ? 'it is not there' : 'it has no end');
  }

  #faultHere(reason: string): CorruptLogError {
    return this.#header ? faultAt(this.#events.length, undefined)(reason) : faultOfFirstLine(reason);
  }

  #catching(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof CorruptLogError)) {
        throw error;
      }
      this.#fault = error;
    }
  }
}

/** A whole log's text. Throws nothing: `fault` says what is wrong. */
export function readLogText(text: string): LogReading {
  const reader = new LogReader();
  reader.write(text);
  return reader.end();
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return UNPARSABLE;
  }
}
