import { parentPort } from 'node:worker_threads';
import { o200kTokens } from './o200k.ts';

/** One at a time: the next batch is sent when this one was answered. */
export interface Batch {
  readonly texts: readonly string[];
}

/** In the order of the texts; null for one that could not be counted. */
export interface Counts {
  readonly counts: readonly (number | null)[];
}

parentPort?.on('message', ({ texts }: Batch) => {
  parentPort?.postMessage({ counts: texts.map(count) } satisfies Counts);
});

function count(text: string): number | null {
  try {
    return o200kTokens(text);
  } catch {
    return null;
  }
}
