import type { BudgetData } from './budgetEvents.ts';
import type { BudgetConfig, BudgetView } from './budgetView.ts';
import type { BudgetFold } from './classification.ts';
import { compress } from './compression.ts';
import { limitsOf } from './limits.ts';
import { passEvents } from './plan.ts';
import { Workbench } from './workbench.ts';

/** What a compression would do, before it is due. */
export type CompressionWhatIf = Pick<
  BudgetData<'budget/pass'>,
  'before' | 'after' | 'historyBefore' | 'historyAfter' | 'price'
>;

/** tiers 5: the price of a compression of this view, were it made now; absent where it would change nothing. Nothing is changed. */
export function whatIfCompressed(
  view: BudgetView,
  fold: BudgetFold,
  config: BudgetConfig,
): CompressionWhatIf | undefined {
  const bench = new Workbench(view, fold, config, limitsOf(config.limits, fold.budget.learned));
  const pass = fold.budget.passes.length + 1;
  const [event] = passEvents(bench, pass, 'compression', () => compress(bench, pass));
  if (event?.type !== 'budget/pass' || event.data.edits === 0) {
    return undefined;
  }
  const { before, after, historyBefore, historyAfter, price } = event.data;
  return { before, after, historyBefore, historyAfter, ...(price && { price }) };
}
