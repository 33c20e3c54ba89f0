import type { LifecycleState } from '../lifecycle/lifecycleState.ts';
import { type Amount, sumOf } from '../log/amounts.ts';
import type { EditedEntry } from './applyEdits.ts';
import type { Limits } from './budgetEvents.ts';
import type { BudgetState } from './budgetState.ts';
import type { BudgetConfig, BudgetView } from './budgetView.ts';
import { leewayOf } from './gate.ts';
import { type Group, groupsOf, isQuestion } from './groups.ts';
import { type Tier, tierMaximum } from './limits.ts';

/** seed 3, rule 1: the last messages that stay as they are. */
const RECENT_MESSAGES = 50;

/** seed 3, rule 4: no emergency takes these either. */
const KEPT_MESSAGES = 20;

export interface TieredGroup extends Group<EditedEntry> {
  readonly tier: Tier;
  readonly amount: Amount;
  /** By how much that may be more. */
  readonly leeway: number;
  /** No edit may take it. */
  readonly isFixed: boolean;
  /** An edit's message stands in it. */
  readonly isEdited: boolean;
  /** Of a document of the second tier. */
  readonly document?: string;
}

export interface Classified {
  readonly groups: readonly TieredGroup[];
  /** Length of the host's transcript. */
  readonly messages: number;
  /** The recent messages take more than their tier may, or one of them alone does. */
  readonly isOverMaximum: boolean;
  readonly hasOversized: boolean;
}

/** What the session's log says, as far as the layer reads it. */
export interface BudgetFold {
  readonly lifecycle: LifecycleState;
  readonly budget: BudgetState;
}

/**
 * The history tier by tier (tiers 4, rule 1), first match wins: pinned; a document; what touches the last 50 messages of the
 * transcript, in whole groups; all else, raw or summarised. Where the recent ones take more than their tier may, the oldest of
 * them count as history: that changes no byte.
 */
export function classify(
  entries: readonly EditedEntry[],
  view: BudgetView,
  fold: BudgetFold,
  limits: Limits,
  config: Pick<BudgetConfig, 'headroom'>,
): Classified {
  const messages = transcriptLength(view);
  const documents = documentsByUnit(fold.budget);
  const waiting = unconsumed(fold.lifecycle);
  const all = groupsOf(entries);
  const asked = all.findLast(isQuestion);
  const groups = all.map((group): TieredGroup => {
    const document = documentOf(group, documents);
    const isPinned = group.keys.some(key => view.pinned?.has(key));
    const amounts = group.entries.map(({ message }) => view.tokensOf(message));
    return {
      ...group,
      tier: isPinned
        ? 'tier1'
        : document !== undefined
          ? 'tier2'
          : isWithin(group, messages - RECENT_MESSAGES)
            ? 'tier4'
            : 'tier3',
      amount: sumOf(amounts),
      leeway: leewayOf(amounts, config),
      isFixed: isPinned || group === asked || !isTakeable(group, messages) || group.keys.some(key => waiting.has(key)),
      isEdited: group.entries.some(({ edit }) => edit !== undefined),
      ...(document !== undefined && { document }),
    };
  });
  return { ...spilled(placedNotices(groups), limits), messages };
}

/** Groups of the host, with no call that waits for its result, and not among the very last messages. */
function isTakeable(group: Group, messages: number): boolean {
  return (
    group.firstHost !== undefined &&
    !group.isOpen &&
    !isWithin(group, messages - KEPT_MESSAGES) &&
    group.entries.every(entry => entry.host !== undefined && (entry.role !== 'system' || entry.item))
  );
}

/** Whether a group touches the messages from this place on. */
function isWithin({ lastHost }: Group, from: number): boolean {
  return lastHost !== undefined && lastHost >= from;
}

/** Counted in the transcript, not in the edited view. */
export function transcriptLength({ entries }: Pick<BudgetView, 'entries'>): number {
  return (entries.findLast(({ host }) => host !== undefined)?.host ?? -1) + 1;
}

/** Whether a group holds what no answer has consumed yet. */
export function isUnconsumed({ keys }: Group, lifecycle: LifecycleState): boolean {
  const waiting = unconsumed(lifecycle);
  return keys.some(key => waiting.has(key));
}

/** seed 1: they go out whole once. */
function unconsumed({ ephemerals }: LifecycleState): ReadonlySet<string> {
  const waiting = new Set<string>();
  for (const { unit, consumed } of ephemerals) {
    if (!consumed) {
      waiting.add(unit);
    }
  }
  return waiting;
}

function documentsByUnit({ documents }: BudgetState): ReadonlyMap<string, string> {
  return new Map(
    [...documents.values()].flatMap(({ document, units }) => units.map(unit => [unit, document] as const)),
  );
}

function documentOf({ keys }: Group, documents: ReadonlyMap<string, string>): string | undefined {
  const found = documents.size > 0 ? documents.get(keys[0] ?? '') : undefined;
  return found !== undefined && keys.every(key => documents.get(key) === found) ? found : undefined;
}

/** A summary is history wherever it stands; what is appended counts with what stands before it. */
function placedNotices(groups: readonly TieredGroup[]): readonly TieredGroup[] {
  let isRecent = false;
  return groups.map(group => {
    if (group.firstHost !== undefined) {
      isRecent ||= group.tier === 'tier4';
      return group;
    }
    const isSummary = group.entries.some(({ edit }) => edit !== undefined && edit.kind !== 'append');
    return isRecent && group.tier === 'tier3' && !isSummary ? { ...group, tier: 'tier4' as const } : group;
  });
}

/** The newest group stays, however large it is. */
function spilled(groups: readonly TieredGroup[], limits: Limits): Omit<Classified, 'messages'> {
  const maximum = tierMaximum(limits, 'tier4');
  const recent = groups.filter(({ tier }) => tier === 'tier4');
  let tokens = 0;
  let kept = 0;
  for (const { amount } of recent.toReversed()) {
    tokens += amount.tokens;
    if (kept > 0 && tokens > maximum) {
      break;
    }
    kept++;
  }
  const spill = new Set(recent.slice(0, recent.length - kept));
  return {
    groups: spill.size === 0 ? groups : groups.map(group => (spill.has(group) ? { ...group, tier: 'tier3' } : group)),
    isOverMaximum: spill.size > 0,
    hasOversized: recent.some(({ amount }) => amount.tokens > maximum),
  };
}
