import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { LogHeader } from '../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { LogInUseError, LogWriteError, writeFaultOf } from './logErrors.ts';
import { type LogFile, readLog } from './logFile.ts';
import { type LogLock, lockLog } from './logLock.ts';
import { LogWriter } from './logWriter.ts';
import { checkPrivateFolder, ensurePrivateFolder, openPrivateFile } from './privateFolder.ts';

/** What every log's file name ends with. */
export const LOG_SUFFIX = '.jsonl';

/** What a log begins as. */
export interface NewLog {
  /** Made, private, where it is missing. */
  readonly folder: string;
  /** Of `logName`. */
  readonly name: string;
  readonly header: LogHeader;
  /** What a fork copies: the log is there with all of them or not at all. */
  readonly events?: readonly LogEvent[];
}

/** A log that is gone on with. */
export interface ResumedLog {
  readonly log: LogFile;
  /** Absent where `log.fault` says that the file cannot be gone on with: its good events may be copied into a new log. */
  readonly writer?: LogWriter;
}

/**
 * A log's file name without its ending. The same host session of the same agent has the same one; what the host calls it
 * never becomes a part of a path. Without an id it is one that nothing else has.
 */
export function logName(agent: string, sessionId?: string): string {
  return sessionId === undefined
    ? randomBytes(16).toString('hex')
    : createHash('sha256').update(`${agent}\0${sessionId}`).digest('hex').slice(0, 32);
}

export function logPath(folder: string, name: string): string {
  return join(folder, name + LOG_SUFFIX);
}

/**
 * Makes a log and its writer. The file appears only with its first line whole. Throws `UnsafeFolderError`, `LogInUseError`, and
 * `LogWriteError` for what the system refuses (code `exists` where the log is there already).
 */
export function createLog({ folder, name, header, events = [] }: NewLog): LogWriter {
  const path = logPath(folder, name);
  return asWriteError(path, () => {
    ensurePrivateFolder(folder);
    return withLock(path, lock => {
      if (existsSync(path)) {
        throw new LogWriteError(path, { code: 'exists', what: 'it is there already', mend: 'Go on with it instead.' });
      }
      const draft = `${path}.new`;
      // What a crash left of an earlier try: no log, and the lock is ours.
      rmSync(draft, { force: true });
      const descriptor = openPrivateFile(
        draft,
        constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
      );
      try {
        const size = writeWhole(descriptor, `${JSON.stringify(header)}\n`);
        const writer = new LogWriter({ path, descriptor, lock, size, nextSeq: 0, tornBytes: 0 });
        writer.append(events);
        fdatasyncSync(descriptor);
        renameSync(draft, path);
        syncFolder(folder);
        return writer;
      } catch (error) {
        closeSync(descriptor);
        rmSync(draft, { force: true });
        throw error;
      }
    });
  });
}

/**
 * Reads a log and takes over its writing; absent when there is no such log. Rejects as `createLog` throws. Nothing in the file is
 * changed; after a torn line, `writer.tornBytes` says what the first event must be.
 */
export async function resumeLog(path: string, signal?: AbortSignal): Promise<ResumedLog | undefined> {
  if (!existsSync(path)) {
    return undefined;
  }
  const lock = asWriteError(path, () => {
    checkPrivateFolder(dirname(path));
    return lockLog(path);
  });
  let descriptor: number | undefined;
  try {
    descriptor = openPrivateFile(path, constants.O_WRONLY | constants.O_APPEND);
    const log = await readLog(path, signal);
    if (!log.fault) {
      const { size } = log;
      if (fstatSync(descriptor).size !== size) {
        throw new LogInUseError(path, 'another process has written to it');
      }
      const tornBytes = log.torn?.bytes ?? 0;
      return { log, writer: new LogWriter({ path, descriptor, lock, size, nextSeq: log.events.length, tornBytes }) };
    }
    closeSync(descriptor);
    lock.release();
    return { log };
  } catch (error) {
    if (descriptor !== undefined) {
      closeSync(descriptor);
    }
    lock.release();
    throw writeErrorOf(path, error);
  }
}

function withLock(path: string, work: (lock: LogLock) => LogWriter): LogWriter {
  const lock = lockLog(path);
  try {
    return work(lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function asWriteError<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw writeErrorOf(path, error);
  }
}

/** An error of the system as one with a sentence; any other as it is. */
function writeErrorOf(path: string, error: unknown): unknown {
  const isSystems = error instanceof Error && 'syscall' in error;
  return isSystems ? new LogWriteError(path, writeFaultOf(error)) : error;
}

/** Writes a text to its end, and gives its bytes. */
function writeWhole(descriptor: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let length = 0; length < bytes.length; ) {
    length += writeSync(descriptor, bytes, length);
  }
  return bytes.length;
}

/** After a power cut the file would be there without a name. Not every system can do it, and Windows needs not. */
function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, constants.O_RDONLY);
    fsyncSync(descriptor);
  } catch {
    // The log itself is written; its name follows when the system likes.
  } finally {
    if (descriptor !== undefined) {
      closeSync(descriptor);
    }
  }
}
