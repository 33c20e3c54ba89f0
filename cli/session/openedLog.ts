import { readLog } from '../../local/logFile.ts';
import type { LogReading } from '../../protocol/log/logReader.ts';
import type { LogHeader } from '../../protocol/log/sessionEvents.ts';
import type { CorruptLogError } from '../../protocol/request/corruptLogError.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { complain, EXIT } from '../command.ts';
import { reasonOf } from '../failure.ts';
import { byteSize } from '../words.ts';
import { findSession, isBeingWritten } from './findSession.ts';

/** A log that a person asked for, as far as it can be read. */
export interface OpenedLog {
  /** What to type for the session. */
  readonly shown: string;
  readonly path: string;
  readonly header: LogHeader;
  readonly events: readonly LogEvent[];
  /** Where the log ends before its end, as a sentence; it was said on standard error. */
  readonly ending?: string;
  /** What the command ends with when nothing else is wrong. */
  readonly exitCode: number;
}

/**
 * Finds and reads a session's log; what cannot be used of it is said on standard error, and the rest is there. Absent when
 * nothing of it can be used, which was said too.
 */
export async function openLogOf(given: string): Promise<OpenedLog | undefined> {
  try {
    const { shown, path } = await findSession(given);
    const log = await readLog(path);
    if (!log.header) {
      complain(given, log.fault?.message ?? 'It holds nothing.');
      return undefined;
    }
    const end = endOf(log, isBeingWritten(path));
    if (end.ending !== undefined) {
      complain(given, end.ending);
    }
    return { shown, path, header: log.header, events: log.events, ...end };
  } catch (error) {
    complain(given, reasonOf(error));
    return undefined;
  }
}

/** How a log ends, and what a command that read it exits with. A line that somebody is just writing is no fault. */
export function endOf({ fault, torn, events }: LogReading, isLive: boolean): Pick<OpenedLog, 'ending' | 'exitCode'> {
  if (fault) {
    return { ending: endedBy(fault), exitCode: EXIT.unreadable };
  }
  if (torn && !isLive) {
    const where = events.length === 0 ? 'Nothing follows the first line' : `The log ends after #${events.length - 1}`;
    return {
      ending: `${where}: the ${byteSize(torn.bytes)} behind it are a line that was never finished, and count for nothing.`,
      exitCode: EXIT.problems,
    };
  }
  return { exitCode: EXIT.clean };
}

/** The sentence for a log that can be read only in part. */
export function endedBy({ index, message, reason }: CorruptLogError): string {
  if (index === undefined) {
    return message;
  }
  const last = index - 1;
  const where = last < 0 ? 'The log can be used up to its first line' : `The log can be used up to #${last}`;
  return `${where}; what follows cannot: ${reason}.`;
}
