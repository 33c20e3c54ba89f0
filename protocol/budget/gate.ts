import type { Amount } from '../log/amounts.ts';
import type { BudgetData, BudgetEvent, Limits, Measured } from './budgetEvents.ts';
import type { BudgetConfig } from './budgetView.ts';

/** Whose numbers may be too low, and by how much. */
type Headroom = Pick<BudgetConfig, 'headroom'>;

/** What a request takes, as the log has it. */
export interface MeasuredRequest {
  readonly measured: Measured;
  /** Where it is above its limit. */
  readonly reset?: BudgetEvent;
}

/** specs/tokens.md 4: the head-room of the gate where nothing is known of a tokenizer. */
const HEADROOM = 1.25;

/**
 * By how many tokens these may be more than they say (tiers 6: the gate uses the upper bound): each estimate times the
 * head-room, rounded up. What is exact or anchored is what it says; so is what is below zero.
 */
export function leewayOf(amounts: readonly Amount[], { headroom = HEADROOM }: Headroom): number {
  let leeway = 0;
  for (const { tokens, origin } of amounts) {
    leeway += origin === 'estimated' && tokens > 0 ? Math.ceil(tokens * headroom) - tokens : 0;
  }
  return leeway;
}

/** Whether a request that takes so many tokens at most may not be sent without a word. */
export function isOverLimit(bound: number, { hard }: Pick<Limits, 'hard'>): boolean {
  return bound > hard;
}

/** What becomes of a request. */
export function gateOf(isOver: boolean, { overLimit }: Pick<BudgetConfig, 'overLimit'>): Measured['gate'] {
  return isOver ? (overLimit === 'warn' ? 'warned' : 'blocked') : 'sent';
}

/** With the request for a new session where it is above its limit; `rows` are its parts by name. */
export function withReset(measured: Measured, rows: Readonly<Record<string, Amount>>): MeasuredRequest {
  const { gate, requestSequence, total, limits } = measured;
  return gate === 'sent'
    ? { measured }
    : {
        measured,
        reset: {
          type: 'budget/reset-requested',
          data: { requestSequence, total, hard: limits.hard, largest: largestOf(rows) },
        },
      };
}

/** For the log, in this order, before the seal. */
export function measuredEvents({ measured, reset }: MeasuredRequest): readonly BudgetEvent[] {
  return [...(reset ? [reset] : []), { type: 'budget/measured', data: measured }];
}

function largestOf(rows: Readonly<Record<string, Amount>>): BudgetData<'budget/reset-requested'>['largest'] {
  return Object.entries(rows)
    .map(([part, amount]) => ({ part, amount }))
    .filter(({ amount }) => amount.tokens > 0)
    .toSorted((a, b) => b.amount.tokens - a.amount.tokens)
    .slice(0, 3);
}
