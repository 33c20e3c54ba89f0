/**
 * A session that writes as fast as it can until it is killed. Arguments: the folder, the log's name. After each `append` that has
 * returned it announces the last `seq` on standard output, as a watcher would be told.
 */
import { writeSync } from 'node:fs';
import { argv } from 'node:process';
import { createLog, logPath, resumeLog } from '../../local/openLog.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { HEADER, noteAt, tornAt } from './kit.ts';

const SIZES = [10, 300, 300, 300, 5_000, 20_000, 300, 300, 100_000, 300, 300, 1_500_000];

const [, , folder = '', name = ''] = argv;
const resumed = await resumeLog(logPath(folder, name));
if (resumed?.log.fault) {
  throw resumed.log.fault;
}
const writer = resumed?.writer ?? createLog({ folder, name, header: HEADER });
if (writer.tornBytes > 0) {
  append([tornAt(writer.nextSeq, writer.tornBytes)]);
}
for (let round = process.pid; ; round++) {
  const seq = writer.nextSeq;
  if (round % 64 === 0) {
    append([{ type: 'turn/end', seq, time: seq, data: { turn: 1, reason: 'completed' } }]);
  } else {
    append(Array.from({ length: 1 + (round % 3) }, (_, index) => noteAt(seq + index, SIZES[round % SIZES.length])));
  }
}

function append(events: readonly LogEvent[]): void {
  writer.append(events);
  writeSync(1, `${writer.nextSeq - 1}\n`);
}
