import { check } from '../anchors.ts';
import type { BudgetEvent } from '../budgetEvents.ts';
import type { BudgetState } from '../budgetState.ts';
import { structuredText } from '../summary/summaryText.ts';
import type { Workbench } from '../workbench.ts';

/**
 * The first request of a session that goes on from a handoff: the summaries stand before everything else, behind them one
 * message tells what is missing, and all of it is checked. The edits are made on the workbench; the check comes back.
 */
export function showResumed(bench: Workbench): readonly BudgetEvent[] {
  const { view, fold } = bench;
  const { resumed, anchoring } = view;
  if (!resumed || wasShown(fold.budget)) {
    return [];
  }
  const told = { cause: 'resume', actor: `handoff:${resumed.from}`, units: [], follows: '' } as const;
  bench.make([
    ...resumed.summaries.map(summary => ({
      ...told,
      kind: 'summarize' as const,
      form: 'structured' as const,
      summary,
      message: view.format.userMessage(structuredText(summary)),
    })),
    {
      ...told,
      kind: 'append',
      notice: 'gap-notice',
      message: view.format.userMessage(resumed.noticeText),
    },
  ]);
  return anchoring ? check(bench, anchoring, 'resume', 0) : [];
}

/** The first edits of such a session are these, so that it is soon known. */
function wasShown({ edits }: BudgetState): boolean {
  for (const { cause } of edits) {
    if (cause === 'resume') {
      return true;
    }
  }
  return false;
}
