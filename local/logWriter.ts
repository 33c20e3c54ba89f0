import { closeSync, fdatasyncSync, fstatSync, writeSync } from 'node:fs';
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
  #nextSeq: number;
  #tornBytes: number;
  /** Why nothing can be written any more; absent while all is well. */
  #over: Error | undefined;

  /** Use `createLog` or `resumeLog`. */
  constructor(log: OpenLog) {
    this.path = log.path;
    this.#descriptor = log.descriptor;
    this.#lock = log.lock;
    this.#size = log.size;
    this.#nextSeq = log.nextSeq;
    this.#tornBytes = log.tornBytes;
  }

  /** What the next event must have as `seq`. After a `LogWriteError` it counts the events that are in the file all the same. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  /**
   * Bytes of the last line where it was not written to its end: a writer before died, or the disk was full. The next event
   * must then be a `log/torn` that says so. 0 when all is well.
   */
  get tornBytes(): number {
    return this.#tornBytes;
  }

  /**
   * Writes events behind those that are there. Throws `LogWriteError` when the system refuses (`written` says how many are
   * in the file; a later call may succeed), when the file was removed, and when an event is too long; `LogInUseError`
   * when another process has written to the file. Events with a wrong `seq`, or without the `log/torn` that is due, are a
   * mistake of the caller (`RangeError`), and nothing is written.
   */
  append(events: readonly LogEvent[]): void {
    const [first] = events;
    if (!first) {
      return;
    }
    this.#requireOrder(events, first);
    this.#requireOwnFile();
    this.#write(events.map(event => this.#lineOf(event)));
    if (events.some(event => SYNCED_AFTER.has(event.type))) {
      this.#sync(events.length);
    }
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

  #requireOrder(events: readonly LogEvent[], first: LogEvent): void {
    const wrong = events.findIndex((event, index) => event.seq !== this.#nextSeq + index);
    if (wrong !== -1) {
      throw new RangeError(`${this.path}: seq ${events[wrong]?.seq} stands where ${this.#nextSeq + wrong} must.`);
    }
    if (this.#tornBytes > 0 && first.type !== 'log/torn') {
      throw new RangeError(`${this.path}: its last line is torn, so that a log/torn must be next.`);
    }
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
    const { nlink, size } = fstatSync(this.#descriptor);
    if (nlink === 0) {
      this.#over = new LogWriteError(this.path, REMOVED);
    } else if (size !== this.#size) {
      this.#over = new LogInUseError(this.path, 'another process has written to it');
    }
    if (this.#over) {
      throw this.#over;
    }
  }

  #write(lines: readonly string[]): void {
    let written = 0;
    for (const piece of piecesOf(lines)) {
      // What is left of a torn line ends here, and cannot swallow the event that follows.
      const isAfterTorn = this.#tornBytes > 0;
      const bytes = Buffer.from(`${isAfterTorn ? '\n' : ''}${piece.join('\n')}\n`);
      const { length, error } = this.#writeBytes(bytes);
      const ended = countLineEnds(bytes, length) - (isAfterTorn && length > 0 ? 1 : 0);
      this.#size += length;
      this.#nextSeq += ended;
      written += ended;
      const unfinished = length - (bytes.subarray(0, length).lastIndexOf(LINE_END) + 1);
      if (error !== undefined) {
        // Where nothing but the end of the torn line was written, the log/torn is still due.
        this.#tornBytes = unfinished || (ended === 0 ? this.#tornBytes : 0);
        throw new LogWriteError(this.path, writeFaultOf(error), written);
      }
      this.#tornBytes = 0;
    }
  }

  /** How many bytes the system took, and what it said when it took not all of them. */
  #writeBytes(bytes: Buffer): { readonly length: number; readonly error?: unknown } {
    let length = 0;
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
  yield piece;
}

function countLineEnds(bytes: Buffer, length: number): number {
  let ends = 0;
  for (let at = bytes.indexOf(LINE_END); at !== -1 && at < length; at = bytes.indexOf(LINE_END, at + 1)) {
    ends++;
  }
  return ends;
}
