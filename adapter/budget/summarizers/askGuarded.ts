import type { CompressionPart } from '../../../protocol/budget/compression.ts';
import { clipped } from '../../../protocol/budget/summary/clipped.ts';
import type { ModelSummaries, ModelSummary } from '../../../protocol/budget/summary/summarizer.ts';
import { anything, list, maybe, record, text } from '../../../protocol/shape.ts';
import { forTerminal } from '../../agents/tell.ts';
import type { SummaryMaker } from './summaryMaker.ts';

/** Names and reasons stand in the log, and are shown to people. */
const LONGEST = 200;

const answers = record({
  by: text,
  failed: maybe(text),
  summaries: maybe(
    list(record({ units: list(text), value: maybe(anything<unknown>('anything')), failed: maybe(text) })),
  ),
});

/**
 * T-14: what a maker gives, which a program of somebody else may be: one that throws, or gives something else, costs nothing but
 * its summaries. Rejects only where the signal is aborted, and then at once, also where the maker does not look at it.
 */
export async function askGuarded(
  maker: SummaryMaker,
  parts: readonly CompressionPart[],
  signal: AbortSignal | undefined,
): Promise<ModelSummaries> {
  let made: unknown;
  try {
    made = await untilAborted(signal, async () => maker.make(parts, signal));
  } catch {
    signal?.throwIfAborted();
    return { by: nameOf(maker), failed: 'it failed' };
  }
  return readMade(made) ?? { by: nameOf(maker), failed: 'what it gave are no summaries' };
}

/** Absent for what is none. */
function readMade(made: unknown): ModelSummaries | undefined {
  try {
    if (answers.fault(made, 'answer') !== undefined) {
      return undefined;
    }
    const { by, failed, summaries } = made as { by: string; failed?: string; summaries?: readonly ModelSummary[] };
    const named = shown(by);
    if (failed !== undefined) {
      return { by: named, failed: shown(failed) };
    }
    return summaries && { by: named, summaries: summaries.map(readOne) };
  } catch {
    return undefined;
  }
}

function readOne(one: ModelSummary): ModelSummary {
  return 'failed' in one ? { units: [...one.units], failed: shown(one.failed) } : { ...one, units: [...one.units] };
}

function nameOf({ name }: SummaryMaker): string {
  return typeof name === 'string' ? shown(name) : 'a program';
}

function shown(said: string): string {
  return clipped(forTerminal(said.replaceAll('\n', ' ')), LONGEST);
}

async function untilAborted<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
  if (!signal) {
    return work();
  }
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    if (stop) {
      signal.removeEventListener('abort', stop);
    }
  }
}
