import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { initialState, reduce } from '../../protocol/log/reduce.ts';
import type { LogEvent, SurfaceOp } from '../../protocol/request/logEvent.ts';
import { rebuildRequest as foldFromStart } from '../../protocol/request/rebuildRequest.ts';
import { RequestHistory } from '../../protocol/request/requestHistory.ts';
import { medians, milliseconds, type Row, times } from './measure.ts';

const EVENTS = 100_000;
/** Requests that are rebuilt in one round, spread over the whole log. */
const PICKED = 50;
/** Messages of a view before its host compacts it to one summary and the newest. */
const LONGEST_VIEW = 2_000;

/** DESIGN (Speed), row 5: any request of a long log, and a fold over the whole of it. */
export async function rebuildRequest(): Promise<readonly Row[]> {
  const { events, steps } = longLog();
  const before = heapUsed();
  const history = historyOf(events);
  const memory = heapUsed() - before;
  const picked = Array.from({ length: PICKED }, (_, index) => 1 + Math.floor((index * (steps.length - 1)) / PICKED));
  const last = steps.at(-1) ?? 0;
  const median = await medians(
    {
      rebuild: () => picked.forEach(sequence => history.rebuild(sequence)),
      fromStart: () => foldFromStart(events, last),
      feed: () => historyOf(events),
      reduce: () => events.reduce(reduce, initialState),
    },
    9,
  );
  const one = median.rebuild / PICKED;
  const faster = median.fromStart / one;
  const size = `${whole(events.length)} events, ${whole(steps.length)} requests`;
  return [
    {
      work: `rebuild one request of ${size}`,
      ours: `${milliseconds(one)}, ${(memory / 1e6).toFixed(1)} MB kept for it`,
      peer: `fold from the start ${milliseconds(median.fromStart)}`,
      ratio: `${times(faster)} faster`,
      bar: '>= 50x',
      met: faster >= 50,
    },
    perSecond('fold the state', events.length, median.reduce),
    perSecond('feed the history', events.length, median.feed),
  ];
}

function perSecond(work: string, count: number, duration: number): Row {
  const rate = (count / duration) * 1_000;
  return {
    work: `${work} over ${whole(count)} events`,
    ours: milliseconds(duration),
    peer: '',
    ratio: `${whole(rate)} events/s`,
    bar: '>= 500,000 events/s',
    met: rate >= 500_000,
  };
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function historyOf(events: readonly LogEvent[]): RequestHistory {
  const history = new RequestHistory();
  for (const event of events) {
    history.append(event);
  }
  return history;
}

/** What is left after everything that nobody holds was collected. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

/** Turns of four steps, each with three new messages; a tombstone in each turn, and a compaction now and then. */
function longLog(): { readonly events: readonly LogEvent[]; readonly steps: readonly number[] } {
  const events: LogEvent[] = [];
  const steps: number[] = [];
  const view: number[] = [];
  const add = (type: string, data: object, surfaceOp?: SurfaceOp): number => {
    const seq = events.length;
    // As it comes from a file, with nothing frozen and nothing shared.
    events.push(JSON.parse(JSON.stringify({ type, seq, time: seq, data, surfaceOp })) as LogEvent);
    return seq;
  };
  const say = (text: string, surfaceOp: SurfaceOp) => {
    const message = { role: 'user', content: [{ type: 'text', text }] };
    return add('host/message', { message, units: [`m${events.length}`] }, surfaceOp);
  };
  const replace = (from: number, to: number, text: string) => {
    const [start = 0, end = 0] = [view[from], view[to]];
    view.splice(from, to - from + 1, say(text, { op: 'replace', start, end }));
  };
  for (let turn = 1; events.length < EVENTS; turn++) {
    add('turn/start', { turn, trigger: { kind: 'message' } });
    for (let step = 1; step <= 4; step++) {
      for (let message = 0; message < 3; message++) {
        view.push(say(`message ${events.length} `.repeat(8), 'append'));
      }
      if (step === 2) {
        replace(view.length - 3, view.length - 3, '[EPHEMERAL]');
      }
      if (view.length > LONGEST_VIEW) {
        replace(0, LONGEST_VIEW - 500, 'summary');
      }
      const requestSequence = steps.length + 1;
      const stepStart = add('step/start', { turn, step, requestSequence });
      steps.push(stepStart);
      if (requestSequence === 1) {
        add('request/header', { header: { config: { model: 'm' }, system: 'system' }, reason: 'initial' });
      }
      const sealed = { requestSequence, stepStart, hash: '0'.repeat(64), bytes: 1, messages: view.length, changes: [] };
      add('request/sealed', sealed);
      add('step/end', { turn, step, requestSequence, outcome: 'completed' });
    }
    add('turn/end', { turn, reason: { kind: 'completed' } });
  }
  return { events, steps };
}
