import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BudgetLimitError } from '../../../adapter/budget/budgetLimitError.ts';
import type { Measured } from '../../../protocol/budget/budgetEvents.ts';

const measuredOf = (tokens: number, limits: Partial<Measured['limits']> = {}): Measured => ({
  requestSequence: 7,
  tiers: { tier1: NOTHING, tier2: NOTHING, tier3: NOTHING, tier4: NOTHING },
  host: NOTHING,
  unattributed: NOTHING,
  total: { tokens, origin: 'estimated' },
  rawHistory: NOTHING,
  limits: { window: { tokens: 2_000, source: 'pi' }, hard: 1_800, binds: 'window', ...limits },
  edited: false,
  gate: 'blocked',
  flags: ['over-limit'],
});
const NOTHING = { tokens: 0, origin: 'exact' } as const;

test('the error of a blocked request says by how much it may be too large, and which term of the limit binds', () => {
  const largest = [
    { part: 'tools', amount: { tokens: 1_234_567, origin: 'exact' } as const },
    { part: 'tier4', amount: { tokens: 20, origin: 'estimated' } as const },
  ];
  assert.equal(
    new BudgetLimitError(measuredOf(1_442), { largest }).message,
    'Request 7 was not sent, because it takes ~1,442 tokens, an estimate that may be too low, and the limit is 1,800 (nine tenths of the window; window 2,000, pi). Largest parts: the tools 1,234,567, the last messages ~20. Begin a new session, take something out, or set "overLimit" to "warn" in config.json.',
  );
  const learned = new BudgetLimitError(measuredOf(1_900, { binds: 'learned' }), { largest });
  assert.match(learned.message, /it takes ~1,900 tokens and the limit is 1,800 \(what the provider refused before;/);
});
