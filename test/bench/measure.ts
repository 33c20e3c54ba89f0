import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export const root = path.resolve(import.meta.dirname, '../..');

/** One line of the table: what was measured, against what, and the bar from DESIGN (Speed). */
export interface Row {
  readonly work: string;
  readonly ours: string;
  readonly peer: string;
  readonly ratio: string;
  readonly bar: string;
  /** Absent where DESIGN asks only for a printed figure. */
  readonly met?: boolean;
}

/** What is measured: a function, or one that is handed what another made outside of the measured time. */
export type Task = (() => unknown) | { readonly prepare: () => unknown; readonly run: (prepared: never) => unknown };

/** A task whose preparation is not measured. */
export function prepared<Prepared>(prepare: () => Prepared, run: (prepared: Prepared) => unknown): Task {
  return { prepare, run };
}

/**
 * The median time of each task in milliseconds. The tasks take turns, so that a busy moment of the machine falls on all
 * of them alike and the ratio between them stays true.
 */
export async function medians<Name extends string>(
  tasks: Readonly<Record<Name, Task>>,
  rounds: number,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(tasks) as Name[];
  const times = new Map<Name, number[]>(names.map(name => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const task = tasks[name];
      const { prepare, run } = typeof task === 'function' ? { prepare: () => undefined as never, run: task } : task;
      const input = prepare() as never;
      const start = performance.now();
      await run(input);
      if (round >= 0) {
        times.get(name)?.push(performance.now() - start);
      }
    }
  }
  return Object.fromEntries(names.map(name => [name, median(times.get(name) ?? [])])) as Record<Name, number>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Bytes of the heap in use after everything that nobody holds was collected. */
export function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What ends with the first round is collected in the second.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** With commas between thousands. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

export function milliseconds(value: number): string {
  return value < 10 ? `${value.toFixed(2)} ms` : `${value.toFixed(0)} ms`;
}

/** `peer / ours` as a factor: how many times faster ours is. */
export function times(factor: number): string {
  return `${factor.toFixed(factor < 10 ? 2 : 0)}x`;
}

/** A row about how many of something are done in a second; without `bar`, in events a second, it is only printed. */
export function perSecond(work: string, events: number, duration: number, bar?: number): Row {
  const rate = (events / duration) * 1_000;
  return {
    work: `${work} ${whole(events)} events`,
    ours: milliseconds(duration),
    peer: '',
    ratio: `${whole(rate)} events/s`,
    bar: bar === undefined ? 'printed' : `>= ${whole(bar)} events/s`,
    ...(bar !== undefined && { met: rate >= bar }),
  };
}
