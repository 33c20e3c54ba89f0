import type { LifecycleEvent } from '../../lifecycle/lifecycleEvents.ts';
import type { LifecycleState } from '../../lifecycle/lifecycleState.ts';
import type { Sha256 } from '../../request/hashing.ts';
import type { BudgetEvent, Summary } from '../budgetEvents.ts';
import { setTier1 } from '../tier1.ts';
import type { HandoffFile } from './handoffFile.ts';

/** A document or source, as it is now. */
export interface FoundDocument {
  readonly document: string;
  /** SHA-256 of its text; absent where it cannot be read, or nobody looked. */
  readonly sha256?: string;
  /** Nobody looked: there are too many, or it would take too long. */
  readonly unread?: boolean;
}

export interface DocumentChange {
  readonly document: string;
  /** `unknown`: the file does not say what it was. */
  readonly change: 'same' | 'changed' | 'missing' | 'unknown';
}

/** What a new session takes over. None of it is searched for tags. */
export interface ResumePlan {
  readonly from: string;
  /** For the log, before any source is loaded: what was discarded stays so, what was consumed is not audited again. */
  readonly lifecycle: readonly LifecycleEvent[];
  /** For the log, behind those. */
  readonly budget: readonly BudgetEvent[];
  readonly documents: readonly DocumentChange[];
  /** What the new session does not know, in sentences. */
  readonly gaps: readonly string[];
  /** What its first request is shown of the history (`BudgetView.resumed`). */
  readonly resumed: Resumed;
}

export interface Resumed {
  readonly from: string;
  readonly summaries: readonly Summary[];
  /** One message that tells what is missing. */
  readonly noticeText: string;
}

export interface ResumeInput {
  readonly file: HandoffFile;
  /** Of the file's text. */
  readonly fileSha256: string;
  /** Of the new session; empty where nothing was loaded yet. */
  readonly lifecycle: LifecycleState;
  /** What the adapter found where the file's documents came from. */
  readonly found: readonly FoundDocument[];
  readonly requestSequence: number;
  readonly sha256: Sha256;
}

/** So many gaps are told, and of so many results the names: a message of the model stays in every request. The file has all. */
const MOST_TOLD = 50;

/** seed 3, rule 6: how a session goes on from a handoff file. */
export function resumeHandoff(input: ResumeInput): ResumePlan {
  const { file, fileSha256, requestSequence, sha256 } = input;
  const documents = changesOf(file, input.found);
  const gaps = gapsOf(file, documents);
  const asker = { source: `handoff:${file.session}`, class: 'host-workflow', requestSequence } as const;
  const blocks = file.lifecycle.blocks.map(({ blockId, status }) => ({ blockId, status }));
  return {
    from: file.session,
    lifecycle: lifecycleEventsOf(input),
    budget: [
      ...(file.tier1 ? [setTier1(file.tier1, asker, sha256, 'resume')] : []),
      {
        type: 'budget/handoff',
        data: {
          action: 'resumed',
          from: file.session,
          sha256: fileSha256,
          blocks,
          sessions: file.sessions,
          gaps,
          requestSequence,
        },
      },
    ],
    documents,
    gaps,
    resumed: { from: file.session, summaries: file.history, noticeText: noticeOf(file, gaps) },
  };
}

function changesOf({ documents }: HandoffFile, found: readonly FoundDocument[]): readonly DocumentChange[] {
  const now = new Map(found.map(one => [one.document, one]));
  return documents.map(({ document, sha256 }) => {
    const { sha256: current, unread = false } = now.get(document) ?? {};
    const known = sha256 === undefined ? 'unknown' : current === sha256 ? 'same' : 'changed';
    return { document, change: unread ? 'unknown' : current === undefined ? 'missing' : known };
  });
}

function gapsOf(
  { gaps, omitted_results: results }: HandoffFile,
  documents: readonly DocumentChange[],
): readonly string[] {
  const sentences = {
    same: undefined,
    changed: (name: string) => `${name} has changed since.`,
    missing: (name: string) => `${name} cannot be read any more.`,
    unknown: (name: string) => `Whether ${name} has changed since is not known.`,
  } as const;
  const all = [
    ...gaps,
    ...documents.flatMap(({ document, change }) => sentences[change]?.(document) ?? []),
    ...(results.length > 0
      ? [`Results of tools were not saved (${results.length}): ${firstOf(results, 'others').join(', ')}.`]
      : []),
  ];
  return firstOf(all, 'other gaps.');
}

function firstOf(all: readonly string[], others: string): readonly string[] {
  const left = all.length - MOST_TOLD;
  return left > 0 ? [...all.slice(0, MOST_TOLD), `and ${left} ${others}`] : all;
}

/** Each part is one line of JSON, so that no line of it can be a tag. */
function noticeOf(file: HandoffFile, gaps: readonly string[]): string {
  const { session, pending_actions: pending, task_state: state, error_history: errors } = file;
  return [
    `This session goes on from session ${JSON.stringify(session)}, of which summaries are left.`,
    ...(Object.keys(state).length > 0 ? [`State of the task: ${JSON.stringify(state)}`] : []),
    ...(pending.length > 0 ? [`Pending: ${JSON.stringify(pending)}`] : []),
    ...(errors.length > 0 ? [`Last errors: ${JSON.stringify(errors)}`] : []),
    `Gaps: ${gaps.length > 0 ? JSON.stringify(gaps) : 'none are known.'}`,
  ].join('\n');
}

/** The handoff's words decide nothing: what they tell was decided, and audited, in the session before. */
function lifecycleEventsOf({ file, lifecycle, requestSequence }: ResumeInput): readonly LifecycleEvent[] {
  const { blocks, consumed, controls } = file.lifecycle;
  const ruleOf = (rule: string) => `taken over from session ${file.session}: ${rule}`;
  const events: LifecycleEvent[] = [];
  for (const { blockId, activated, discarded } of blocks) {
    const known = lifecycle.blocks.get(blockId);
    if (!discarded || known?.status === 'discarded') {
      continue;
    }
    if (!known) {
      const { unit: _, ...facts } = activated;
      const data = { ...facts, blockId, trigger: 'load', rule: ruleOf(activated.rule), requestSequence } as const;
      events.push({ type: 'block/activated', data });
    }
    const data = { ...discarded, blockId, trigger: 'load', rule: ruleOf(discarded.rule), requestSequence } as const;
    events.push({ type: 'block/discarded', data });
  }
  for (const { type, ...control } of controls) {
    const data = { ...control, trigger: 'message', rule: ruleOf(control.rule), requestSequence } as const;
    events.push({ type, data });
  }
  const known = new Set(lifecycle.ephemerals.toArray().map(({ unit }) => unit));
  let ordinal = lifecycle.ephemerals.length;
  for (const unit of consumed.filter(one => !known.has(one.unit))) {
    const data = { ...unit, ordinal, trigger: 'assistant-response', rule: ruleOf(unit.rule), requestSequence } as const;
    events.push({ type: 'ephemeral/consumed', data });
    ordinal++;
  }
  return events;
}
