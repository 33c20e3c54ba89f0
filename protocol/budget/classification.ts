import type { LifecycleState } from '../lifecycle/lifecycleState.ts';
import type { Amount } from '../log/amounts.ts';
import type { Limits } from './budgetEvents.ts';
import type { BudgetState } from './budgetState.ts';
import type { BudgetView } from './budgetView.ts';
import type { EditedEntry } from './editedEntry.ts';
import type { Group } from './groups.ts';
import { type Tier, tierMaximum } from './limits.ts';
import type { Tally } from './memo/tally.ts';
import type { TierSums } from './memo/tierSums.ts';

/** seed 3, rule 1: the last messages that stay as they are. */
const RECENT_MESSAGES = 50;

/** seed 3, rule 4: no emergency takes these either. */
const KEPT_MESSAGES = 20;

/** A group of the view, and what is said of its units. */
export interface MarkedGroup extends Group<EditedEntry> {
  /** What its messages take, as they were counted (`amountOf`). */
  readonly counted: Tally;
  readonly isPinned: boolean;
  /** The last question, or what no answer has consumed yet. */
  readonly isHeld: boolean;
  /** Of a document that is loaded. */
  readonly document?: string;
}

export interface TieredGroup extends Group<EditedEntry> {
  readonly tier: Tier;
  readonly counted: Tally;
  /** No edit may take it. */
  readonly isFixed: boolean;
  /** An edit's message stands in it. */
  readonly isEdited: boolean;
  /** Of a document of the second tier. */
  readonly document?: string;
}

export interface Classified {
  readonly groups: readonly TieredGroup[];
  /** What they take. */
  readonly sums: TierSums;
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
 * One group of the history (tiers 4, rule 1), first match wins: pinned; a document; what touches the last 50 messages of the
 * transcript, in whole groups; all else, raw or summarised.
 */
export function tieredGroup({ isPinned, isHeld, ...group }: MarkedGroup, messages: number): TieredGroup {
  return {
    ...group,
    tier: isPinned ? 'tier1' : group.document !== undefined ? 'tier2' : isRecent(group, messages) ? 'tier4' : 'tier3',
    isFixed: isPinned || isHeld || !isTakeable(group, messages),
    isEdited: group.entries.some(({ edit }) => edit !== undefined),
  };
}

/**
 * The groups from the first recent one on. Where the recent ones take more than their tier may, the oldest of them count as
 * history: that changes no byte.
 */
export function recentTiers(
  groups: readonly TieredGroup[],
  limits: Limits,
  view: BudgetView,
): Pick<Classified, 'groups' | 'isOverMaximum' | 'hasOversized'> {
  return spilled(placedNotices(groups), limits, view);
}

/** Whether a group touches the last messages of a transcript that is so long. */
export function isRecent(group: Pick<Group, 'lastHost'>, messages: number): boolean {
  return isWithin(group, messages - RECENT_MESSAGES);
}

/** What one of its groups takes, as the view reads its counts. */
export function amountOf({ counted }: Pick<TieredGroup, 'counted'>, view: Pick<BudgetView, 'counts'>): Amount {
  return counted.amount(readingOf(view));
}

/** How a sum of counts is read. */
export function readingOf({ counts }: Pick<BudgetView, 'counts'>): (counted: Amount) => Amount {
  return counts ? counted => counts.read(counted) : counted => counted;
}

/** History that no summary stands for. */
export function isRaw({ tier, isEdited }: Pick<TieredGroup, 'tier' | 'isEdited'>): boolean {
  return tier === 'tier3' && !isEdited;
}

/** Groups of the host, with no call that waits for its result, and not among the very last messages. */
function isTakeable(group: Group<EditedEntry>, messages: number): boolean {
  return (
    group.firstHost !== undefined &&
    !group.isOpen &&
    !isWithin(group, messages - KEPT_MESSAGES) &&
    group.entries.every(entry => entry.host !== undefined && (entry.role !== 'system' || entry.item))
  );
}

/** Whether a group touches the messages from this place on. */
function isWithin({ lastHost }: Pick<Group, 'lastHost'>, from: number): boolean {
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
function spilled(
  groups: readonly TieredGroup[],
  limits: Limits,
  view: BudgetView,
): Pick<Classified, 'groups' | 'isOverMaximum' | 'hasOversized'> {
  const maximum = tierMaximum(limits, 'tier4');
  const recent = groups.filter(({ tier }) => tier === 'tier4').map(group => ({ group, ...amountOf(group, view) }));
  let total = 0;
  let kept = 0;
  for (const { tokens } of recent.toReversed()) {
    total += tokens;
    if (kept > 0 && total > maximum) {
      break;
    }
    kept++;
  }
  const spill = new Set(recent.slice(0, recent.length - kept).map(({ group }) => group));
  return {
    groups: spill.size === 0 ? groups : groups.map(group => (spill.has(group) ? { ...group, tier: 'tier3' } : group)),
    isOverMaximum: spill.size > 0,
    hasOversized: recent.some(({ tokens }) => tokens > maximum),
  };
}
