import type { ViewEntry } from '../protocol/lifecycle/view.ts';
import {
  type Appended,
  appendedIn,
  type KnownOrder,
  type PlacedEntry,
  placeAppended,
  type ToAppend,
} from '../protocol/request/appended.ts';

/** The messages of a session that are none of the host's, from when they are appended until the session ends. */
export class AppendedMessages {
  #all: readonly ToAppend[];
  /** Those that no view has shown yet. */
  readonly #fresh: Set<string>;

  /** `earlier` are those of the instance before; of these, no view has shown those that stand in `unshown` by their keys. */
  constructor(earlier: readonly Appended[], unshown: Iterable<string> = []) {
    this.#fresh = new Set(unshown);
    this.#all = earlier.map(one => (this.#fresh.has(one.key) ? withoutPlace(one) : one));
  }

  add(message: ToAppend): void {
    this.#all = [...this.#all, message];
    this.#fresh.add(message.key);
  }

  /** The view with all of them. */
  place(entries: readonly ViewEntry[], order: KnownOrder): readonly PlacedEntry[] {
    const all = this.#fresh.size === 0 ? this.#all : this.#behindAnswers(entries);
    return placeAppended(entries, all, order);
  }

  /** A view that holds them was sealed: where they stand in it is where they stay. What came since is in the next one. */
  sealed(entries: readonly PlacedEntry[]): void {
    if (this.#fresh.size > 0) {
      const shown = appendedIn(entries);
      shown.forEach(({ key }) => this.#fresh.delete(key));
      this.#all = [...shown, ...this.#all.filter(({ key }) => this.#fresh.has(key))];
    }
  }

  #behindAnswers(entries: readonly ViewEntry[]): readonly ToAppend[] {
    const byKey = new Map(this.#all.map(one => [one.key, one]));
    return this.#all.map(one => this.#behindAnswer(one, byKey, entries));
  }

  /**
   * What is injected while an answer is on its way, or is there but in no view yet, came after the question: it follows the
   * answer to it, and the results of the tools that the answer calls.
   */
  #behindAnswer(one: ToAppend, byKey: ReadonlyMap<string, ToAppend>, entries: readonly ViewEntry[]): ToAppend {
    const { key, after } = one;
    if (after === undefined || !this.#fresh.has(key)) {
      return one;
    }
    const unit = this.#unitBefore(after, byKey);
    const question = unit === undefined ? -1 : entries.findLastIndex(({ keys }) => keys.includes(unit));
    const answer = question === -1 ? undefined : entries[question + 1];
    return answer?.role === 'assistant' ? { ...one, after: answer.keys.at(-1) ?? after } : one;
  }

  /** The host's unit behind which a unit stands, itself where it is the host's; absent behind one that has no place yet. */
  #unitBefore(unit: string, byKey: ReadonlyMap<string, ToAppend>): string | undefined {
    let at = unit;
    // What comes from a log may go in a circle.
    for (let steps = 0; steps <= this.#all.length; steps++) {
      const appended = byKey.get(at);
      if (!appended) {
        return at;
      }
      if (appended.after === undefined || this.#fresh.has(at)) {
        return undefined;
      }
      at = appended.after;
    }
    return undefined;
  }
}

/** As it was when it was appended: what the log says of the place of context is only where it stood until its first view. */
function withoutPlace({ after, ...one }: Appended): ToAppend {
  return one.channel === 'tool-context' || one.channel === 'prompt-context' ? one : { ...one, after };
}
