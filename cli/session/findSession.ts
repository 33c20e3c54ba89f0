import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { folders } from '../../local/folders.ts';
import { type ListedLog, listLogs } from '../../local/listLogs.ts';
import { writerOf } from '../../local/logLock.ts';
import { LOG_SUFFIX } from '../../local/openLog.ts';
import { listed } from '../words.ts';
import { logsNamed, shortIds } from './sessionIds.ts';

/** Says in one sentence which session was not found, and which there are. */
class NoSuchSessionError extends Error {
  override readonly name = 'NoSuchSessionError';
}

/** Where a person's session lies. */
export interface FoundSession {
  /** What to type for it: the beginning of its id, or the path that was given. */
  readonly shown: string;
  /** Of its log. */
  readonly path: string;
}

/** How many sessions an error names. */
const NAMED = 5;

/**
 * The log that a person names by a session's id, by the beginning of one, or by a path. Rejects with `NoSuchSessionError`
 * where it is none or could be several, and with `UnsafeFolderError` and the system's errors.
 */
export async function findSession(given: string): Promise<FoundSession> {
  if (looksLikePath(given)) {
    return { shown: given, path: resolve(given) };
  }
  const { sessions } = folders();
  const logs = await listLogs(sessions);
  const [log, ...others] = logsNamed(given, logs);
  const short = shortIds(logs);
  if (log && others.length === 0) {
    return { shown: short.get(log) ?? log.name, path: log.path };
  }
  if (log) {
    throw new NoSuchSessionError(`${others.length + 1} sessions begin so: ${namedOf([log, ...others], short)}.`);
  }
  if (isFile(given)) {
    return { shown: given, path: resolve(given) };
  }
  throw new NoSuchSessionError(
    logs.length === 0
      ? `There is no such session; in fact there is none yet in ${sessions}.`
      : `No session has this id; there ${logs.length === 1 ? 'is' : 'are'} ${namedOf(logs, short)}.`,
  );
}

/** The newest ones by what a person may type, each with its agent. */
function namedOf(logs: readonly ListedLog[], short: ReadonlyMap<ListedLog, string>): string {
  const named = logs.slice(0, NAMED).map(log => {
    const agent = log.header?.agent;
    return `${short.get(log)}${agent === undefined ? '' : ` (${agent})`}`;
  });
  const more = logs.length - named.length;
  return listed(more > 0 ? [...named, `${more} more`] : named);
}

/** An id holds neither, and if one did, its file has a name. */
function looksLikePath(given: string): boolean {
  return given.endsWith(LOG_SUFFIX) || given.includes('/') || given.includes('\\');
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Whether somebody writes the log at this moment; not known of one in a folder that cannot be read. */
export function isBeingWritten(path: string): boolean {
  try {
    return writerOf(path) !== undefined;
  } catch {
    return false;
  }
}
