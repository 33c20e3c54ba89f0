import { leewayOf } from '../../protocol/budget/gate.ts';
import { TIERS } from '../../protocol/budget/limits.ts';
import type { SealedSizes } from '../../protocol/budget/remeasured.ts';
import { sumOf } from '../../protocol/log/amounts.ts';
import type { Sizes } from '../../protocol/log/sessionEvents.ts';
import type { PlannedRequest } from './budgetLayer.ts';

/** What a request's tiers leave of its sizes at the seal, in rows that add up to its total with them. */
export function besideTiers(
  { system, tools, total }: Sizes,
  { measured, prefix, rebased, headroom }: PlannedRequest,
): SealedSizes {
  const host = sumOf([system, tools, prefix]);
  const { tokens } = sumOf([host, ...TIERS.map(tier => measured.tiers[tier])]);
  const unattributed = { tokens: total.tokens - tokens, origin: total.origin };
  const leewayBeside = leewayOf([measured.host, measured.unattributed], headroom === undefined ? {} : { headroom });
  return { host, unattributed, total, ...(rebased && { leewayBeside }) };
}
