import type { CompressionPart } from '../../../protocol/budget/compression.ts';
import { clipped } from '../../../protocol/budget/summary/clipped.ts';
import { forTerminal } from '../../agents/tell.ts';
import { NoSummaryError } from './noSummaryError.ts';
import type { SummaryMaker } from './summaryMaker.ts';

const DEFAULT_SECONDS = 30;

/** Timers of Node cannot be set for much more than three weeks, and nobody waits a day for a summary. */
const MOST_SECONDS = 86_400;

/** Names stand in every edit. */
const LONGEST_NAME = 100;

/** What was given for one part, or why nothing was. */
export type Answer = { readonly value: unknown } | { readonly failed: string };

/** Asks for all parts and gives an answer for each, in their order. It may throw anything, and ends when the signal is aborted. */
export type Ask = (parts: readonly CompressionPart[], signal: AbortSignal) => Promise<readonly Answer[]>;

/** The maker that asks so, within one time for all parts. Throws `RangeError` for a time that cannot be waited for. */
export function askInTime(name: string, seconds: number = DEFAULT_SECONDS, ask: Ask): SummaryMaker {
  if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
    throw new RangeError(`timeoutSeconds must be a number above 0 and at most ${MOST_SECONDS}.`);
  }
  const by = clipped(forTerminal(name.replaceAll('\n', ' ')), LONGEST_NAME);
  return {
    name: by,
    async make(parts, signal) {
      signal?.throwIfAborted();
      try {
        const answers = parts.length === 0 ? [] : await inTime(seconds, signal, both => ask(parts, both));
        signal?.throwIfAborted();
        const reason = failureOfAll(answers);
        return reason === undefined
          ? { by, summaries: answers.map((answer, place) => ({ units: parts[place]?.units ?? [], ...answer })) }
          : { by, failed: reason };
      } catch (error) {
        signal?.throwIfAborted();
        return { by, failed: reasonOf(error) };
      }
    },
  };
}

/** Why there is no summary, without a word of what a foreign error says: it may quote what it was given. */
export function reasonOf(error: unknown): string {
  return error instanceof NoSummaryError ? error.message : 'it failed';
}

async function inTime<T>(
  seconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  // One of AbortSignal.timeout would not keep the process awake.
  const timer = setTimeout(() => {
    late.abort(new NoSummaryError(`it took longer than ${seconds === 1 ? '1 second' : `${seconds} seconds`}`));
  }, seconds * 1000);
  try {
    return await work(signal ? AbortSignal.any([signal, late.signal]) : late.signal);
  } finally {
    clearTimeout(timer);
  }
}

function failureOfAll(answers: readonly Answer[]): string | undefined {
  const [first] = answers;
  return first && 'failed' in first && answers.every(answer => 'failed' in answer) ? first.failed : undefined;
}
