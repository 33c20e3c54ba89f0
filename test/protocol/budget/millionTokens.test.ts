import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulation.ts';

test('a session of 1,000 requests and 1,000,000 tokens stays within its limit, and keeps every constraint word for word', t => {
  const { run, handedOver, peak, constraints, stable } = simulate(200_000, 1000);
  assert.ok(handedOver >= 1_000_000, `${handedOver} tokens`);
  assert.ok(constraints > 80, `${constraints} constraints`);
  const { compressions, contradictions, requests } = run.state.budget;
  assert.ok(compressions > 3);
  assert.deepEqual([requests, contradictions, run.all('budget/checked').length], [1000, 0, 9]);
  // Every pass breaks the cache once; all other requests begin with the one before.
  assert.equal(stable, 1000 - compressions);
  t.diagnostic(
    `peak ${((peak / 200_000) * 100).toFixed(1)} % of the window, compressions ${compressions}, ` +
      `constraints kept ${constraints} of ${constraints}, requests that begin with the one before ${stable} of 1000, ` +
      `tokens handed over ${handedOver}`,
  );
});

test('in a window that is far too small emergencies keep the limit, and still no constraint is lost', () => {
  const { run, constraints } = simulate(48_000, 250);
  assert.ok(constraints > 15);
  const kinds = new Set(run.all('budget/pass').map(({ kind }) => kind));
  assert.deepEqual(kinds, new Set(['compression', 'emergency']));
  assert.equal(run.state.budget.resetPending, false);
});
