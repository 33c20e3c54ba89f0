import { type Amount, NOTHING, sumOf, weaker } from '../log/amounts.ts';
import type { Flag, Limits, Measured } from './budgetEvents.ts';
import type { BudgetConfig, BudgetView } from './budgetView.ts';
import { type Classified, readingOf } from './classification.ts';
import { isOverLimit, leewayOf } from './gate.ts';
import { isNearLimit, isOverTrigger, TIERS, type Tier, tierMaximum } from './limits.ts';
import type { TierSums } from './memo/tierSums.ts';

/** What a request takes, in rows that add up to the total. */
export interface Totals extends Pick<Measured, 'tiers' | 'host' | 'unattributed' | 'total' | 'rawHistory'> {
  /** What the total may really be, with all that is estimated in it; the log does not have it. */
  readonly bound: number;
  /** What the tiers' share of that is. */
  readonly leeway: number;
}

/** Of the view whose groups take these. */
export function totalsOf(
  { tiers: counted, raw }: TierSums,
  view: BudgetView,
  config: Pick<BudgetConfig, 'tier1Blocks' | 'headroom'>,
): Totals {
  const first = new Set(config.tier1Blocks);
  const read = readingOf(view);
  const blocks = (isFirst: boolean) =>
    view.blocks.filter(({ id }) => first.has(id) === isFirst).map(block => block.amount);
  const parts: Readonly<Record<Tier, readonly Amount[]>> = {
    tier1: [view.tier1, ...blocks(true), ...counted.tier1.amounts(read)],
    tier2: [...blocks(false), ...counted.tier2.amounts(read)],
    tier3: counted.tier3.amounts(read),
    tier4: counted.tier4.amounts(read),
  };
  const { system, tools, prefix } = view.host;
  const host = [system, tools, prefix];
  const all = TIERS.flatMap(tier => parts[tier]);
  const explained = sumOf([...all, ...host]);
  const unattributed = view.unattributed ?? NOTHING;
  const tokens = Math.max(0, explained.tokens + unattributed.tokens);
  const leeway = leewayOf(all, config);
  return {
    tiers: {
      tier1: sumOf(parts.tier1),
      tier2: sumOf(parts.tier2),
      tier3: sumOf(parts.tier3),
      tier4: sumOf(parts.tier4),
    },
    host: sumOf(host),
    unattributed,
    total: { tokens, origin: view.unattributed ? unattributed.origin : explained.origin },
    bound: tokens + leeway + leewayOf([...host, unattributed], config),
    leeway,
    rawHistory: raw.amount(read),
  };
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
