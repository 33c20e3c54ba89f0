import type { BudgetEvent } from './budgetEvents.ts';
import type { BudgetState } from './budgetState.ts';
import type { Anchoring, BudgetConfig } from './budgetView.ts';
import { type Coherence, checkCoherence } from './coherence.ts';
import { LAYER } from './emergency.ts';
import { netUpdates, type Tier1, tier1Text, updateText } from './tier1.ts';
import type { EditDraft, Workbench } from './workbench.ts';

/** seed 3, rules 5 and 3: interactions after which the task is restated, and after which all is checked. */
const ANCHOR_INTERVAL = 50;
const CHECK_INTERVAL = 100;

/** How many interactions there were, in the unit that the settings say. */
function interactionsOf(
  { requests, turns }: Pick<BudgetState, 'requests' | 'turns'>,
  { interactionUnit = 'request' }: Pick<BudgetConfig, 'interactionUnit'>,
): number {
  return interactionUnit === 'turn' ? turns : requests;
}

/**
 * seed 3, rules 3 and 5 before a request: what is due is checked, told and restated, as appended messages that are paid once.
 * The edits are made on the workbench; the events that are no edits come back.
 */
export function anchor(bench: Workbench): readonly BudgetEvent[] {
  const { view, fold, config } = bench;
  const { anchoring } = view;
  if (!anchoring) {
    return [];
  }
  const { budget } = fold;
  const interactions = interactionsOf(budget, config);
  const isCheckDue = isDue(interactions, budget.checkedAt, CHECK_INTERVAL);
  const isAnchorDue = isDue(interactions, budget.anchoredAt, ANCHOR_INTERVAL);
  const events: BudgetEvent[] = [];
  if (isCheckDue) {
    events.push(...check(bench, anchoring, 'interactions', interactions));
  }
  const untold = netUpdates(anchoring.untold);
  if (untold.length > 0) {
    tell(bench, 'constraint-update', 'constraint-update', untold.map(updateText).join('\n'));
  }
  events.push(...realign(bench, anchoring));
  if (isAnchorDue) {
    const text = anchoring.tier1 && anchorText(anchoring.tier1, interactions, isCheckDue);
    if (text === undefined) {
      events.push({
        type: 'budget/edit-refused',
        data: {
          kind: 'append',
          reason: 'no-objective',
          cause: 'interactions',
          actor: LAYER,
          interactions,
          requestSequence: view.requestSequence,
        },
      });
    } else {
      tell(bench, 'anchor', 'interactions', text, interactions);
    }
  }
  return events;
}

/** One check, with the lines that it strikes out of summaries. */
export function check(
  bench: Workbench,
  anchoring: Anchoring,
  occasion: 'interactions' | 'resume',
  interactions: number,
): readonly BudgetEvent[] {
  const { view, fold, entries } = bench;
  const edits = entries.flatMap(({ edit }) => edit ?? []);
  const { results, contradictions, strikes }: Coherence = checkCoherence(edits, view, fold, anchoring);
  bench.make(strikes);
  const { requestSequence } = view;
  return [{ type: 'budget/checked', data: { occasion, interactions, results, requestSequence } }, ...contradictions];
}

function isDue(interactions: number, last: number, interval: number): boolean {
  return Math.floor(interactions / interval) > Math.floor(last / interval);
}

/** Each value is one line of JSON, so that none of them can be a tag. Absent where nobody has said what the task is. */
function anchorText(
  { objective, constraints }: Tier1,
  interactions: number,
  withConstraints: boolean,
): string | undefined {
  if (objective === undefined) {
    return undefined;
  }
  const listed = withConstraints ? constraints.map(({ text }) => `Constraint: ${JSON.stringify(text)}`) : [];
  return [`The task, restated after ${interactions} interactions: ${JSON.stringify(objective)}`, ...listed].join('\n');
}

/** seed 3, rule 5: a request that does not hold the first tier as it was set is told once, and the constraints restated. */
function realign(bench: Workbench, { tier1, prefixText, canPause = false }: Anchoring): readonly BudgetEvent[] {
  const { view, fold } = bench;
  const expected = fold.budget.tier1?.sha256;
  const found = prefixText === undefined ? undefined : view.sha256(prefixText);
  const { drift } = fold.budget;
  if (expected === undefined || found === expected || (drift?.expected === expected && drift.found === found)) {
    return [];
  }
  if (tier1) {
    tell(bench, 'anchor', 'drift', tier1Text(tier1));
  }
  return [
    {
      type: 'budget/drift',
      data: {
        expected,
        ...(found !== undefined && { found }),
        response: canPause ? 'paused' : 'report-only',
        requestSequence: view.requestSequence,
      },
    },
  ];
}

function tell(
  bench: Workbench,
  notice: NonNullable<EditDraft['notice']>,
  cause: EditDraft['cause'],
  text: string,
  interactions?: number,
): void {
  const { format, entries } = bench.view;
  bench.make([
    {
      kind: 'append',
      notice,
      cause,
      actor: LAYER,
      units: [],
      follows: entries.at(-1)?.keys.at(-1) ?? '',
      message: format.userMessage(text),
      ...(interactions !== undefined && { interactions }),
    },
  ]);
}
