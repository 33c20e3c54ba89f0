import { type Amount, NOTHING, sumOf, weaker } from '../log/amounts.ts';
import type { Flag, Limits, Measured } from './budgetEvents.ts';
import type { BudgetConfig, BudgetView } from './budgetView.ts';
import type { Classified, TieredGroup } from './classification.ts';
import { isNearLimit, isOverTrigger, TIERS, type Tier, tierMaximum } from './limits.ts';

/** What a request takes, in rows that add up to the total. */
export type Totals = Pick<Measured, 'tiers' | 'host' | 'unattributed' | 'total' | 'rawHistory'>;

/** specs/tokens.md 4: the head-room of the gate where nothing is known of a tokenizer. */
const HEADROOM = 1.25;

/** Of the view that these groups make. */
export function totalsOf(
  groups: readonly TieredGroup[],
  view: BudgetView,
  { tier1Blocks = [] }: Pick<BudgetConfig, 'tier1Blocks'>,
): Totals {
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
  const host = sumOf([view.host.system, view.host.tools, view.host.prefix]);
  const unattributed = view.unattributed ?? NOTHING;
  const parts = sumOf([...TIERS.map(tier => tiers[tier]), host]);
  return {
    tiers,
    host,
    unattributed,
    total: {
      tokens: Math.max(0, parts.tokens + unattributed.tokens),
      origin: view.unattributed ? unattributed.origin : parts.origin,
    },
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

/** What the gate compares with the limit: of an estimate, as much as it may really be. */
function upperBound({ tokens, origin }: Amount, { headroom = HEADROOM }: Pick<BudgetConfig, 'headroom'>): number {
  return origin === 'estimated' ? Math.ceil(tokens * headroom) : tokens;
}

/** Whether a request of this size may not be sent without a word. */
export function isOverLimit(total: Amount, { hard }: Limits, config: Pick<BudgetConfig, 'headroom'>): boolean {
  return upperBound(total, config) > hard;
}

/** What is out of the ordinary in a request, in fixed order. */
export function flagsOf(
  { total, tiers }: Totals,
  { isOverMaximum, hasOversized }: Pick<Classified, 'isOverMaximum' | 'hasOversized'>,
  limits: Limits,
  config: Pick<BudgetConfig, 'headroom'>,
): readonly Flag[] {
  const isAbove = (tier: Tier) => tiers[tier].tokens > tierMaximum(limits, tier);
  const flags: readonly (readonly [Flag, boolean])[] = [
    ['pressure', isOverTrigger(total.tokens, limits)],
    ['near-limit', isNearLimit(total.tokens, limits)],
    ['tier1-over-max', isAbove('tier1')],
    ['tier2-over-max', isAbove('tier2')],
    ['tier4-over-max', isOverMaximum],
    ['message-over-max', hasOversized],
    ['over-limit', isOverLimit(total, limits, config)],
  ];
  return flags.flatMap(([flag, isSet]) => (isSet ? [flag] : []));
}
