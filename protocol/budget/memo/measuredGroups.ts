import type { Amount } from '../../log/amounts.ts';
import type { JsonObject } from '../../request/json.ts';
import type { BudgetView } from '../budgetView.ts';
import type { Group } from '../groups.ts';
import type { PlanningWork } from './planningWork.ts';
import { Tally } from './tally.ts';

type Counting = Pick<BudgetView, 'counts' | 'tokensOf'>;

interface Counted {
  readonly tally: Tally;
  /** The number stays. */
  readonly isSettled: boolean;
}

/**
 * What one list of groups after another takes. A number that stays is asked for once; all others are asked for again each time,
 * so that a count that has come in the place of an estimate is seen.
 */
export class MeasuredGroups {
  readonly #work: PlanningWork;
  readonly #counted: Counted[] = [];
  /** Groups whose numbers may change. */
  #unsettled: number[] = [];
  #hasCounts = false;

  constructor(work: PlanningWork) {
    this.#work = work;
  }

  /** The first `kept` groups are those of before. Gives those of them that take something else now. */
  update(groups: readonly Group[], kept: number, view: Counting): readonly number[] {
    const isSameKind = this.#hasCounts === (view.counts !== undefined);
    this.#hasCounts = view.counts !== undefined;
    this.#counted.length = kept;
    const again = isSameKind ? this.#unsettled.filter(number => number < kept) : [...this.#counted.keys()];
    this.#unsettled = [];
    const changed = again.filter(number => !this.#measure(groups, number, view));
    for (let number = kept; number < groups.length; number++) {
      this.#measure(groups, number, view);
    }
    return changed;
  }

  of(number: number): Tally {
    return this.#counted[number]?.tally ?? new Tally();
  }

  /** Whether a group takes what it took before. */
  #measure(groups: readonly Group[], number: number, view: Counting): boolean {
    const before = this.#counted[number];
    const messages = groups[number]?.entries.map(({ message }) => message) ?? [];
    this.#work.measured += messages.length;
    const tally = Tally.of(messages.map(message => amountOf(message, view)));
    const isSettled = view.counts !== undefined && messages.every(message => view.counts?.isSettled(message));
    this.#counted[number] = { tally, isSettled };
    if (!isSettled) {
      this.#unsettled.push(number);
    }
    return before?.tally.equals(tally) ?? false;
  }
}

function amountOf(message: JsonObject, { counts, tokensOf }: Counting): Amount {
  return counts ? counts.of(message) : tokensOf(message);
}
