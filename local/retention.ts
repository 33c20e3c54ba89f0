import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readSummary, removeSummary, SUMMARIES, summarise, writeSummary } from './lifecycleSummary.ts';
import { type ListedLog, listLogs } from './listLogs.ts';
import { LogInUseError } from './logErrors.ts';
import { lockLog, lockNames } from './logLock.ts';
import { logPath } from './openLog.ts';

export interface Retention {
  /** Logs that were not written for so long are removed. */
  readonly days: number;
  /** Of those that are left, the ones longest not written are removed until all together are no larger. */
  readonly bytes: number;
}

/** DESIGN, The log. */
export const DEFAULT_RETENTION: Retention = { days: 30, bytes: 2_000_000_000 };

/** What was done to the logs of a folder. */
export interface RetentionResult {
  /** Names of the logs that were removed. */
  readonly removed: readonly string[];
  /** Logs that should have been removed, with a sentence why they were not. */
  readonly kept: readonly { readonly name: string; readonly reason: string }[];
}

const DAY_MS = 86_400_000;
/** What a crash left beside the logs: drafts and locks that were just being made. */
const LITTER = /\.jsonl(?:\.new|\.lock-[0-9a-f]+)$|\.json\.[0-9a-f]+\.new$/;

/**
 * Removes the logs that are too old or too many, after their lifecycle summaries were written. A log that a living process
 * writes stays, and so does one whose summary cannot be written, for what was discarded must be known as long as the
 * session may be resumed. Rejects only as `listLogs` does.
 */
export async function applyRetention(
  folder: string,
  { days, bytes }: Retention = DEFAULT_RETENTION,
  now = Date.now(),
  signal?: AbortSignal,
): Promise<RetentionResult> {
  const logs = await listLogs(folder, signal);
  const removed: string[] = [];
  const kept: { readonly name: string; readonly reason: string }[] = [];
  let total = logs.reduce((sum, log) => sum + log.size, 0);
  for (const log of logs.toReversed()) {
    signal?.throwIfAborted();
    if (now - log.modified <= days * DAY_MS && total <= bytes) {
      continue;
    }
    const reason = await removeOld(folder, log, now);
    if (reason === undefined) {
      removed.push(log.name);
      total -= log.size;
    } else {
      kept.push({ name: log.name, reason });
    }
  }
  removeLitter(folder, now);
  return { removed, kept };
}

/**
 * Removes a log and everything that is known of its session, its summary too. False when there was none. Throws `LogInUseError` while a
 * process writes it, and the system's errors.
 */
export function deleteLog(folder: string, name: string): boolean {
  const path = logPath(folder, name);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    return removeSummary(folder, name);
  }
  const lock = lockLog(path);
  try {
    rmSync(path, { force: true });
    removeSummary(folder, name);
  } finally {
    lock.release();
  }
  return true;
}

/** Absent when the log was removed, else a sentence why not. */
async function removeOld(folder: string, log: ListedLog, now: number): Promise<string | undefined> {
  if (log.reason !== undefined) {
    return `It is kept, for it cannot be read, and what was discarded in it would be forgotten: ${log.reason}`;
  }
  try {
    const lock = lockLog(log.path);
    try {
      if (statSync(log.path).mtimeMs !== log.modified) {
        return 'It has been written meanwhile.';
      }
      writeSummary(folder, log.name, await summarise(log.path, now, readSummary(folder, log.name)));
      rmSync(log.path);
      return undefined;
    } finally {
      lock.release();
    }
  } catch (error) {
    return error instanceof LogInUseError ? error.message : `It could not be removed: ${(error as Error).message}`;
  }
}

function removeLitter(folder: string, now: number): void {
  for (const place of [folder, join(folder, SUMMARIES)]) {
    const names = namesIn(place);
    const locksOfNothing = lockNames(names).filter(lock => !names.includes(lock.replace(/\.lock\.\d+$/, '')));
    for (const name of [...names.filter(file => LITTER.test(file)), ...locksOfNothing]) {
      const path = join(place, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats && now - stats.mtimeMs > DAY_MS) {
        rmSync(path, { force: true });
      }
    }
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // There is none, or it is none of ours to read: nothing to tidy up.
    return [];
  }
}
