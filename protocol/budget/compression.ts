import type { BudgetEvent } from './budgetEvents.ts';
import type { BudgetConfig, BudgetView } from './budgetView.ts';
import { type BudgetFold, isRaw } from './classification.ts';
import { isOverTrigger, limitsOf, rearmGrowth } from './limits.ts';
import { DETAILS, type SummaryGroup } from './summary/summarizer.ts';
import { extractiveDrafts, isSmaller, modelDrafts, type Part, partsOf, type SummaryDraft } from './summaryDrafts.ts';
import { type EditDraft, runsOf, unitsOf, Workbench } from './workbench.ts';

/** What a model may be asked to summarise before the request is built. */
export interface CompressionPart {
  readonly units: readonly string[];
  readonly groups: readonly SummaryGroup[];
}

/**
 * seed 3, rule 2: whether history is compressed now. After a pass it is not again until a request was below the trigger, or
 * raw history grew by a twentieth of the window.
 */
export function isCompressionDue({ totals, limits, fold, isOverLimit }: Workbench): boolean {
  const { budget } = fold;
  const last = budget.passes.get(budget.passes.length - 1);
  const grown = totals.rawHistory.tokens - (last?.rawAfter.tokens ?? 0);
  // Estimates may be above the limit by what the gate adds to them, and yet below the trigger: an emergency would keep less.
  const isLarge = isOverLimit || isOverTrigger(totals.total.tokens, limits);
  return isLarge && (budget.armed || grown >= rearmGrowth(limits));
}

/** The parts of the history that a compression of this view would summarise; none where none is due. */
export function compressionRequest(
  view: BudgetView,
  fold: BudgetFold,
  config: BudgetConfig,
): readonly CompressionPart[] {
  const bench = new Workbench(view, fold, config, limitsOf(config.limits, fold.budget.learned));
  return isCompressionDue(bench)
    ? rawParts(bench).map(({ groups, read }) => ({ units: unitsOf(groups), groups: read }))
    : [];
}

/** What a compression came to, in memory and for the log; its edits are made on the workbench. */
export function compress(bench: Workbench, pass: number): readonly BudgetEvent[] {
  const { view, config, totals } = bench;
  const parts = rawParts(bench);
  const target = Math.floor(totals.tiers.tier3.tokens / 2);
  const { drafts, events } = bestDrafts(bench, parts, target);
  const smaller = drafts.filter(isSmaller);
  const reclaimed = smaller.reduce((sum, { before, after }) => sum + before - after, 0);
  const refused = drafts.filter(draft => !isSmaller(draft));
  const { requestSequence } = view;
  const refusals = refused.map(({ actor, part, before, after }): BudgetEvent => {
    const { origin } = totals.total;
    return {
      type: 'budget/edit-refused',
      data: {
        kind: 'summarize',
        reason: 'not-smaller',
        cause: 'over-trigger',
        actor,
        units: unitsOf(part.groups).length,
        before: { tokens: before, origin },
        after: { tokens: after, origin },
        requestSequence,
      },
    };
  });
  if (reclaimed >= (config.minReclaim ?? 0)) {
    bench.make(smaller.map(summarizeEdit), pass);
  }
  return [...events, ...refusals];
}

/** An edit by which a summary stands for its part. */
function summarizeEdit({ part, summary, message, actor, form }: SummaryDraft): EditDraft {
  return { kind: 'summarize', cause: 'over-trigger', actor, units: unitsOf(part.groups), message, summary, form };
}

/** Constraints that summaries in the view quote: they are not quoted twice. */
export function knownConstraints({ entries }: Workbench): ReadonlySet<string> {
  return new Set(entries.flatMap(({ edit }) => edit?.summary?.record.active_constraints ?? []));
}

/** Raw history that edits may take, as summaries will stand for it. */
export function rawParts({ classified, view }: Workbench): readonly Part[] {
  return runsOf(classified.groups, group => isRaw(group) && !group.isFixed).flatMap(run => partsOf(run, view));
}

/** The summaries that say most and meet the target; where none do, those that free most. */
function bestDrafts(
  bench: Workbench,
  parts: readonly Part[],
  target: number,
): { readonly drafts: readonly SummaryDraft[]; readonly events: readonly BudgetEvent[] } {
  const { view, config, totals } = bench;
  const known = knownConstraints(bench);
  const historyAfter = (drafts: readonly SummaryDraft[]) =>
    drafts.filter(isSmaller).reduce((sum, { before, after }) => sum - before + after, totals.tiers.tier3.tokens);
  let events: readonly BudgetEvent[] = [];
  let best: readonly SummaryDraft[] | undefined;
  for (const detail of DETAILS) {
    let drafts = extractiveDrafts(parts, view, detail, known);
    if (config.summaries && detail === DETAILS[0] && parts.length > 0) {
      const model = modelDrafts(parts, view, config.summaries, drafts);
      events = model.events;
      drafts = drafts.map((draft, place) => model.drafts[place] ?? draft);
    }
    if (!best || historyAfter(drafts) < historyAfter(best)) {
      best = drafts;
    }
    if (historyAfter(best) <= target) {
      break;
    }
  }
  return { drafts: best ?? [], events };
}
