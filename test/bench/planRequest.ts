import { openTokenCounter } from '../../adapter/tokens/openTokenCounter.ts';
import type { TokenCounter } from '../../adapter/tokens/tokenCounter.ts';
import { median, medians, milliseconds, type Row, times, whole } from './measure.ts';
import { PlannedSession, type Spent } from './plannedSession.ts';

const SIZES = [10_000, 100_000, 1_000_000] as const;
const ROUNDS = 60;
/** Words that each request adds. */
const NEW = 150;

/** Nothing has to leave it. */
const WHOLE = 4_000_000;
/** Most of the longest session has left it: summaries stand for it. */
const SMALL = 300_000;

/** What one session's requests took, in the median. */
interface Medians {
  readonly size: number;
  readonly session: PlannedSession;
  readonly planning: number;
  readonly counting: number;
  /** `JSON.stringify` of the same messages. */
  readonly stringify: number;
}

/** The budget layer: planning and counting a request, as its session grows to 1,000,000 tokens. */
export async function planRequest(): Promise<readonly Row[]> {
  const counter = openTokenCounter();
  try {
    const grown = await spentBy(counter, WHOLE);
    const compressed = await spentBy(counter, SMALL);
    return [
      ...grown.map(rowOf),
      ratioRow('all of it shown', grown, ({ planning }) => planning),
      ratioRow('all of it shown, counting too', grown, ({ planning, counting }) => planning + counting),
      ratioRow(`in a window of ${whole(SMALL)}, compressed`, compressed, ({ planning }) => planning),
    ];
  } finally {
    await counter.close();
  }
}

async function spentBy(counter: TokenCounter, window: number): Promise<readonly Medians[]> {
  const sessions: PlannedSession[] = [];
  for (const size of SIZES) {
    sessions.push(await PlannedSession.of(size, counter, window));
  }
  const spent = sessions.map((): Spent[] => []);
  const tasks = sessions.flatMap((session, place) => [
    [
      `request ${place}`,
      async () => {
        session.grow(NEW);
        spent[place]?.push(await session.request());
      },
    ] as const,
    [`stringify ${place}`, () => JSON.stringify(session.messages)] as const,
  ]);
  const took = await medians(Object.fromEntries(tasks), ROUNDS);
  return sessions.map((session, place) => {
    const quiet = (spent[place] ?? []).filter(({ isQuiet }) => isQuiet);
    return {
      size: SIZES[place] ?? 0,
      session,
      planning: median(quiet.map(({ planning }) => planning)),
      counting: median(quiet.map(({ counting }) => counting)),
      stringify: took[`stringify ${place}`] ?? Number.NaN,
    };
  });
}

function rowOf({ size, session, planning, counting, stringify }: Medians): Row {
  const ratio = planning / stringify;
  return {
    work: `plan a request with one new turn at ${whole(size)} tokens (${whole(session.messages.length)} messages)`,
    ours: milliseconds(planning),
    peer: `JSON.stringify ${milliseconds(stringify)}, counting ${milliseconds(counting)}`,
    ratio: times(ratio),
    ...(size === SIZES[2] ? { bar: '<= 0.5x', met: ratio <= 0.5 } : { bar: 'printed' }),
  };
}

/** Cost follows what is new: ten times the session, the same new messages. */
function ratioRow(what: string, spent: readonly Medians[], of: (spent: Medians) => number): Row {
  const [, short, long] = spent;
  const ratio = short && long ? of(long) / of(short) : Number.NaN;
  return {
    work: `the same request at ${whole(SIZES[2])} tokens beside ${whole(SIZES[1])}, ${what}`,
    ours: long ? milliseconds(of(long)) : '',
    peer: short ? milliseconds(of(short)) : '',
    ratio: times(ratio),
    bar: '<= 2.5x',
    met: ratio <= 2.5,
  };
}
