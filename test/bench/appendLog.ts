import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readLog } from '../../local/logFile.ts';
import type { LogWriter } from '../../local/logWriter.ts';
import { createLog, logPath } from '../../local/openLog.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { codingLog, header } from './longLog.ts';
import { medians, megabytes, milliseconds, perSecond, prepared, type Row, times, whole } from './measure.ts';

const EVENTS = 20_000;
/** Each is synced, which takes milliseconds. */
const TURNS = 50;
const ROUNDS = 7;

/** How fast a log takes small events, in batches of one request; DESIGN sets no bar. */
export async function appendLog(): Promise<readonly Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-log-'));
  try {
    return await measureIn(path.join(folder, 'sessions'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIn(folder: string): Promise<readonly Row[]> {
  const { events } = codingLog(EVENTS);
  // The end of a turn is synced, which is measured by itself.
  const batches = batchesOf(
    events.map(event => (event.type === 'turn/end' ? { ...event, type: 'todo/write' } : event)),
  );
  const lines = batches.map(batch => `${batch.map(event => JSON.stringify(event)).join('\n')}\n`);
  let files = 0;
  const nextName = () => `log-${files++}`;
  write(createLog({ folder, name: 'whole', header }), batches).close();
  const writers: LogWriter[] = [];
  const median = await medians(
    {
      append: prepared(
        () => createLog({ folder, name: nextName(), header }),
        writer => writers.push(write(writer, batches)),
      ),
      bare: () => writeBare(path.join(folder, nextName()), lines),
      read: () => readLog(logPath(folder, 'whole')),
      parse: () =>
        lines.forEach(batch =>
          batch
            .trimEnd()
            .split('\n')
            .forEach(line => void JSON.parse(line)),
        ),
    },
    ROUNDS,
  );
  writers.forEach(writer => writer.close());
  const bytes = lines.join('').length;
  return [
    {
      ...perSecond('append, a request at a time,', events.length, median.append),
      peer: `write(2) of ready lines ${milliseconds(median.bare)}`,
    },
    {
      work: 'the same in bytes',
      ours: `${megabytes(bytes)}, ${whole((median.append / batches.length) * 1_000)} µs a request`,
      peer: '',
      ratio: `${whole(bytes / 1e3 / median.append)} MB/s`,
      bar: 'printed',
    },
    await syncRow(folder),
    {
      ...perSecond('read and check', events.length, median.read),
      peer: `JSON.parse of its lines ${milliseconds(median.parse)}`,
    },
  ];
}

/** What the disk takes at the end of each turn. */
async function syncRow(folder: string): Promise<Row> {
  const writer = createLog({ folder, name: 'synced', header });
  const descriptor = openSync(path.join(folder, 'bare-sync'), 'a', 0o600);
  const reason = { kind: 'completed' };
  const line = JSON.stringify({ type: 'turn/end', seq: 1, time: 1, data: { turn: 1, reason } });
  const median = await medians(
    {
      ours: () => writer.append([{ type: 'turn/end', seq: writer.nextSeq, time: 1, data: { turn: 1, reason } }]),
      bare: () => {
        writeSync(descriptor, line);
        fdatasyncSync(descriptor);
      },
    },
    TURNS,
  );
  closeSync(descriptor);
  writer.close();
  return {
    work: 'end of a turn, on disk',
    ours: milliseconds(median.ours),
    peer: `write and fdatasync ${milliseconds(median.bare)}`,
    ratio: times(median.ours / median.bare),
    bar: 'printed',
  };
}

function write(writer: LogWriter, batches: readonly (readonly LogEvent[])[]): LogWriter {
  for (const batch of batches) {
    writer.append(batch);
  }
  return writer;
}

/** What is appended for one request and its answer. */
function batchesOf(events: readonly LogEvent[]): readonly (readonly LogEvent[])[] {
  const batches: LogEvent[][] = [[]];
  for (const [index, event] of events.entries()) {
    batches.at(-1)?.push(event);
    if (event.type === 'step/end' && events[index + 1]?.type !== 'turn/end') {
      batches.push([]);
    }
  }
  return batches;
}

function writeBare(file: string, lines: readonly string[]): void {
  const descriptor = openSync(file, 'a', 0o600);
  for (const line of lines) {
    writeSync(descriptor, line);
  }
  closeSync(descriptor);
}
