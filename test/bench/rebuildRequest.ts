import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { rebuildRequest as foldFromStart } from '../../protocol/request/rebuildRequest.ts';
import { RequestHistory } from '../../protocol/request/requestHistory.ts';
import { codingLog } from './longLog.ts';
import { heapUsed, medians, megabytes, milliseconds, perSecond, prepared, type Row, times, whole } from './measure.ts';

const EVENTS = 100_000;
const ROUNDS = 15;
/** Requests that are rebuilt in one go. */
const PICKED = 20;

/** DESIGN (Speed), row 5: any request of a long log. */
export async function rebuildRequest(): Promise<readonly Row[]> {
  const { events, steps } = codingLog(EVENTS);
  const before = heapUsed();
  const history = historyOf(events);
  const memory = heapUsed() - before;
  let picks = 0;
  // Spread over the whole log without a pattern, and the same ones in each run.
  const pick = () => 1 + ((++picks * 7_919) % steps.length);
  const median = await medians(
    {
      first: prepared(
        () => historyOf(events),
        fresh => repeat(PICKED, () => fresh.rebuild(pick())),
      ),
      any: () => repeat(PICKED, () => history.rebuild(pick())),
      fromStart: () => repeat(2, () => foldFromStart(events, steps[pick() - 1] ?? 0)),
      feed: () => historyOf(events),
    },
    ROUNDS,
  );
  const any = median.any / PICKED;
  const first = median.first / PICKED;
  const fromStart = median.fromStart / 2;
  const work = `rebuild any one request of ${whole(events.length)} events, ${whole(steps.length)} requests`;
  const peer = `fold from the start ${milliseconds(fromStart)}`;
  return [
    {
      work,
      ours: milliseconds(any),
      peer,
      ratio: `${times(fromStart / any)} faster`,
      bar: '>= 50x',
      met: fromStart / any >= 50,
    },
    {
      work: `${work}, none of whose messages was asked for before`,
      ours: milliseconds(first),
      peer,
      ratio: `${times(fromStart / first)} faster`,
      bar: 'printed',
    },
    perSecond('feed the requests of', events.length, median.feed, 500_000),
    {
      work: `memory of the requests of ${whole(events.length)} events`,
      ours: megabytes(memory),
      peer: `log file ${megabytes(JSON.stringify(events).length)}`,
      ratio: `${whole(memory / events.length)} bytes an event`,
      bar: 'printed',
    },
  ];
}

function historyOf(events: readonly LogEvent[]): RequestHistory {
  const history = new RequestHistory();
  for (const event of events) {
    history.append(event);
  }
  return history;
}

function repeat(count: number, work: () => unknown): void {
  for (let time = 0; time < count; time++) {
    work();
  }
}
