import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseLogHeader } from '../protocol/log/parseLogHeader.ts';
import type { LogHeader } from '../protocol/log/sessionEvents.ts';
import { count, type Of, record, text, whole } from '../protocol/shape.ts';
import { lockNames, writerOf } from './logLock.ts';
import { LOG_SUFFIX } from './openLog.ts';

/** A log as its first and last lines show it. */
export interface ListedLog {
  readonly path: string;
  /** The file's name without its ending. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Unix milliseconds of the last write. */
  readonly modified: number;
  /** Absent when the first line cannot be used; `reason` says why. */
  readonly header?: LogHeader;
  /** Absent when there is no event, or the last one is too long or not written to its end. */
  readonly last?: { readonly type: string; readonly seq: number; readonly time: number };
  /** Who writes it now, as a part of a sentence; absent when nobody does. */
  readonly writer?: string;
  /** For a person, as one sentence: why this log cannot be read. */
  readonly reason?: string;
}

/** Longer first lines are no session's: ids and paths are short. */
const FIRST_LINE_BYTES = 64 * 1024;
/** Most events are shorter; of a longer one there is no `last`. */
const LAST_BYTES = 4 * 1024;
const SLICE_MS = 10;
const LINE_END = 0x0a;

const place = record({ type: text, seq: count, time: whole });

/**
 * The logs of a folder, the last written first. Of each only the first line and the last bytes are read, in slices of at most
 * 10 ms, so that 10,000 logs keep nobody waiting (users-ask 63). A log that cannot be read is in the list with its reason. A
 * folder that is not there has none; other errors of the system, and an ended `signal`, reject.
 */
export async function listLogs(folder: string, signal?: AbortSignal): Promise<readonly ListedLog[]> {
  const names = namesIn(folder);
  const locks = lockNames(names);
  const logs: ListedLog[] = [];
  const buffer = Buffer.allocUnsafe(FIRST_LINE_BYTES);
  let sliceEnd = performance.now() + SLICE_MS;
  for (const name of names.filter(file => file.endsWith(LOG_SUFFIX))) {
    signal?.throwIfAborted();
    if (performance.now() > sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + SLICE_MS;
    }
    const log = readEnds(join(folder, name), name.slice(0, -LOG_SUFFIX.length), buffer, locks);
    if (log) {
      logs.push(log);
    }
  }
  return logs.sort((a, b) => b.modified - a.modified || (a.name < b.name ? -1 : 1));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}

/** Absent when the file was removed meanwhile. */
function readEnds(path: string, name: string, buffer: Buffer, locks: readonly string[]): ListedLog | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ELOOP' ? 'It is a symbolic link.' : `It cannot be opened: ${message}.`;
    return code === 'ENOENT' ? undefined : { path, name, size: 0, modified: 0, reason };
  }
  try {
    const stats = fstatSync(descriptor);
    const known = { path, name, size: stats.size, modified: stats.mtimeMs };
    if (!stats.isFile()) {
      return { ...known, reason: 'It is no ordinary file.' };
    }
    const writer = writerOf(path, locks);
    const last = lastEvent(descriptor, stats.size, buffer);
    return {
      ...known,
      ...(writer === undefined ? {} : { writer }),
      ...firstLine(descriptor, buffer),
      ...(last && { last }),
    };
  } catch (error) {
    return { path, name, size: 0, modified: 0, reason: `It cannot be read: ${(error as Error).message}.` };
  } finally {
    closeSync(descriptor);
  }
}

function firstLine(descriptor: number, buffer: Buffer): Pick<ListedLog, 'header' | 'reason'> {
  // Most first lines are short; the rest of a long one is read only then.
  for (const length of [1_024, FIRST_LINE_BYTES]) {
    const bytes = buffer.subarray(0, readSync(descriptor, buffer, 0, length, 0));
    const end = bytes.indexOf(LINE_END);
    if (end === -1 && bytes.length === length) {
      continue;
    }
    try {
      return { header: parseLogHeader(end === -1 ? undefined : parsed(bytes.subarray(0, end))) };
    } catch (error) {
      return { reason: (error as Error).message };
    }
  }
  return { reason: `Its first line is longer than ${FIRST_LINE_BYTES} bytes, so it is no session log.` };
}

function lastEvent(descriptor: number, size: number, buffer: Buffer): ListedLog['last'] {
  const start = Math.max(0, size - LAST_BYTES);
  const bytes = buffer.subarray(0, readSync(descriptor, buffer, 0, LAST_BYTES, start));
  const end = bytes.length - 1;
  // A first line stands before it in any case, so that one line in all is no event.
  const before = bytes[end] === LINE_END ? bytes.lastIndexOf(LINE_END, end - 1) : -1;
  const value = before === -1 ? undefined : parsed(bytes.subarray(before + 1, end));
  if (place.fault(value, 'event') !== undefined) {
    return undefined;
  }
  const { type, seq, time } = value as Of<typeof place>;
  return { type, seq, time };
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
