import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countText } from '../../../protocol/log/countText.ts';
import { eventSentence } from '../../../protocol/log/eventSentence.ts';

test('a number says where it comes from: an estimate ~, an anchored one ≈, an exact one nothing', () => {
  assert.equal(countText({ tokens: 1093, origin: 'estimated' }), '~1,093');
  assert.equal(countText({ tokens: 1093, origin: 'anchored' }), '≈1,093');
  assert.equal(countText({ tokens: -1234567, origin: 'anchored' }), '≈-1,234,567');
  assert.equal(countText({ tokens: 12, origin: 'exact' }), '12');
});

test('the sentence of a sealed request carries the same mark', () => {
  const part = { tokens: 0, origin: 'exact' } as const;
  const sizes = { system: part, tools: part, prefix: part, messages: part, unattributed: part };
  const data = { requestSequence: 4, messages: 7, bytes: 900, hash: 'ab'.repeat(32), changes: [], stepStart: 0 };
  const said = eventSentence({
    seq: 9,
    time: 1,
    type: 'request/sealed',
    data: { ...data, sizes: { ...sizes, total: { tokens: 2500, origin: 'anchored' } } },
  });
  assert.equal(said.values[3], '≈2,500');
});
