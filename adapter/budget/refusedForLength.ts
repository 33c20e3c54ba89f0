import type { BudgetEvent } from '../../protocol/budget/budgetEvents.ts';
import { withReset } from '../../protocol/budget/gate.ts';
import { learnedLimit, mayPlanAgain } from '../../protocol/budget/learnedLimit.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { modelOf } from '../tokens/modelOf.ts';

/**
 * tiers 6, T-27: a request that the provider refused for its length teaches a limit of its model, with which the next one is
 * planned once. One that was planned so and is refused again teaches nothing more: somebody has to begin a new session. `config`
 * is that of the last request. Absent where `said` is about something else, or the layer did not measure the request.
 */
export function refusedForLength(
  said: string,
  requestSequence: number,
  { budget, requests }: SessionState,
  config: JsonObject | undefined,
): BudgetEvent | undefined {
  const measured = budget.measures.toArray().findLast(one => one.requestSequence === requestSequence);
  const model = config && requestSequence === requests.length ? modelOf(config) : '';
  const learned = measured && learnedLimit(said, requestSequence, measured.total.tokens, model);
  if (!learned || mayPlanAgain(budget, requestSequence)) {
    return learned;
  }
  const { seq: _, time: __, ...refused } = measured;
  return withReset({ ...refused, gate: 'warned' }, { host: measured.host, ...measured.tiers }).reset;
}
