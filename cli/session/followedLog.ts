import { followLog } from '../../local/followLog.ts';
import type { LogHeader } from '../../protocol/log/sessionEvents.ts';
import { CorruptLogError } from '../../protocol/request/corruptLogError.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { complain, EXIT } from '../command.ts';
import { reasonOf } from '../failure.ts';
import { isBeingWritten } from './findSession.ts';
import { type OpenedLog, openLogOf } from './openedLog.ts';

export type Print = (events: readonly LogEvent[], header: LogHeader) => void;

/** How often it is asked whether anybody still writes. */
const ASK_MS = 500;

/**
 * Hands out a log's events, then those that are written, as long as somebody writes it and somebody reads standard output. Gives
 * the exit code; what is wrong was said on standard error.
 */
export async function followedLog(given: string, print: Print): Promise<number> {
  const log = await openLogOf(given);
  if (!log) {
    return EXIT.unreadable;
  }
  print(log.events, log.header);
  if (log.ending !== undefined || !isBeingWritten(log.path)) {
    return log.exitCode;
  }
  const next = await follow(given, log, print);
  if (next === undefined) {
    return EXIT.clean;
  }
  // What was written until nobody wrote any more, and how it ended.
  const whole = await openLogOf(log.path);
  if (!whole) {
    return EXIT.unreadable;
  }
  print(whole.events.slice(next), whole.header);
  return whole.exitCode;
}

/** The `seq` of the first event that was not handed out; absent when nobody reads any more. */
async function follow(given: string, { path, header, events }: OpenedLog, print: Print): Promise<number | undefined> {
  const stop = new AbortController();
  let hasReader = true;
  const readerLeft = (): void => {
    hasReader = false;
    stop.abort();
  };
  process.stdout.once('error', readerLeft);
  const timer = setInterval(() => {
    if (!isBeingWritten(path)) {
      stop.abort();
    }
  }, ASK_MS);
  let next = events.length;
  try {
    for await (const event of followLog(path, stop.signal, next)) {
      print([event], header);
      next = event.seq + 1;
    }
  } catch (error) {
    // Where it is the log that is at fault, that is said when it is read to its end.
    if (!(error instanceof CorruptLogError)) {
      complain(given, reasonOf(error));
    }
  } finally {
    clearInterval(timer);
    process.stdout.off('error', readerLeft);
  }
  return hasReader ? next : undefined;
}
