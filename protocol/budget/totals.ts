import { type Amount, NOTHING, sumOf, weaker } from '../log/amounts.ts';
import type { Flag, Limits, Measured } from './budgetEvents.ts';
import type { BudgetConfig, BudgetView } from './budgetView.ts';
import type { Classified, TieredGroup } from './classification.ts';
import { isOverLimit, leewayOf } from './gate.ts';
import { isNearLimit, isOverTrigger, TIERS, type Tier, tierMaximum } from './limits.ts';

/** What a request takes, in rows that add up to the total. */
export interface Totals extends Pick<Measured, 'tiers' | 'host' | 'unattributed' | 'total' | 'rawHistory'> {
  /** What the total may really be, with all that is estimated in it; the log does not have it. */
  readonly bound: number;
  /** What the tiers' share of that is. */
  readonly leeway: number;
}

/** Of the view that these groups make. */
export function totalsOf(
  groups: readonly TieredGroup[],
  view: BudgetView,
  config: Pick<BudgetConfig, 'tier1Blocks' | 'headroom'>,
): Totals {
  const { tier1Blocks = [] } = config;
  const first = new Set(tier1Blocks);
  const blocks = (isFirst: boolean) =>
    view.blocks.filter(({ id }) => first.has(id) === isFirst).map(block => block.amount);
  const beside: Readonly<Record<Tier, readonly Amount[]>> = {
    tier1: [view.tier1, ...blocks(true)],
    tier2: blocks(false),
    tier3: [],
    tier4: [],
  };
  const sum = (tier: Tier) =>
    sumOf([...beside[tier], ...groups.filter(group => group.tier === tier).map(({ amount }) => amount)]);
  const tiers = { tier1: sum('tier1'), tier2: sum('tier2'), tier3: sum('tier3'), tier4: sum('tier4') };
  const { system, tools, prefix } = view.host;
  const host = sumOf([system, tools, prefix]);
  const unattributed = view.unattributed ?? NOTHING;
  const parts = sumOf([...TIERS.map(tier => tiers[tier]), host]);
  const tokens = Math.max(0, parts.tokens + unattributed.tokens);
  const leeway = groups.reduce(
    (sum, group) => sum + group.leeway,
    leewayOf([view.tier1, ...view.blocks.map(({ amount }) => amount)], config),
  );
  return {
    tiers,
    host,
    unattributed,
    total: { tokens, origin: view.unattributed ? unattributed.origin : parts.origin },
    bound: tokens + leeway + leewayOf([system, tools, prefix, unattributed], config),
    leeway,
    rawHistory: sumOf(groups.filter(isRaw).map(({ amount }) => amount)),
  };
}

/** History that no summary stands for. */
export function isRaw({ tier, isEdited }: TieredGroup): boolean {
  return tier === 'tier3' && !isEdited;
}

/** A total with some tokens less and others more. */
export function changedTotal(total: Amount, gone: Amount, come: Amount): Amount {
  return {
    tokens: Math.max(0, total.tokens - gone.tokens + come.tokens),
    origin: weaker(total.origin, weaker(gone.origin, come.origin)),
  };
}

/** What is out of the ordinary in a request, in fixed order. */
export function flagsOf(
  { total, tiers, bound }: Pick<Totals, 'total' | 'tiers' | 'bound'>,
  { isOverMaximum, hasOversized }: Pick<Classified, 'isOverMaximum' | 'hasOversized'>,
  limits: Limits,
): readonly Flag[] {
  const isAbove = (tier: Tier) => tiers[tier].tokens > tierMaximum(limits, tier);
  const flags: readonly (readonly [Flag, boolean])[] = [
    ['pressure', isOverTrigger(total.tokens, limits)],
    ['near-limit', isNearLimit(total.tokens, limits)],
    ['tier1-over-max', isAbove('tier1')],
    ['tier2-over-max', isAbove('tier2')],
    ['tier4-over-max', isOverMaximum],
    ['message-over-max', hasOversized],
    ['over-limit', isOverLimit(bound, limits)],
  ];
  return flags.flatMap(([flag, isSet]) => (isSet ? [flag] : []));
}
