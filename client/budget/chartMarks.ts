import type { BudgetData } from '../../protocol/budget/budgetEvents.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';

/** What happened before a request was sealed, each as often as it did. */
export interface Marks {
  /** Passes that compressed the history. */
  readonly compressions: number;
  /** Passes that cut a request which was above its limit. */
  readonly emergencies: number;
  /** Blocks that were discarded. */
  readonly discards: number;
  /** Requests that were not sent. */
  readonly blocked: number;
  /** What the last of the passes came to; absent where there was none. */
  readonly pass?: Pick<BudgetData<'budget/pass'>, 'before' | 'after' | 'price'>;
}

/** Of a session, a function that takes the places of requests in the log in their order, and gives what happened since the one before. */
export function marksOf({ budget, lifecycle }: SessionState): (seq: number) => Marks {
  const { passes } = budget;
  const discards = [...lifecycle.blocks.values()]
    .flatMap(({ discarded }) => discarded?.seq ?? [])
    .sort((a, b) => a - b);
  let [pass, discard] = [0, 0];
  return seq => {
    const marks = { compressions: 0, emergencies: 0 };
    let last: Marks['pass'];
    for (let next = passes.get(pass); next && next.seq < seq; next = passes.get(++pass)) {
      // A pass without edits changed nothing.
      if (next.edits > 0) {
        marks[next.kind === 'compression' ? 'compressions' : 'emergencies']++;
        const { before, after, price } = next;
        last = { before, after, ...(price && { price }) };
      }
    }
    const known = discard;
    while ((discards[discard] ?? Number.POSITIVE_INFINITY) < seq) {
      discard++;
    }
    return { ...marks, discards: discard - known, blocked: 0, ...(last && { pass: last }) };
  };
}
