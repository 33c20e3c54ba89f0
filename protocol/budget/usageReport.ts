import type { Measured, Sourced } from './budgetEvents.ts';
import type { BudgetState } from './budgetState.ts';
import { isoTime } from './isoTime.ts';
import { TIERS, type Tier, tierMaximum } from './limits.ts';

/** seed 3, rule 7. `CRITICAL`: above the hard limit, or a reset is asked for. `COMPRESSED`: an edit shows in the view. */
export type UsageStatus = 'NORMAL' | 'COMPRESSED' | 'CRITICAL';

type Origin = Measured['total']['origin'];

/** One row: tokens, what it may take, and how much of that it takes, in whole hundredths. */
export interface UsageRow {
  readonly tokens: number;
  readonly origin: Origin;
  readonly max: number;
  /** Rounded half up, and never cut at 100. */
  readonly percent: number;
}

/** The report as data. Tiers, host and `unattributed` add up to the total. */
export interface UsageReport {
  readonly requestSequence: number;
  readonly tiers: Readonly<Record<Tier, UsageRow>>;
  readonly host: { readonly tokens: number; readonly origin: Origin };
  readonly unattributed: { readonly tokens: number; readonly origin: Origin };
  readonly total: UsageRow;
  readonly limits: {
    readonly window: Sourced;
    readonly inputLimit?: Sourced;
    readonly outputReserve?: Sourced;
    readonly learned?: Sourced;
    readonly hard: number;
    readonly binds: Measured['limits']['binds'];
  };
  readonly status: UsageStatus;
  readonly flags: Measured['flags'];
  readonly compressions: number;
  readonly contradictions: number;
  /** ISO 8601 in UTC; absent where nothing was checked yet. */
  readonly lastCheck?: string;
  /** The report as seed 3 has it, with `\n` between its lines and none at the end. */
  readonly text: string;
}

/**
 * What the last request of a session takes, as its log says; absent where the layer measured none. It reads the state alone,
 * so at one event it is the same for everyone.
 */
export function usageReport({ budget }: { readonly budget: BudgetState }): UsageReport | undefined {
  const measured = budget.measures.get(budget.measures.length - 1);
  if (!measured) {
    return undefined;
  }
  const { tiers, host, unattributed, total, limits, flags, requestSequence } = measured;
  const row = (tier: Tier) => rowOf(tiers[tier], tierMaximum(limits, tier));
  const rows = { tier1: row('tier1'), tier2: row('tier2'), tier3: row('tier3'), tier4: row('tier4') };
  const status = statusOf(measured, budget);
  const report = {
    requestSequence,
    tiers: rows,
    host,
    unattributed,
    total: rowOf(total, limits.window.tokens),
    limits,
    status,
    flags,
    compressions: budget.compressions,
    contradictions: budget.contradictions,
    ...(budget.lastCheck && { lastCheck: isoTime(budget.lastCheck.time) }),
  };
  return { ...report, text: textOf(report) };
}

function statusOf({ flags, edited }: Measured, { resetPending }: BudgetState): UsageStatus {
  if (resetPending || flags.includes('over-limit')) {
    return 'CRITICAL';
  }
  return edited ? 'COMPRESSED' : 'NORMAL';
}

function rowOf({ tokens, origin }: Measured['total'], max: number): UsageRow {
  return { tokens, origin, max, percent: max > 0 ? Math.floor((tokens * 200 + max) / (2 * max)) : 0 };
}

/** seed 3, rule 7, to the character. */
function textOf({ tiers, total, status, compressions, lastCheck = 'never' }: Omit<UsageReport, 'text'>): string {
  return [
    'Context Usage Report:',
    ...TIERS.map((tier, index) => `  TIER ${index + 1}: ${amountOf(tiers[tier])}`),
    `  Total:  ${amountOf(total)}`,
    `  Status: ${status}`,
    `  Compressions performed: ${compressions}`,
    `  Last coherence check: ${lastCheck}`,
  ].join('\n');
}

function amountOf({ tokens, max, percent }: UsageRow): string {
  return `${tokens} / ${max} (${percent}%)`;
}
