import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SUMMARIES, SUMMARY_SUFFIX } from './lifecycleSummary.ts';
import { LOG_SUFFIX } from './openLog.ts';

/** What there is of the newest log of a host session. */
export interface Newest {
  /** Of `logName`, with the number where it is not the first. */
  readonly name: string;
  /** 0 is the first log; each later one was begun because the one before could not be gone on with. */
  readonly generation: number;
  /** `summary`: retention has removed the log itself. */
  readonly left: 'log' | 'summary';
}

/** The name of a later log of the same host session. */
export function generationName(name: string, generation: number): string {
  return generation === 0 ? name : `${name}-${generation}`;
}

/** Absent when there is neither a log nor a summary. Earlier ones may be gone: retention removes the oldest first. */
export function newestOf(folder: string, name: string): Newest | undefined {
  const logs = generationsIn(folder, name, LOG_SUFFIX);
  const summaries = generationsIn(join(folder, SUMMARIES), name, SUMMARY_SUFFIX);
  const generation = Math.max(...logs, ...summaries);
  return generation < 0
    ? undefined
    : { name: generationName(name, generation), generation, left: logs.includes(generation) ? 'log' : 'summary' };
}

/** Never empty, so that it has a largest: -1 is no generation. */
function generationsIn(folder: string, name: string, suffix: string): readonly number[] {
  let files: readonly string[];
  try {
    files = readdirSync(folder);
  } catch {
    // There is no such folder yet; one that cannot be read is refused by name when it is written to.
    return [-1];
  }
  const generations = files
    .filter(file => file.startsWith(name) && file.endsWith(suffix))
    .map(file => file.slice(name.length, -suffix.length))
    .filter(rest => /^(?:|-[1-9]\d{0,8})$/.test(rest))
    .map(rest => (rest === '' ? 0 : Number(rest.slice(1))));
  return [-1, ...generations];
}
