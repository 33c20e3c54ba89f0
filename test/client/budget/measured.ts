import type { Limits } from '../../../protocol/budget/budgetEvents.ts';
import { limitsOf, triggerOf } from '../../../protocol/budget/limits.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { request } from '../views/kit.ts';

type Measured = Extract<NewEvent, { type: 'budget/measured' }>['data'];

export const amount = (tokens: number) => ({ tokens, origin: 'estimated' }) as const;

/** A window of 1,000 tokens, whose trigger is 700 and whose limit 900. */
const LIMITS: Limits = limitsOf({ window: { tokens: 1000, source: 'the test' } });

/** A measured request of so many tokens: 100 of the host, 10 in each of the first two tiers, half of the rest in each of the others. */
export function measured(requestSequence: number, tokens: number, more: Partial<Measured> = {}): NewEvent {
  const limits = more.limits ?? LIMITS;
  const tier4 = Math.floor((tokens - 120) / 2);
  return {
    type: 'budget/measured',
    data: {
      requestSequence,
      tiers: { tier1: amount(10), tier2: amount(10), tier3: amount(tokens - 120 - tier4), tier4: amount(tier4) },
      host: amount(100),
      unattributed: { tokens: 0, origin: 'estimated' },
      total: amount(tokens),
      rawHistory: amount(0),
      limits,
      edited: false,
      gate: 'sent',
      flags: tokens > triggerOf(limits) ? ['pressure'] : [],
      ...more,
    },
  };
}

/** Requests that were measured, sealed and answered; they follow the event that opened the session. */
export function measuredRequests(totals: readonly number[]): readonly NewEvent[] {
  const events: NewEvent[] = [];
  for (const [index, total] of totals.entries()) {
    events.push(measured(index + 1, total));
    events.push(...request(index + 1, events.length + 1));
  }
  return events;
}

/** A pass over the history before a request. */
export function pass(
  number: number,
  requestSequence: number,
  more: Partial<Extract<NewEvent, { type: 'budget/pass' }>['data']> = {},
): NewEvent {
  return {
    type: 'budget/pass',
    data: {
      pass: number,
      kind: 'compression',
      requestSequence,
      before: amount(720),
      after: amount(500),
      historyBefore: amount(400),
      historyAfter: amount(180),
      rawAfter: amount(0),
      edits: 1,
      outcome: 'enough',
      ...more,
    },
  };
}
