import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { folders } from '../../local/folders.ts';
import { SUMMARIES, SUMMARY_SUFFIX } from '../../local/lifecycleSummary.ts';
import { listLogs } from '../../local/listLogs.ts';
import { LogInUseError } from '../../local/logErrors.ts';
import { readLog } from '../../local/logFile.ts';
import { LOG_SUFFIX, logPath } from '../../local/openLog.ts';
import { deleteLog } from '../../local/retention.ts';
import { complain, EXIT } from '../command.ts';
import { reasonOf } from '../failure.ts';
import { printable } from '../printable.ts';
import { amount, byteSize } from '../words.ts';
import { findSession } from './findSession.ts';

/** Removes the log of each named session, but of none that lives. Gives the exit code; each answer was printed. */
export async function deleteSessions(given: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.clean;
  for (const name of given) {
    try {
      const { shown, path } = await findSession(name);
      const { header, size, fault } = await readLog(path);
      if (!header || !path.endsWith(LOG_SUFFIX)) {
        // Whatever it is, it is not said to be ours.
        throw fault ?? new Error('It is no session log.');
      }
      deleteLog(dirname(path), basename(path, LOG_SUFFIX));
      process.stdout.write(`Deleted session ${printable(shown)} of ${printable(header.agent)} (${byteSize(size)}).\n`);
    } catch (error) {
      const isLive = error instanceof LogInUseError;
      complain(name, isLive ? `It is live, so it stays; end it first. ${error.message}` : reasonOf(error));
      exitCode = Math.max(exitCode, isLive ? EXIT.problems : EXIT.unreadable);
    }
  }
  return exitCode;
}

/** Removes the logs of all sessions that do not live. */
export async function deleteAllSessions(): Promise<number> {
  const { sessions } = folders();
  let exitCode: number = EXIT.clean;
  let deleted = 0;
  let bytes = 0;
  let kept = 0;
  for (const { path, name, size } of await listLogs(sessions)) {
    try {
      deleteLog(sessions, name);
      deleted++;
      bytes += size;
    } catch (error) {
      if (error instanceof LogInUseError) {
        kept++;
      } else {
        complain(path, reasonOf(error));
        exitCode = EXIT.unreadable;
      }
    }
  }
  for (const name of summaryNames(sessions)) {
    // Retention has removed their logs, and keeps what they say of discards for as long as nobody asks for more.
    deleteLog(sessions, name);
    deleted++;
  }
  const rest = kept === 0 ? '' : `; ${kept === 1 ? '1 lives and stays' : `${kept} live and stay`}`;
  process.stdout.write(`Deleted ${amount(deleted, 'session')} (${byteSize(bytes)})${rest}.\n`);
  return exitCode;
}

/** Sessions of which a summary is left and no log. */
function summaryNames(folder: string): readonly string[] {
  const place = join(folder, SUMMARIES);
  return existsSync(place)
    ? readdirSync(place)
        .filter(file => file.endsWith(SUMMARY_SUFFIX))
        .map(file => file.slice(0, -SUMMARY_SUFFIX.length))
        .filter(name => !existsSync(logPath(folder, name)))
    : [];
}
