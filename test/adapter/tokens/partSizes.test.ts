import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Calibration } from '../../../adapter/tokens/calibration.ts';
import { type LocalCounts, localTotal, partSizes, readAmount, SIZED_PARTS } from '../../../adapter/tokens/partSizes.ts';
import { sizes as shape } from '../../../protocol/log/sessionEvents.ts';

const counts = (system: number, tools: number, prefix: number, messages: number, exact = true): LocalCounts => ({
  system: { tokens: system, exact },
  tools: { tokens: tools, exact: false },
  prefix: { tokens: prefix, exact },
  messages: { tokens: messages, exact },
});
const kind = { model: 'm', header: '1' };

test('exact only for a model that reads the vocabulary itself', () => {
  const own = partSizes(counts(10, 0, 5, 100), { ownVocabulary: true, factor: 1.3 });
  assert.deepEqual(own.messages, { tokens: 100, origin: 'exact' });
  assert.deepEqual(own.total, { tokens: 115, origin: 'estimated' }, 'nobody knows yet what frames the parts');
  const other = partSizes(counts(10, 0, 5, 100), { ownVocabulary: false, factor: 1 });
  assert.deepEqual(other.messages, { tokens: 100, origin: 'estimated' });
  const withImage = partSizes(counts(10, 0, 5, 100, false), { ownVocabulary: true, factor: 1 });
  assert.deepEqual(withImage.messages, { tokens: 100, origin: 'estimated' });
});

test('tools are never exact: what a provider makes of a definition is not known', () => {
  assert.equal(partSizes(counts(0, 50, 0, 0), { ownVocabulary: true, factor: 1 }).tools.origin, 'estimated');
});

test('anchored: the whole is what the provider said of the request before, plus what was added', () => {
  const anchor = { provider: 1_430, local: 1_100 };
  const own = partSizes(counts(100, 0, 0, 1_500), { ownVocabulary: true, factor: 1, anchor });
  assert.deepEqual(own.total, { tokens: 1_930, origin: 'anchored' });
  assert.deepEqual(own.unattributed, { tokens: 330, origin: 'anchored' }, 'framing is shown, not hidden');
  const learned = partSizes(counts(100, 0, 0, 1_500), { ownVocabulary: false, factor: 1.3, anchor });
  assert.deepEqual(learned.messages, { tokens: 1_950, origin: 'anchored' });
  assert.deepEqual(learned.total, { tokens: 1_430 + 650, origin: 'anchored' });
  assert.equal(learned.unattributed.tokens, 0);
});

test('users-ask 53: a factor is learned from what the provider says, with its samples, and belongs to one model', () => {
  const calibration = new Calibration();
  assert.deepEqual(calibration.factor('m'), { factor: 1, samples: 0 });
  assert.ok(calibration.add(kind, { provider: 1_300, local: 1_000 }));
  assert.ok(calibration.add(kind, { provider: 2_400, local: 2_000 }));
  assert.deepEqual(calibration.factor('m'), { factor: 1.2, samples: 2 });
  assert.deepEqual(calibration.factor('n'), { factor: 1, samples: 0 });
  calibration.add({ ...kind, model: 'n' }, { provider: 10, local: 10 });
  assert.deepEqual(calibration.factor('m'), { factor: 1, samples: 0 });
});

test('an anchor is refused when the header or the model is another', () => {
  const calibration = new Calibration();
  calibration.add(kind, { provider: 1_300, local: 1_000 });
  assert.deepEqual(calibration.anchor(kind), { provider: 1_300, local: 1_000 });
  assert.equal(calibration.anchor({ ...kind, header: '2' }), undefined);
  assert.equal(calibration.anchor({ ...kind, model: 'n' }), undefined);
});

test('a number that cannot be about the whole input is not believed', () => {
  const calibration = new Calibration();
  for (const [provider, local] of [
    [0, 100],
    [3, 50_000],
    [50_000, 3],
    [5, 0],
    [Number.NaN, 5],
  ] as const) {
    assert.equal(calibration.add(kind, { provider, local }), false, `${provider} of ${local}`);
  }
  assert.equal(calibration.factor('m').samples, 0);
});

const number = fc.nat({ max: 2_000_000 });
const someCounts = fc
  .tuple(number, number, number, number, fc.boolean())
  .map(([system, tools, prefix, messages, exact]) => counts(system, tools, prefix, messages, exact));
const readings = fc.record(
  {
    ownVocabulary: fc.boolean(),
    factor: fc.double({ min: 0.25, max: 4, noNaN: true }),
    anchor: fc.option(fc.record({ provider: number, local: number }), { nil: undefined }),
  },
  { requiredKeys: ['ownVocabulary', 'factor'] },
);

test('law: parts and unattributed are the total, always, and the event takes them', () => {
  fc.assert(
    fc.property(someCounts, readings, (local, reading) => {
      const sizes = partSizes(local, reading);
      const sum = SIZED_PARTS.reduce((total, part) => total + sizes[part].tokens, sizes.unattributed.tokens);
      assert.equal(sizes.total.tokens, sum);
      assert.equal(shape.fault(sizes, 'sizes'), undefined);
    }),
  );
});

test('law: a part is zero only when there is nothing in it', () => {
  fc.assert(
    fc.property(fc.nat(), fc.boolean(), readings, (tokens, exact, reading) => {
      assert.equal(readAmount({ tokens, exact }, reading).tokens === 0, tokens === 0);
    }),
  );
});

test('law: an anchored total with nothing added is the provider’s own number', () => {
  fc.assert(
    fc.property(someCounts, fc.nat(), fc.boolean(), (local, provider, ownVocabulary) => {
      const anchor = { provider, local: localTotal(local) };
      const { total } = partSizes(local, { ownVocabulary, factor: 1.3, anchor });
      assert.deepEqual(total, { tokens: provider, origin: 'anchored' });
    }),
  );
});
