import type { SessionState } from './sessionState.ts';

/** The code of the problem by which an adapter says that it cannot take a source out of what the agent shows by itself. */
const CODE = 'observe-only';

const known = new WeakMap<SessionState['problems'], ReadonlyMap<string, string>>();

/**
 * Sources whose text the agent still sends by itself, whatever is discarded of them, each with the adapter's sentence about it:
 * their blocks are watched and nothing more.
 */
export function observeOnly({ problems }: Pick<SessionState, 'problems'>): ReadonlyMap<string, string> {
  const found =
    known.get(problems) ??
    new Map(
      problems
        .toArray()
        .flatMap(({ code, source, sentence }) => (code === CODE && source !== undefined ? [[source, sentence]] : [])),
    );
  known.set(problems, found);
  return found;
}
