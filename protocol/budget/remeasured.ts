import type { Amount } from '../log/amounts.ts';
import type { Measured } from './budgetEvents.ts';
import type { BudgetConfig } from './budgetView.ts';
import { gateOf, isOverLimit, leewayOf, type MeasuredRequest, withReset } from './gate.ts';
import { TIERS } from './limits.ts';
import { flagsOf } from './totals.ts';

/** What stands beside the messages, by the sizes at the seal. */
export interface SealedSizes {
  readonly host: Amount;
  readonly unattributed: Measured['unattributed'];
  readonly total: Amount;
  /** By how much the tiers may be more (`BudgetedRequest.leeway`); absent where nobody knows which parts of them are estimated. */
  readonly leeway?: number;
  /** By how much all else may be more, where that is known otherwise than by its origins. */
  readonly leewayBeside?: number;
}

/**
 * A request as it is sealed, for hosts that say only after planning what stands beside their messages: its tiers are those that
 * were planned with; rows, flags and gate are made anew, with the request for a new session where it is above its limit now.
 */
export function remeasured(
  measured: Measured,
  { host, unattributed, total, leeway: planned, leewayBeside }: SealedSizes,
  config: Pick<BudgetConfig, 'headroom' | 'overLimit'>,
): MeasuredRequest {
  const { tiers, limits, flags } = measured;
  const ofTiers =
    planned ??
    leewayOf(
      TIERS.map(tier => tiers[tier]),
      config,
    );
  const bound = total.tokens + ofTiers + (leewayBeside ?? leewayOf([host, unattributed], config));
  const stays = {
    isOverMaximum: flags.includes('tier4-over-max'),
    hasOversized: flags.includes('message-over-max'),
  };
  const now: Measured = {
    ...measured,
    host,
    unattributed,
    total,
    gate: gateOf(isOverLimit(bound, limits), config),
    flags: flagsOf({ tiers, total, bound }, stays, limits),
  };
  return withReset(now, { host, ...tiers });
}
