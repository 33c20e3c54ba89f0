import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOverTrigger, limitsOf, TIERS, tierMaximum } from '../../../protocol/budget/limits.ts';

const of = (tokens: number) => ({ tokens, source: 'test' });

test('tiers 2: the limit in force is the least of four, and says which', () => {
  const window = of(200_000);
  const cases = [
    [{ window }, undefined, 180_000, 'window'],
    [{ window, outputReserve: of(64_000) }, undefined, 136_000, 'output-reserve'],
    [{ window: of(400_000), inputLimit: of(272_000) }, undefined, 272_000, 'input-limit'],
    [{ window, outputReserve: of(8_000) }, undefined, 180_000, 'window'],
    [{ window, inputLimit: of(190_000) }, of(150_000), 150_000, 'learned'],
    [{ window, outputReserve: of(300_000) }, undefined, 0, 'output-reserve'],
  ] as const;
  for (const [known, learned, hard, binds] of cases) {
    const limits = limitsOf(known, learned);
    assert.deepEqual([limits.hard, limits.binds], [hard, binds]);
    assert.equal(limits.window, known.window);
  }
});

test('tiers 4: the maxima of a window of 1,000', () => {
  const limits = limitsOf({ window: of(1000) });
  assert.deepEqual(
    TIERS.map(tier => tierMaximum(limits, tier)),
    [50, 250, 300, 300],
  );
  assert.equal(limits.hard, 900);
});

test('T-07 the trigger is strictly above seven tenths', () => {
  const limits = limitsOf({ window: of(1000) });
  assert.deepEqual([isOverTrigger(700, limits), isOverTrigger(701, limits)], [false, true]);
});

test('where the hard limit is below the trigger, compression begins above the hard limit', () => {
  const limits = limitsOf({ window: of(1000), outputReserve: of(400) });
  assert.deepEqual([isOverTrigger(600, limits), isOverTrigger(601, limits)], [false, true]);
});
