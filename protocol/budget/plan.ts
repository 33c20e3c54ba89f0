import { priceOf } from '../request/price.ts';
import { anchor } from './anchors.ts';
import type { BudgetData, BudgetEvent, Edit, Limits, Measured } from './budgetEvents.ts';
import type { BudgetConfig, BudgetView } from './budgetView.ts';
import type { BudgetFold } from './classification.ts';
import { compress, isCompressionDue } from './compression.ts';
import type { EditedEntry } from './editedEntry.ts';
import { emergency } from './emergency.ts';
import { gateOf, type MeasuredRequest, withReset } from './gate.ts';
import { showResumed } from './handoff/resumeEdits.ts';
import { limitsOf } from './limits.ts';
import { flagsOf, type Totals } from './totals.ts';
import { Workbench } from './workbench.ts';

/** What the layer makes of a request. */
export interface BudgetedRequest extends MeasuredRequest {
  /** For the log, in this order, and `measuredEvents` after them, before the seal. */
  readonly events: readonly BudgetEvent[];
  /** The view that the request shows. */
  readonly entries: readonly EditedEntry[];
  /** `blocked`: the request must not be sent. The same as `measured` says. */
  readonly gate: Measured['gate'];
  /** By how many tokens its tiers may be more than they say; `remeasured` takes it. */
  readonly leeway: number;
}

/**
 * The edits that the next request needs: none while it is within its limits. The same view, log and settings give the same
 * edits. Once they are in the log, `applyEdits` shows them in every view to come.
 */
export function plan(view: BudgetView, fold: BudgetFold, config: BudgetConfig): readonly Edit[] {
  return budgetRequest(view, fold, config).events.flatMap(event => (event.type === 'budget/edit' ? [event.data] : []));
}

/**
 * seed 3, rules 1, 2 and 4 for one request: history is compressed where it is due, what is still above the limit is cut, and
 * what the request then takes is measured. Nothing is changed or logged here. `isFinal`: one that is `blocked` is not sent, so nothing
 * is cut for it; else it is decided later, by what a host says then.
 */
export function budgetRequest(
  view: BudgetView,
  fold: BudgetFold,
  config: BudgetConfig,
  isFinal = true,
): BudgetedRequest {
  const limits = limitsOf(config.limits, fold.budget.learned);
  const { bench, events, pass } = beforeEmergency(view, fold, config, limits);
  if (bench.isOverLimit) {
    const made = passEvents(bench, pass, 'emergency', () => {
      emergency(bench, pass);
      return [];
    });
    if (isFinal && gateOf(bench.isOverLimit, config) === 'blocked') {
      // Without what made this one too long, the next one may have room for all of it.
      const whole = beforeEmergency(view, fold, config, limits);
      return requestOf(whole.bench, whole.events);
    }
    // A pass without an edit is told by the request for a reset.
    events.push(...(made.length > 1 ? made : []));
  }
  return requestOf(bench, events);
}

/** What is told and what is compressed, and the number of the next pass. */
function beforeEmergency(view: BudgetView, fold: BudgetFold, config: BudgetConfig, limits: Limits) {
  const bench = new Workbench(view, fold, config, limits);
  const told = [...showResumed(bench), ...anchor(bench)];
  const events: BudgetEvent[] = [...told, ...bench.planned.map((data): BudgetEvent => ({ type: 'budget/edit', data }))];
  const pass = fold.budget.passes.length + 1;
  if (!isCompressionDue(bench)) {
    return { bench, events, pass };
  }
  events.push(...passEvents(bench, pass, 'compression', () => compress(bench, pass)));
  return { bench, events, pass: pass + 1 };
}

function requestOf(bench: Workbench, events: readonly BudgetEvent[]): BudgetedRequest {
  const { view, entries, totals } = bench;
  const measured = measure(bench);
  const { gate } = measured;
  return { events, entries, gate, leeway: totals.leeway, ...withReset(measured, { ...view.host, ...totals.tiers }) };
}

/** What the request takes, as it stands on the workbench. */
function measure(bench: Workbench): Measured {
  const { view, config, limits, totals, classified } = bench;
  const { tiers, host, unattributed, total, rawHistory } = totals;
  return {
    requestSequence: view.requestSequence,
    tiers,
    host,
    unattributed,
    total,
    rawHistory,
    limits,
    edited: bench.hides,
    gate: gateOf(bench.isOverLimit, config),
    flags: flagsOf(totals, classified, limits),
  };
}

/** The pass as the log has it, then what was refused in it, then its edits. */
export function passEvents(
  bench: Workbench,
  pass: number,
  kind: BudgetData<'budget/pass'>['kind'],
  make: () => readonly BudgetEvent[],
): readonly BudgetEvent[] {
  const { totals: before, entries, planned, view } = bench;
  const known = planned.length;
  const told = make();
  const { totals: after } = bench;
  const edits = planned.slice(known);
  const parts = (list: readonly EditedEntry[]) => ({
    config: {},
    prefix: [],
    messages: list.map(({ message }) => message),
  });
  return [
    {
      type: 'budget/pass',
      data: {
        pass,
        kind,
        requestSequence: view.requestSequence,
        before: before.total,
        after: after.total,
        historyBefore: before.tiers.tier3,
        historyAfter: after.tiers.tier3,
        rawAfter: after.rawHistory,
        edits: edits.length,
        outcome: kind === 'emergency' ? (bench.isOverLimit ? 'over-limit' : 'enough') : outcomeOf(before, after),
        ...(edits.length > 0 && {
          price: priceOf(parts(entries), parts(bench.entries), {
            tokensOf: value => view.tokensOf(value as EditedEntry['message']),
          }),
        }),
      },
    },
    ...told,
    ...edits.map((data): BudgetEvent => ({ type: 'budget/edit', data })),
  ];
}

/** seed 3, rule 2: half of the history. */
function outcomeOf(before: Totals, after: Totals): 'enough' | 'target-missed' {
  return after.tiers.tier3.tokens <= Math.floor(before.tiers.tier3.tokens / 2) ? 'enough' : 'target-missed';
}
