import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { GrowingSum } from '../../../adapter/tokens/growingSum.ts';
import type { TokenCounter } from '../../../adapter/tokens/tokenCounter.ts';
import { ValueCounts } from '../../../adapter/tokens/valueCounts.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';

/** One token a character, and one more until somebody counted the text. */
function counterOf(known: Set<string>): TokenCounter {
  const estimate = (text: string) =>
    known.has(text)
      ? ({ tokens: text.length, origin: 'exact' } as const)
      : ({ tokens: text.length + 1, origin: 'estimated' } as const);
  return { count: async texts => texts.map(estimate), estimate, close: async () => {} };
}

const message = (text: string): JsonObject => ({ role: 'user', content: [{ type: 'text', text }] });
const image: JsonObject = { role: 'user', content: [{ type: 'image', data: 'aaaa', mediaType: 'image/png' }] };

test('law: the sum of a history that grows, shrinks and changes is that of its values, also when numbers come later', () => {
  const step = fc.record({
    keep: fc.nat(8),
    drop: fc.nat(3),
    add: fc.array(fc.constantFrom('a', 'bb', 'ccc', 'image'), { maxLength: 4 }),
    counted: fc.constantFrom('a', 'bb', 'ccc'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 10 }), steps => {
      const known = new Set<string>();
      const counter = counterOf(known);
      const sum = new GrowingSum(new ValueCounts(counter));
      let history: readonly JsonObject[] = [];
      for (const { keep, drop, add, counted } of steps) {
        history = history.toSpliced(keep, drop, ...add.map(text => (text === 'image' ? image : message(text))));
        assert.deepEqual(sum.of(history), new ValueCounts(counter).sum(history));
        assert.deepEqual(sum.of(history.slice(0, keep)), new ValueCounts(counter).sum(history.slice(0, keep)));
        known.add(counted);
      }
    }),
    { numRuns: 500 },
  );
});

test('values whose numbers are known are not looked up again', () => {
  const counts = new ValueCounts(counterOf(new Set(['a', 'bb', 'ccc'])));
  const asked: unknown[] = [];
  const of = counts.of.bind(counts);
  counts.of = (value, readAs) => {
    asked.push(value);
    return of(value, readAs);
  };
  const sum = new GrowingSum(counts);
  const [first, second, third] = ['a', 'bb', 'ccc'].map(message) as [JsonObject, JsonObject, JsonObject];
  assert.equal(sum.of([first, second]).tokens, 3);
  assert.equal(sum.of([first, second, third]).tokens, 6);
  assert.equal(sum.of([first, second]).tokens, 3);
  assert.deepEqual(asked, [first, second, third]);
});
