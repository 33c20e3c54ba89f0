import type { Edit, EditKind } from './budgetEvents.ts';
import { amountOf, isRaw, type TieredGroup } from './classification.ts';
import { knownConstraints, rawParts } from './compression.ts';
import { isReferenced } from './documents.ts';
import { isAnswer } from './editedEntry.ts';
import { leewayOf } from './gate.ts';
import { extractive, holdsConstraint } from './summary/extractive.ts';
import { shorterSummary } from './summary/shorterSummary.ts';
import { summaryGroupOf } from './summary/summaryGroups.ts';
import { draftOf, extractiveDrafts, isSmaller, type SummaryDraft } from './summaryDrafts.ts';
import { type EditDraft, followed, runsOf, tokensOf, unitsOf, type Workbench } from './workbench.ts';

/** Who makes the edits that are no summaries. */
export const LAYER = 'budget';

/** Stands where a view would otherwise begin with an answer. */
const GAP_TEXT = 'Earlier messages of this session are not shown here; its log has them.';

/**
 * seed 3, rule 4, in this order, measured after each step, and no step more than it takes: old messages of the fourth tier
 * leave the view; all history becomes single paragraphs; documents that nothing refers to are unloaded; the oldest history is
 * archived, piece by piece.
 */
export function emergency(bench: Workbench, pass: number): void {
  for (const step of [removeOld, toParagraphs, unloadDocuments]) {
    if (!bench.isOverLimit) {
      return;
    }
    bench.make(step(bench), pass);
  }
  while (bench.isOverLimit) {
    const { tokens } = bench.totals.total;
    if (bench.make(archiveOldest(bench), pass).length === 0 || bench.totals.total.tokens >= tokens) {
      return;
    }
  }
}

/** What users said must hold stays, as one paragraph of exact sentences. */
function removeOld(bench: Workbench): readonly EditDraft[] {
  const { classified, view } = bench;
  const known = new Set(knownConstraints(bench));
  return runsOf(classified.groups, group => group.tier === 'tier4' && !group.isFixed && !group.isEdited).flatMap(
    groups => {
      const part = { groups, read: groups.map(group => summaryGroupOf(group, view)) };
      const summary = extractive.summarize(part.read, 'constraints', known);
      const draft = draftOf(part, summary, view, 'paragraph');
      const { active_constraints: constraints } = summary.record;
      if (constraints.length === 0) {
        return goneEdit(bench, 'remove', groups) ?? [];
      }
      if (!isSmaller(draft)) {
        // Short messages say what must hold in fewer words than a paragraph would: they stay.
        return [];
      }
      constraints.forEach(text => known.add(text));
      return [summaryEdit(draft)];
    },
  );
}

/** Raw history and summaries alike. */
function toParagraphs(bench: Workbench): readonly EditDraft[] {
  const { classified, view } = bench;
  const raw = extractiveDrafts(rawParts(bench), view, 'least', knownConstraints(bench), 'paragraph');
  const structured = classified.groups.flatMap(group => {
    const { edit } = group.entries[0] ?? {};
    if (edit?.kind !== 'summarize' || edit.form !== 'structured' || !edit.summary) {
      return [];
    }
    const draft = draftOf({ groups: [group], read: [] }, shorterSummary(edit.summary), view, 'paragraph', edit.actor);
    return isSmaller(draft) ? [{ ...summaryEdit(draft), replaces: [edit.edit], ...followed(edit) }] : [];
  });
  return [...structured, ...raw.filter(isSmaller).map(summaryEdit)];
}

function unloadDocuments(bench: Workbench): readonly EditDraft[] {
  const { classified, fold, view } = bench;
  return [...fold.budget.documents.values()].flatMap(state => {
    const groups = classified.groups.filter(group => group.document === state.document && isUnloadable(group));
    const edit = groups.length > 0 && !isReferenced(state, view) && goneEdit(bench, 'unload', groups);
    return edit ? [{ ...edit, document: state.document }] : [];
  });
}

function isUnloadable({ tier, isFixed, isEdited }: TieredGroup): boolean {
  return tier === 'tier2' && !isFixed && !isEdited;
}

/**
 * The oldest summaries, and raw messages, of those that quote no constraint; only when there is none left the oldest summaries
 * that do. One at least, and no more than are sure to be too few: measured piece by piece, a long history would take hours.
 */
function archiveOldest(bench: Workbench): readonly EditDraft[] {
  for (const isSpared of [holdsAny, () => false]) {
    const drafts = archiveOf(bench, group => {
      const { edit } = group.entries[0] ?? {};
      return edit ? edit.kind === 'summarize' && !isSpared(edit) : isTakeable(group, bench);
    });
    if (drafts.length > 0) {
      return drafts;
    }
  }
  return [];
}

function archiveOf(bench: Workbench, isArchivable: (group: TieredGroup) => boolean): readonly EditDraft[] {
  const { classified, view, config, totals, limits } = bench;
  const drafts: EditDraft[] = [];
  let excess = totals.bound - limits.hard;
  /** All before this group goes, and nothing is shown in its place. */
  let isFirst = true;
  for (const [place, group] of classified.groups.entries()) {
    const next = classified.groups[place + 1]?.entries[0];
    const { edit } = group.entries[0] ?? {};
    const begins: boolean = isFirst && isAnswer(next) && !isAnswer(view.entries[0]);
    const gone: EditDraft | undefined = isArchivable(group)
      ? goneEdit(bench, edit ? 'archive' : 'remove', [group], begins)
      : undefined;
    isFirst = isFirst && gone !== undefined && !begins;
    if (gone) {
      const amount = amountOf(group, view);
      excess -= amount.tokens + leewayOf([amount], config);
      if (drafts.length > 0 && excess <= 0) {
        break;
      }
      drafts.push(edit ? { ...gone, replaces: [edit.edit] } : gone);
    }
  }
  return drafts;
}

function holdsAny({ summary }: Edit): boolean {
  return (summary?.record.active_constraints.length ?? 0) > 0;
}

function isTakeable(group: TieredGroup, { view }: Workbench): boolean {
  return isRaw(group) && !group.isFixed && !holdsConstraint([summaryGroupOf(group, view)]);
}

function summaryEdit({ part, summary, message, actor, form }: SummaryDraft): EditDraft {
  return { kind: 'summarize', cause: 'over-limit', actor, units: unitsOf(part.groups), message, summary, form };
}

/** Nothing stands for the groups, unless the view would begin with an answer; absent where that would free nothing. */
function goneEdit(
  bench: Workbench,
  kind: EditKind,
  groups: readonly TieredGroup[],
  begins = bench.wouldBeginWithAnswer(groups),
): EditDraft | undefined {
  const { view } = bench;
  const message = begins ? view.format.userMessage(GAP_TEXT) : undefined;
  if (tokensOf(groups, view) <= (message ? view.tokensOf(message).tokens : 0)) {
    return undefined;
  }
  return { kind, cause: 'over-limit', actor: LAYER, units: unitsOf(groups), ...(message && { message }) };
}
