import { closeSync, fdatasyncSync, fstatSync, type Stats, writeSync } from 'node:fs';
import { MAX_LINE_LENGTH } from '../protocol/log/logReader.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { LogInUseError, LogWriteError, type LogWriteFault, writeFaultOf } from './logErrors.ts';
import type { LogLock } from './logLock.ts';

/** After these the disk itself has the events, and they survive a power cut (request-log 2.5: the turn is the unit). */
const SYNCED_AFTER: ReadonlySet<string> = new Set(['turn/end', 'session/closed']);

/** Lines are written together up to about this length, in UTF-16 code units. */
const PIECE_LENGTH = 8 * 1024 * 1024;
const LINE_END = 0x0a;

const CLOSED: LogWriteFault = {
  code: 'closed',
  what: 'this session has been closed',
  mend: 'Open the session again.',
};
const REMOVED: LogWriteFault = {
  code: 'removed',
  what: 'the file was removed while the session was writing it',
  mend: 'Start the session again: it gets a new log.',
};
const TOO_LONG: LogWriteFault = {
  code: 'too-long',
  what: `an event is longer than ${MAX_LINE_LENGTH} characters`,
  mend: 'Send the agent less at once.',
};

/** What an open log is when its writer begins. */
export interface OpenLog {
  readonly path: string;
  /** Open for appending. */
  readonly descriptor: number;
  readonly lock: LogLock;
  /** Bytes of the file. */
  readonly size: number;
  readonly nextSeq: number;
  /** Bytes of its unfinished last line. */
  readonly tornBytes: number;
}

/**
 * The only writer of a log. When `append` returns, the system has the bytes: they survive the death of this process,
 * whatever kills it. They survive a power cut after a `turn/end`, `sync()` or `close()`. Nothing that stands in the file
 * is ever changed or cut off.
 */
export class LogWriter {
  readonly path: string;
  readonly #descriptor: number;
  readonly #lock: LogLock;
  #size: number;
  /** After the last event of which `append` has said that it is written. */
  #told: number;
  /** After the last event that is in the file. */
  #nextSeq: number;
  #tornBytes: number;
  /** The unfinished last line where this writer began it: it may go on with it. */
  #begun: Buffer | undefined;
  /** Why nothing can be written any more; absent while all is well. */
  #over: Error | undefined;

  /** Use `createLog` or `resumeLog`. */
  constructor(log: OpenLog) {
    this.path = log.path;
    this.#descriptor = log.descriptor;
    this.#lock = log.lock;
    this.#size = log.size;
    this.#told = log.nextSeq;
    this.#nextSeq = log.nextSeq;
    this.#tornBytes = log.tornBytes;
  }

  /** What the next new event must have as `seq`; after a `LogWriteError` it counts the events that are in the file all the same. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /**
   * Bytes of the last line where it was not written to its end. After `resumeLog`, where a writer before died, the first event
   * must be a `log/torn` that says so. 0 when all is well.
   */
  get tornBytes(): number {
    return this.#tornBytes;
  }

  /**
   * Writes events behind those that are there. Throws `LogWriteError` when the system refuses, when the file was removed,
   * and when an event is too long; `LogInUseError` when another process has written to the file. After a refusal the same
   * events may be handed over again, alone or with more behind them: what is in the file already (`written` of the error)
   * is not written twice, and a line that was begun is finished. Events with a wrong `seq`, or without the `log/torn` that is due,
   * are a mistake of the caller (`RangeError`), and nothing is written.
   */
  append(events: readonly LogEvent[]): void {
    const [first] = events;
    if (!first) {
      return;
    }
    const there = this.#alreadyWritten(events, first.seq);
    this.#requireOwnFile();
    this.#write(
      events.slice(there).map(event => this.#lineOf(event)),
      events[there]?.type === 'log/torn',
      there,
    );
    if (events.some(event => SYNCED_AFTER.has(event.type))) {
      this.#sync(events.length);
    }
    this.#told = this.#nextSeq;
  }

  /** Waits until the disk itself has everything. Throws `LogWriteError`. */
  sync(): void {
    if (!this.#over) {
      this.#sync(0);
    }
  }

  /** Ends the writing; a second time it does nothing. It is closed also when it throws `LogWriteError`, as `sync` does. */
  close(): void {
    if (this.#over instanceof LogWriteError && this.#over.code === CLOSED.code) {
      return;
    }
    try {
      this.sync();
    } finally {
      this.#over = new LogWriteError(this.path, CLOSED);
      closeSync(this.#descriptor);
      this.#lock.release();
    }
  }

  /** How many of the events are in the file, from a call before that failed. */
  #alreadyWritten(events: readonly LogEvent[], first: number): number {
    const wrong = events.findIndex((event, index) => event.seq !== first + index);
    if (wrong !== -1 || first < this.#told || first > this.#nextSeq) {
      throw new RangeError(
        `${this.path}: seq ${events[Math.max(wrong, 0)]?.seq} is not the next, which is ${this.#nextSeq}.`,
      );
    }
    return Math.min(this.#nextSeq - first, events.length);
  }

  #lineOf(event: LogEvent): string {
    const line = JSON.stringify(event);
    if (line.length > MAX_LINE_LENGTH) {
      throw new LogWriteError(this.path, TOO_LONG);
    }
    return line;
  }

  /** Two writers that got past the lock, or a file that nobody can open again, are seen here, before anything is written. */
  #requireOwnFile(): void {
    if (this.#over) {
      throw this.#over;
    }
    const { nlink, size } = this.#stats();
    if (nlink === 0) {
      this.#over = new LogWriteError(this.path, REMOVED);
    } else if (size !== this.#size) {
      this.#over = new LogInUseError(this.path, 'another process has written to it');
    }
    if (this.#over) {
      throw this.#over;
    }
  }

  #stats(): Stats {
    try {
      return fstatSync(this.#descriptor);
    } catch (error) {
      throw new LogWriteError(this.path, writeFaultOf(error));
    }
  }

  #write(lines: readonly string[], startsWithTorn: boolean, there: number): void {
    let written = there;
    for (const piece of piecesOf(lines)) {
      const text = Buffer.from(`${piece.join('\n')}\n`);
      const { bytes, begun, ends } = this.#behindTorn(text, startsWithTorn);
      const { length, error } = this.#writeBytes(bytes, begun);
      const stands = bytes.subarray(0, length);
      const ended = Math.max(0, countLineEnds(stands) - ends);
      this.#size += length - begun;
      this.#nextSeq += ended;
      written += ended;
      if (error !== undefined) {
        const unfinished = stands.subarray(stands.lastIndexOf(LINE_END) + 1);
        if (unfinished.length > 0 || ended > 0) {
          this.#begun = unfinished;
          this.#tornBytes = unfinished.length;
        } else if (length > begun) {
          // Only the end of the torn line was written: it cannot be finished any more.
          this.#begun = undefined;
        }
        throw new LogWriteError(this.path, writeFaultOf(error), written);
      }
      this.#begun = undefined;
      this.#tornBytes = 0;
    }
  }

  /** The bytes to write, of which the first `begun` are in the file, and how many of their line ends end no new event. */
  #behindTorn(
    text: Buffer,
    startsWithTorn: boolean,
  ): { readonly bytes: Buffer; readonly begun: number; readonly ends: number } {
    const begun = this.#begun ?? Buffer.alloc(0);
    if (this.#tornBytes === begun.length && text.subarray(0, begun.length).equals(begun)) {
      return { bytes: text, begun: begun.length, ends: 0 };
    }
    if (!startsWithTorn) {
      throw new RangeError(`${this.path}: its last line is torn, so that a log/torn must be next.`);
    }
    // What is left of the torn line ends here, and cannot swallow the event that follows.
    return { bytes: Buffer.concat([Buffer.from('\n'), text]), begun: 0, ends: 1 };
  }

  /** How many of the bytes are in the file, those before `start` included, and what the system said when that is not all. */
  #writeBytes(bytes: Buffer, start: number): { readonly length: number; readonly error?: unknown } {
    let length = start;
    try {
      while (length < bytes.length) {
        length += writeSync(this.#descriptor, bytes, length);
      }
      return { length };
    } catch (error) {
      return { length, error };
    }
  }

  #sync(written: number): void {
    try {
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      throw new LogWriteError(this.path, writeFaultOf(error), written);
    }
  }
}

/** Lines that are written together: many small ones, or a large one alone. */
function* piecesOf(lines: readonly string[]): Generator<readonly string[]> {
  let piece: string[] = [];
  let length = 0;
  for (const line of lines) {
    if (piece.length > 0 && length + line.length > PIECE_LENGTH) {
      yield piece;
      piece = [];
      length = 0;
    }
    piece.push(line);
    length += line.length;
  }
  if (piece.length > 0) {
    yield piece;
  }
}

function countLineEnds(bytes: Buffer): number {
  let ends = 0;
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) {
    ends++;
  }
  return ends;
}
