import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { readLog } from '../../local/logFile.ts';
import { withoutContent } from '../../protocol/log/withoutContent.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';

const SLICE_MS = 10;

/** The events of a log from this seq on, as a watcher gets them. Rejects with the system's errors, and with what is wrong in the log. */
export async function readLogEvents(path: string, from: number): Promise<readonly LogEvent[]> {
  const { events, fault } = await readLog(path);
  if (fault && events.length <= from) {
    throw fault;
  }
  const stripped: LogEvent[] = [];
  let sliceEnd = performance.now() + SLICE_MS;
  for (const event of events.slice(from)) {
    if (performance.now() > sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + SLICE_MS;
    }
    stripped.push(stripContent(event));
  }
  return stripped;
}

/** An event without what was said in it. */
export function stripContent(event: LogEvent): LogEvent {
  return withoutContent(event, text => createHash('sha256').update(text, 'utf8').digest('hex'));
}
