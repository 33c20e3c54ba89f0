import type { UsageReport } from '../../protocol/budget/usageReport.ts';
import type { Message } from '../../protocol/lifecycle/text.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';

/** How a session stands to its limits, by its last measured request. */
export interface BudgetStatus {
  readonly level: 'normal' | 'warning' | 'error';
  /** Why, in words; absent where the level is normal. */
  readonly reason?: Message;
}

/** Numbers that are only estimated count with head-room: within the limit, they may still be above it. */
const BLOCKED = {
  above: '{0}% of the window: above the limit, so request {1} was not sent',
  maybe: '{0}% of the window: maybe above the limit, so request {1} was not sent',
} as const;
const WARNED = {
  above: '{0}% of the window: above the limit, and sent all the same',
  maybe: '{0}% of the window: maybe above the limit, and sent all the same',
} as const;

/** seed 3, rules 2 and 4: a warning from the trigger on, an error above the limit. */
export function budgetStatus(report: UsageReport, { budget }: Pick<SessionState, 'budget'>): BudgetStatus {
  const { flags, total, limits, status, requestSequence } = report;
  const { percent } = total;
  const last = budget.measures.get(budget.measures.length - 1);
  if (status === 'CRITICAL') {
    const isAbove = total.tokens > limits.hard;
    const reason =
      last?.gate === 'blocked'
        ? sentence(isAbove ? BLOCKED.above : BLOCKED.maybe, percent, requestSequence)
        : sentence(isAbove ? WARNED.above : WARNED.maybe, percent);
    return { level: 'error', reason };
  }
  if (flags.includes('near-limit')) {
    return { level: 'warning', reason: sentence('{0}% of the window: the limit is near', percent) };
  }
  if (flags.includes('pressure')) {
    const reason = budget.armed
      ? sentence('{0}% of the window: history will be compressed', percent)
      : sentence('{0}% of the window: history is compressed when it grows', percent);
    return { level: 'warning', reason };
  }
  return { level: 'normal' };
}

/** How often history was compressed or cut, for a row. */
export function compressionsText(count: number): Message {
  switch (count) {
    case 0:
      return sentence('never compressed');
    case 1:
      return sentence('compressed once');
    default:
      return sentence('compressed {0} times', count);
  }
}
