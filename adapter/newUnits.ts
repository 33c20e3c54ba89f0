import type { ViewEntry } from '../protocol/lifecycle/view.ts';
import { isJsonArray, isJsonObject } from '../protocol/request/json.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import type { NextRequest } from '../protocol/request/turns.ts';

/** Tells what a view has that no view before had, as far as turns depend on it (DESIGN, flow 2). */
export class NewUnits {
  readonly #known = new Set<string>();
  #entries: readonly ViewEntry[] = [];

  /** After a resume or a fork: the units of the log so far. */
  remember(events: readonly LogEvent[]): void {
    for (const { data } of events) {
      const units = isJsonObject(data) ? data['units'] : undefined;
      for (const unit of isJsonArray(units) ? units : []) {
        if (typeof unit === 'string') {
          this.#known.add(unit);
        }
      }
    }
  }

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
