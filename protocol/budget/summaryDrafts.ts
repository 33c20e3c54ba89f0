import type { JsonObject } from '../request/json.ts';
import type { BudgetEvent, Summary } from './budgetEvents.ts';
import type { BudgetView } from './budgetView.ts';
import type { TieredGroup } from './classification.ts';
import { extractive } from './summary/extractive.ts';
import type { Detail, ModelSummaries, SummaryGroup } from './summary/summarizer.ts';
import { summaryGroupOf } from './summary/summaryGroups.ts';
import { paragraphText, structuredText } from './summary/summaryText.ts';
import { verifySummary } from './summary/verifySummary.ts';
import { tokensOf, unitsOf } from './workbench.ts';

/** Groups side by side that one summary is to stand for. */
export interface Part {
  readonly groups: readonly TieredGroup[];
  readonly read: readonly SummaryGroup[];
}

/** A summary with its message, and what it frees. */
export interface SummaryDraft {
  readonly part: Part;
  readonly summary: Summary;
  readonly message: JsonObject;
  readonly actor: string;
  readonly form: 'structured' | 'paragraph';
  readonly before: number;
  readonly after: number;
}

/** The groups of a run, as summaries will stand for them. */
export function partsOf(run: readonly TieredGroup[], view: BudgetView): readonly Part[] {
  const byRead = new Map(run.map(group => [summaryGroupOf(group, view), group] as const));
  return extractive.split([...byRead.keys()]).map(read => ({
    read,
    groups: read.flatMap(one => byRead.get(one) ?? []),
  }));
}

/** A summary of a part that was made or found somewhere, as an edit would show it. */
export function draftOf(
  part: Part,
  summary: Summary,
  view: BudgetView,
  form: SummaryDraft['form'],
  actor: string = extractive.name,
): SummaryDraft {
  const text = form === 'structured' ? structuredText(summary) : paragraphText(summary);
  const message = view.format.userMessage(text);
  return {
    part,
    summary,
    message,
    actor,
    form,
    before: tokensOf(part.groups, view),
    after: view.tokensOf(message).tokens,
  };
}

/** The extractive summaries of all parts, in one detail. No constraint stands in two of them, or in one and in `known`. */
export function extractiveDrafts(
  parts: readonly Part[],
  view: BudgetView,
  detail: Detail,
  known: ReadonlySet<string>,
  form: SummaryDraft['form'] = 'structured',
): readonly SummaryDraft[] {
  const seen = new Set(known);
  return parts.map(part => {
    const summary = extractive.summarize(part.read, detail, seen);
    const draft = draftOf(part, summary, view, form);
    if (isSmaller(draft)) {
      summary.record.active_constraints.forEach(text => seen.add(text));
    }
    return draft;
  });
}

export function isSmaller({ before, after }: SummaryDraft): boolean {
  return after < before;
}

/** A model's summaries of the parts that it was asked for, and what is told of those that are no good: each reason once. */
export function modelDrafts(
  parts: readonly Part[],
  view: BudgetView,
  asked: ModelSummaries,
  floors: readonly SummaryDraft[],
): { readonly drafts: readonly (SummaryDraft | undefined)[]; readonly events: readonly BudgetEvent[] } {
  const { by } = asked;
  const failure = (reason: string): BudgetEvent => ({
    type: 'budget/summary-failed',
    data: { actor: by, reason, requestSequence: view.requestSequence },
  });
  if ('failed' in asked) {
    return { drafts: [], events: [failure(asked.failed)] };
  }
  const given = new Map(asked.summaries.map(one => [one.units.join('\n'), one]));
  const reasons = new Set<string>();
  const drafts = parts.map((part, place) => {
    const one = given.get(unitsOf(part.groups).join('\n'));
    const floor = floors[place];
    if (!one || !floor) {
      return undefined;
    }
    const summary = 'failed' in one ? one.failed : verifySummary(one.value, part.read, floor.summary);
    if (typeof summary === 'string') {
      reasons.add(summary);
      return undefined;
    }
    const draft = draftOf(part, summary, view, 'structured', by);
    if (!isSmaller(draft)) {
      reasons.add('its summary is not smaller than what it stands for');
      return undefined;
    }
    return draft;
  });
  return { drafts, events: [...reasons].map(failure) };
}
