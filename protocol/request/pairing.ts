import type { ViewEntry } from '../lifecycle/view.ts';

type Paired = Pick<ViewEntry, 'calls' | 'answers' | 'failed' | 'item'>;

/** A call that stands without its result. */
export interface UnansweredCall {
  readonly call: string;
  /** Place of the entry that makes it. */
  readonly index: number;
}

/**
 * What is wrong with the tool calls and results of a whole view, as a sentence that names the id; absent when nothing is
 * (users-ask 55). A result needs its call in front of it, a call has one result, and a call whose result is still missing is
 * not made again. An id may be used again once it was answered: some models count anew in each turn; and when the answer that
 * made the call failed, for then it is tried again, and hosts drop the failed one when they send.
 *
 * A call without a result is no fault. Hosts hand such calls over after an abort and complete or drop them when they send, so
 * that a refusal would stop an agent that works; no step of ours takes a result away from its call. `unansweredCalls` finds
 * them.
 */
export function pairingFault(entries: readonly Paired[]): string | undefined {
  return new PairingCheck().fault(entries);
}

/** Answers `pairingFault` for one view after another, and reads of each only what was appended to the one before. */
export class PairingCheck {
  #checked: readonly Paired[] = [];
  /** Calls without a result, and whether the answer that makes them failed. */
  readonly #open = new Map<string, boolean>();
  readonly #answered = new Set<string>();
  readonly #manyResults: boolean;

  /** `manyResults`: a call may have more than one. */
  constructor(manyResults = false) {
    this.#manyResults = manyResults;
  }

  fault(entries: readonly Paired[]): string | undefined {
    if (!this.#checked.every((before, index) => isSamePairing(before, entries[index]))) {
      this.#forget();
    }
    for (let index = this.#checked.length; index < entries.length; index++) {
      const fault = this.#add(entries[index] as Paired);
      if (fault) {
        this.#forget();
        return sentence(fault);
      }
    }
    this.#checked = entries;
    return undefined;
  }

  #add({ calls, answers, failed = false }: Paired): string | undefined {
    for (const call of calls) {
      if (this.#open.get(call) === false) {
        return `the tool call ${JSON.stringify(call)} is made twice before it has a result`;
      }
      this.#open.set(call, failed);
    }
    for (const call of answers) {
      if (!this.#open.delete(call) && !(this.#manyResults && this.#answered.has(call))) {
        return this.#answered.has(call)
          ? `the tool call ${JSON.stringify(call)} has two results`
          : `the tool result for the call ${JSON.stringify(call)} has no such call before it`;
      }
      this.#answered.add(call);
    }
    return undefined;
  }

  #forget(): void {
    this.#checked = [];
    this.#open.clear();
    this.#answered.clear();
  }
}

/** A tombstone is another entry with the same calls and answers. */
function isSamePairing(before: Paired, now: Paired | undefined): boolean {
  return (
    before === now || (before.calls === now?.calls && before.answers === now.answers && before.failed === now.failed)
  );
}

function sentence(fault: string): string {
  return `The request was not built, because ${fault}. Model providers refuse such a request; start from a history in which each tool result follows its call.`;
}

/** Calls without a result that are passed by: an entry that answers nothing stands behind them. */
export function unansweredCalls(entries: readonly Paired[]): readonly UnansweredCall[] {
  const open = new Map<string, number>();
  for (const [index, { calls, answers }] of entries.entries()) {
    for (const call of calls) {
      open.set(call, index);
    }
    for (const call of answers) {
      open.delete(call);
    }
  }
  const passedBy = entries.findLastIndex(({ answers }) => answers.length === 0);
  return [...open].filter(([, index]) => index < passedBy).map(([call, index]) => ({ call, index }));
}

/**
 * For each place before, between and behind the entries, the nearest one from there on that parts no call from its results,
 * and no item of an answer from the next. Place n is before entry n.
 */
export function placesOutsidePairs(entries: readonly Paired[]): readonly number[] {
  /** Answered ones too: some calls have more results than one. */
  const made = new Map<string, number>();
  /** For each place how many pairs begin, or end, around it. */
  const steps = new Int32Array(entries.length + 2);
  const join = (from: number, to: number): void => {
    steps[from + 1] = (steps[from + 1] ?? 0) + 1;
    steps[to + 1] = (steps[to + 1] ?? 0) - 1;
  };
  for (const [index, { calls, answers, item = false }] of entries.entries()) {
    if (item && entries[index - 1]?.item) {
      join(index - 1, index);
    }
    for (const call of calls) {
      made.set(call, index);
    }
    for (const call of answers) {
      const from = made.get(call);
      if (from !== undefined) {
        join(from, index);
      }
    }
  }
  const places: number[] = [];
  let around = 0;
  for (let place = 0; place <= entries.length; place++) {
    around += steps[place] ?? 0;
    places.push(around === 0 ? place : -1);
  }
  for (let place = entries.length - 1; place >= 0; place--) {
    if (places[place] === -1) {
      places[place] = places[place + 1] ?? entries.length;
    }
  }
  return places;
}
