import path from 'node:path';

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

/**
 * The median time of each task in milliseconds. The tasks take turns, so that a busy moment of the machine falls on all
 * of them alike and the ratio between them stays true.
 */
export async function medians<Name extends string>(
  tasks: Readonly<Record<Name, () => unknown>>,
  rounds: number,
): Promise<Readonly<Record<Name, number>>> {
  const names = Object.keys(tasks) as Name[];
  const times = new Map<Name, number[]>(names.map(name => [name, []]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const start = performance.now();
      await tasks[name]();
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

export function milliseconds(value: number): string {
  return value < 10 ? `${value.toFixed(2)} ms` : `${value.toFixed(0)} ms`;
}

/** `peer / ours` as a factor: how many times faster ours is. */
export function times(factor: number): string {
  return `${factor.toFixed(factor < 10 ? 2 : 0)}x`;
}
