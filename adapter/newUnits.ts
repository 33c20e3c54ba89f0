import type { ViewEntry } from '../protocol/lifecycle/view.ts';
import type { NextRequest } from '../protocol/request/turns.ts';

/**
 * Tells what a view has that no view of this instance had, as far as turns depend on it (DESIGN, flow 2). An instance before it
 * left no turn open, so that nothing depends on what that one saw.
 */
export class NewUnits {
  readonly #known = new Set<string>();
  #entries: readonly ViewEntry[] = [];

  /** Where a new unit of a user comes from, and whether the last new answer calls a tool; each is absent where there is none. */
  take(entries: readonly ViewEntry[]): Pick<NextRequest, 'userUnit' | 'answerCalled'> {
    let same = 0;
    while (same < entries.length && entries[same] === this.#entries[same]) {
      same++;
    }
    this.#entries = entries;
    const fresh = entries.slice(same).filter(({ keys }) => keys.some(key => !this.#known.has(key)));
    fresh.forEach(({ keys }) => keys.forEach(key => this.#known.add(key)));
    const answer = fresh.findLast(({ role }) => role === 'assistant');
    return {
      ...(fresh.some(({ classes }) => classes?.includes('user')) && { userUnit: { kind: 'user' } }),
      ...(answer && { answerCalled: answer.calls.length > 0 }),
    };
  }
}
