import type { LifecycleState } from '../../lifecycle/lifecycleState.ts';
import { isJsonObject, type Json, type JsonObject } from '../../request/json.ts';
import type { LogEvent } from '../../request/logEvent.ts';
import { applyEdits, type EditedEntry, editsInForce } from '../applyEdits.ts';
import type { BudgetContents } from '../budgetContents.ts';
import type { Summary } from '../budgetEvents.ts';
import type { BudgetView } from '../budgetView.ts';
import type { BudgetFold } from '../classification.ts';
import { groupsOf } from '../groups.ts';
import { extractive } from '../summary/extractive.ts';
import { errorsOf } from '../summary/outcomes.ts';
import type { SummaryGroup } from '../summary/summarizer.ts';
import { summaryGroupOf } from '../summary/summaryGroups.ts';
import { tier1Text } from '../tier1.ts';
import { HANDOFF_VERSION, type HandoffFile } from './handoffFile.ts';

/** seed 3, rule 6. */
const MOST_ERRORS = 10;

/** An error is told by its first line, cut here. */
const LONGEST_ERROR = 240;

/** What a session is saved from. */
export interface SavedSession {
  readonly session: string;
  /** The handoff that it went on from itself. */
  readonly parent?: Pick<HandoffFile, 'session' | 'sessions'>;
  /** Unix milliseconds. */
  readonly created: number;
  /** Its whole transcript, as the next request would show it. */
  readonly view: Pick<BudgetView, 'entries' | 'edits' | 'format' | 'order' | 'timeOf' | 'topicOf' | 'sha256'>;
  readonly fold: BudgetFold;
  readonly contents: BudgetContents;
  /** The whole log. */
  readonly events: readonly LogEvent[];
  readonly taskState?: JsonObject;
  readonly pendingActions?: readonly Json[];
  /** What is missing from the view, in sentences. */
  readonly gaps?: readonly string[];
}

/**
 * seed 3, rule 6: what another session needs. All history that no summary stands for, the recent messages too, is summarised
 * first, so that nothing goes unseen; results of tools are named, and not saved.
 */
export function saveHandoff(saved: SavedSession): HandoffFile {
  const { session, parent, created, fold, contents, taskState = {}, pendingActions = [], gaps = [] } = saved;
  const { history, errors, results } = historyOf(saved);
  const { budget } = fold;
  const { tier1 } = contents;
  const overrides = contents.superseded.map(({ old, now }) => ({ old, ...(now !== undefined && { now }) }));
  return {
    schema: 'context-lifecycle/handoff',
    version: HANDOFF_VERSION,
    session,
    ...(parent && { parent: parent.session }),
    created,
    ...(tier1 && { tier1: { ...tier1, sha256: saved.view.sha256(tier1Text(tier1)), overrides } }),
    history,
    task_state: taskState,
    pending_actions: pendingActions,
    error_history: errors.slice(-MOST_ERRORS),
    lifecycle: lifecycleOf(fold.lifecycle, saved.events),
    sessions: [
      ...(parent?.sessions ?? []),
      { session, requests: budget.requests, turns: budget.turns, compressions: budget.compressions },
    ],
    documents: documentsOf(fold),
    omitted_results: results,
    gaps,
  };
}

function historyOf({ view }: SavedSession) {
  const entries: readonly EditedEntry[] = applyEdits(view.entries, editsInForce(view.edits), view.order);
  const history: Summary[] = [];
  const errors: string[] = [];
  const results: string[] = [];
  const known = new Set<string>();
  let raw: SummaryGroup[] = [];
  const summarizeRaw = () => {
    for (const part of extractive.split(raw)) {
      const summary = extractive.summarize(part, 'full', known);
      summary.record.active_constraints.forEach(text => known.add(text));
      history.push(summary);
    }
    raw = [];
  };
  for (const group of groupsOf(entries)) {
    const { edit } = group.entries[0] ?? {};
    if (edit?.summary) {
      summarizeRaw();
      history.push(edit.summary);
      errors.push(...edit.summary.record.errors_encountered);
      edit.summary.record.active_constraints.forEach(text => known.add(text));
    } else if (!edit) {
      const read = summaryGroupOf(group, view);
      raw.push(read);
      errors.push(...errorsOf(read.units, LONGEST_ERROR));
      results.push(...read.units.filter(({ kind }) => kind === 'tool-result').map(({ unit }) => unit));
    }
  }
  summarizeRaw();
  return { history, errors, results };
}

function lifecycleOf({ blocks, ephemerals }: LifecycleState, events: readonly LogEvent[]): HandoffFile['lifecycle'] {
  return {
    blocks: [...blocks.values()].map(({ id, status, activated, discarded }) => {
      const { endLine, bytes, sha256 } = activated;
      return {
        blockId: id,
        status,
        activated: { ...factsOf(activated), endLine, bytes, sha256 },
        ...(discarded && { discarded: factsOf(discarded) }),
      };
    }),
    consumed: ephemerals.toArray().flatMap(({ consumed }) => {
      if (!consumed) {
        return [];
      }
      const { unit, source, class: sourceClass, rule, bytes, tombstoneBytes } = consumed;
      return [{ unit, source, class: sourceClass, rule, bytes, tombstoneBytes }];
    }),
    controls: events.flatMap(({ type, data }) => {
      const isControl = type === 'discard/repeated' || type === 'discard/unknown' || type === 'discard/denied';
      const facts = data as unknown as Facts & { readonly blockId: string };
      return isControl && isJsonObject(data) && facts.unit !== undefined
        ? [{ type, blockId: facts.blockId, ...factsOf(facts) }]
        : [];
    }),
  };
}

type Facts = NonNullable<HandoffFile['lifecycle']['blocks'][number]['discarded']>;

function factsOf({ source, class: sourceClass, rule, line, unit }: Facts): Facts {
  return {
    source,
    class: sourceClass,
    rule,
    ...(line !== undefined && { line }),
    ...(unit !== undefined && { unit }),
  };
}

/** What a resume reads again from where it came. */
function documentsOf({ budget, lifecycle }: BudgetFold): HandoffFile['documents'] {
  const documents = [...budget.documents.values()].map(({ document, sha256 }) => ({
    document,
    ...(sha256 !== undefined && { sha256 }),
  }));
  const sources = [...lifecycle.sources.values()].map(({ loaded }) => ({
    document: loaded.source,
    sha256: loaded.sha256,
  }));
  return [...documents, ...sources.filter(({ document }) => !documents.some(other => other.document === document))];
}
