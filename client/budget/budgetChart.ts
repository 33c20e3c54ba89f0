import type { Measured } from '../../protocol/budget/budgetEvents.ts';
import { triggerOf } from '../../protocol/budget/limits.ts';
import { type UsageReport, usageReport } from '../../protocol/budget/usageReport.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import { type Marks, marksOf } from './chartMarks.ts';

/** More points are not drawn: a window has no more columns of pixels to show them in. */
export const MOST_POINTS = 1_000;

/** The rows that add up to a request's total, as they are stacked: what changes least stands first. */
export const PARTS = ['host', 'tier1', 'tier2', 'tier3', 'tier4', 'unattributed'] as const;

export type Part = (typeof PARTS)[number];

/** One request, or the largest of several that follow one another. */
export interface ChartPoint {
  readonly request: number;
  /** The requests that it stands for; both are its own where it stands for one. */
  readonly first: number;
  readonly last: number;
  readonly parts: Readonly<Record<Part, Measured['total']>>;
  readonly total: Measured['total'];
  readonly window: number;
  readonly trigger: number;
  readonly hard: number;
  readonly gate: Measured['gate'];
  /** Tokens of the whole input, and those of them that came from the provider's cache; absent where the provider did not say. */
  readonly cache?: { readonly read: number; readonly input: number };
  /** What happened between the point before and this one. */
  readonly marks: Marks;
}

/** What is drawn of a session's budget: nothing that the fold does not say. */
export interface BudgetChart {
  /** Whether the session has the layer on, as far as its log says; `unknown` before the first request. */
  readonly layer: 'on' | 'off' | 'unknown';
  /** Of the last request that was measured; absent where none was. */
  readonly report?: UsageReport;
  /** The first and the last request that nothing was measured of, behind those that were. */
  readonly unmeasured?: { readonly first: number; readonly last: number };
  /** At most `MOST_POINTS`, in the order of the requests. */
  readonly points: readonly ChartPoint[];
  /** How many requests one point stands for. */
  readonly eachOf: number;
}

/** Turns the fold into what is drawn. */
export function budgetChart(state: SessionState): BudgetChart {
  const { budget, requests } = state;
  const { measures } = budget;
  const report = usageReport(state);
  const eachOf = Math.max(1, Math.ceil(measures.length / MOST_POINTS));
  const isOn = measures.length > 0 || budget.tier1 !== undefined;
  const lastMeasured = report?.requestSequence ?? 0;
  return {
    layer: isOn ? 'on' : requests.length > 0 ? 'off' : 'unknown',
    ...(report && { report }),
    ...(report && requests.length > lastMeasured && { unmeasured: { first: lastMeasured + 1, last: requests.length } }),
    points: pointsOf(state, eachOf),
    eachOf,
  };
}

function pointsOf(state: SessionState, eachOf: number): readonly ChartPoint[] {
  const { measures } = state.budget;
  const marks = marksOf(state);
  const points: ChartPoint[] = [];
  let bucket: Told[] = [];
  for (const measured of measures) {
    bucket.push(measured);
    if (bucket.length === eachOf) {
      points.push(pointOf(bucket, state, marks(measured.seq)));
      bucket = [];
    }
  }
  const last = bucket.at(-1);
  return last ? [...points, pointOf(bucket, state, marks(last.seq))] : points;
}

type Told = Measured & { readonly seq: number };

function pointOf(bucket: readonly Told[], state: SessionState, marks: Marks): ChartPoint {
  const largest = bucket.reduce((most, each) => (each.total.tokens > most.total.tokens ? each : most));
  const { requestSequence, tiers, host, unattributed, total, limits, gate } = largest;
  const cache = cacheOf(bucket, state);
  const blocked = bucket.filter(each => each.gate === 'blocked').length;
  return {
    request: requestSequence,
    first: bucket[0]?.requestSequence ?? requestSequence,
    last: bucket.at(-1)?.requestSequence ?? requestSequence,
    parts: { host, ...tiers, unattributed },
    total,
    window: limits.window.tokens,
    trigger: triggerOf(limits),
    hard: limits.hard,
    gate,
    ...(cache && { cache }),
    marks: { ...marks, blocked },
  };
}

/** Of the requests whose answers say both numbers. */
function cacheOf(bucket: readonly Told[], { requests }: SessionState): ChartPoint['cache'] {
  let [read, input] = [0, 0];
  for (const { gate, requestSequence } of bucket) {
    const usage = gate === 'blocked' ? undefined : requests.get(requestSequence - 1)?.ended?.usage;
    if (usage?.input !== undefined && usage.cacheRead !== undefined) {
      read += usage.cacheRead;
      input += usage.input;
    }
  }
  return input > 0 ? { read, input } : undefined;
}
