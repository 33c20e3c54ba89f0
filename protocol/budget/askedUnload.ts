import type { BudgetEvent } from './budgetEvents.ts';
import type { BudgetConfig, BudgetView } from './budgetView.ts';
import { type BudgetFold, isUnconsumed, type TieredGroup } from './classification.ts';
import { limitsOf } from './limits.ts';
import { unitsOf, Workbench } from './workbench.ts';

type Refusal = Extract<BudgetEvent, { readonly type: 'budget/edit-refused' }>['data']['reason'];

/**
 * tiers 4, rule 1: a person unloads a document before any limit asks for it. For the log, the edit, or why there is none: a named block is
 * seed 1's, what is pinned and what no answer has consumed stays, and what is not in the view cannot leave it.
 */
export function unloadAsked(
  document: string,
  actor: string,
  view: BudgetView,
  fold: BudgetFold,
  config: BudgetConfig,
): readonly BudgetEvent[] {
  const bench = new Workbench(view, fold, config, limitsOf(config.limits, fold.budget.learned));
  const units = new Set(fold.budget.documents.get(document)?.units);
  const groups = bench.classified.groups.filter(({ keys }) => keys.every(key => units.has(key)));
  const reason = reasonAgainst(document, groups, bench);
  if (reason) {
    const { requestSequence } = view;
    const data = { kind: 'unload', reason, cause: 'asked', actor, document, requestSequence } as const;
    return [{ type: 'budget/edit-refused', data }];
  }
  const draft = { kind: 'unload', cause: 'asked', actor, units: unitsOf(groups), document } as const;
  return bench.make([draft]).map((data): BudgetEvent => ({ type: 'budget/edit', data }));
}

function reasonAgainst(document: string, groups: readonly TieredGroup[], bench: Workbench): Refusal | undefined {
  if (bench.fold.lifecycle.blocks.get(document)?.status === 'active') {
    return 'active-block';
  }
  if (groups.length === 0) {
    return 'unknown';
  }
  if (groups.some(({ tier }) => tier === 'tier1')) {
    return 'tier-1';
  }
  if (groups.some(group => isUnconsumed(group, bench.fold.lifecycle))) {
    return 'unconsumed';
  }
  return bench.wouldBeginWithAnswer(groups) ? 'first-message' : undefined;
}
