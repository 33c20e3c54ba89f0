import { initialState, reduce } from '../../protocol/log/reduce.ts';
import { StateHistory } from '../../protocol/log/stateHistory.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { codingLog, crowdedLog } from './longLog.ts';
import { heapUsed, medians, megabytes, milliseconds, perSecond, prepared, type Row, times, whole } from './measure.ts';

const EVENTS = 100_000;
const ROUNDS = 15;

/** DESIGN (Speed), row 5: a fold over the whole of a long log, and jumps in it. */
export async function foldState(): Promise<readonly Row[]> {
  return [
    ...(await fold('a coding session of', codingLog(EVENTS).events)),
    ...(await fold('thousands of blocks, conflicts and ephemerals in', crowdedLog(EVENTS).events)),
  ];
}

async function fold(what: string, events: readonly LogEvent[]): Promise<readonly Row[]> {
  const before = heapUsed();
  const history = historyOf(events);
  const memory = heapUsed() - before;
  let jumps = 0;
  const jump = () => (++jumps * 7_919) % events.length;
  const median = await medians(
    {
      reduce: () => events.reduce(reduce, initialState),
      at: prepared(jump, nextSeq => history.at(nextSeq)),
    },
    ROUNDS,
  );
  const { lifecycle, audit } = history.latest;
  const size = `${whole(lifecycle.blocks.size)} blocks, ${whole(lifecycle.ephemerals.length)} ephemerals, ${whole(audit.length)} audited`;
  return [
    perSecond(`fold ${what}`, events.length, median.reduce, 500_000),
    {
      work: `jump to a past state in it (${size})`,
      ours: milliseconds(median.at),
      peer: `whole fold ${milliseconds(median.reduce)}`,
      ratio: `${times(median.reduce / median.at)} faster`,
      bar: 'printed',
    },
    {
      work: 'memory of its states beside its events',
      ours: megabytes(memory),
      peer: `log file ${megabytes(JSON.stringify(events).length)}`,
      ratio: `${whole(memory / events.length)} bytes an event`,
      bar: 'printed',
    },
  ];
}

function historyOf(events: readonly LogEvent[]): StateHistory {
  const history = new StateHistory();
  for (const event of events) {
    history.append(event);
  }
  return history;
}
