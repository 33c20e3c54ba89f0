import { setTimeout } from 'node:timers/promises';
import { LogBytes } from '../../local/logBytes.ts';
import { openLogFile, readPieces } from '../../local/logFile.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { complain, EXIT } from '../command.ts';
import { reasonOf } from '../failure.ts';
import { findSession, isBeingWritten } from './findSession.ts';
import { endOf } from './openedLog.ts';

const LOOK_MS = 100;
/** How often nothing new must have come before it is asked whether anybody still writes. */
const QUIET_LOOKS = 5;

/**
 * Hands out a log's events, then those that are written, as long as somebody writes it and somebody reads standard output. Gives
 * the exit code; what is wrong was said on standard error.
 */
export async function followLog(given: string, print: (events: readonly LogEvent[]) => void): Promise<number> {
  try {
    const { path } = await findSession(given);
    return await follow(given, path, print);
  } catch (error) {
    complain(given, reasonOf(error));
    return EXIT.unreadable;
  }
}

async function follow(given: string, path: string, print: (events: readonly LogEvent[]) => void): Promise<number> {
  const file = await openLogFile(path);
  const bytes = new LogBytes();
  let offset = 0;
  let printed = 0;
  let quietLooks = QUIET_LOOKS;
  let isFaulty = false;
  try {
    while (process.stdout.writable) {
      // Asked before reading: all that was written until then is read.
      const isOver = quietLooks >= QUIET_LOOKS && !isBeingWritten(path);
      const end = await readPieces(file, offset, piece => bytes.write(piece));
      print(bytes.reader.events.slice(printed));
      printed = bytes.reader.events.length;
      // A line that is no JSON may have been torn: whoever goes on writes so next.
      const hasFault = bytes.reader.end().fault !== undefined;
      if (isOver || (hasFault && isFaulty && end > offset)) {
        const { ending, exitCode } = endOf(bytes.end(), false);
        if (ending !== undefined) {
          complain(given, ending);
        }
        return exitCode;
      }
      isFaulty = hasFault;
      quietLooks = end === offset ? quietLooks + 1 : 0;
      offset = end;
      await setTimeout(LOOK_MS);
    }
    return EXIT.clean;
  } finally {
    await file.close();
  }
}
