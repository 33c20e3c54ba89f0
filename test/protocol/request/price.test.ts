import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Amount } from '../../../protocol/log/sessionEvents.ts';
import type { RequestParts } from '../../../protocol/request/divergence.ts';
import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import { breakEven, priceOf, whatIf } from '../../../protocol/request/price.ts';

/** A message that says how many tokens it has. */
const sized = (name: string, tokens: number): JsonObject => ({ role: 'user', name, tokens });
const tokensOf = (value: Json): Amount => ({
  tokens: typeof value === 'string' ? value.length : Number((value as JsonObject)['tokens'] ?? 0),
  origin: 'exact',
});
const exact = (tokens: number): Amount => ({ tokens, origin: 'exact' });
const base: RequestParts = { config: { model: 'm' }, system: 'x'.repeat(500), prefix: [], messages: [] };
const keyOf = (message: JsonObject) => JSON.stringify(message['name']);

test('tiers 5: freeing 10k in front of 50k kept tokens pays back only after 58 requests', () => {
  const [block, history] = [sized('block', 10_000), sized('history', 50_000)];
  const price = priceOf(
    { ...base, prefix: [block], messages: [history] },
    { ...base, messages: [history] },
    { tokensOf },
  );
  assert.deepEqual([price.rewritten, price.freed, price.breakEven], [exact(50_000), exact(10_000), 58]);
  assert.deepEqual([price.divergence?.part, price.divergence?.index], ['prefix', 0]);
});

test('tiers 5: freeing 10k at the tail in front of 1k pays back after 2 requests', () => {
  const [history, result, answer] = [sized('history', 50_000), sized('result', 10_000), sized('answer', 1_000)];
  const previous = { ...base, messages: [history, result, answer] };
  const price = priceOf(previous, { ...base, messages: [history, answer] }, { tokensOf });
  assert.deepEqual([price.rewritten, price.freed, price.breakEven], [exact(1_000), exact(10_000), 2]);
  assert.deepEqual([price.divergence?.part, price.divergence?.index], ['messages', 1]);
});

test('tiers 5: write and read prices are parameters', () => {
  assert.equal(breakEven(50_000, 10_000), 58);
  assert.equal(breakEven(1_000, 10_000), 2);
  assert.equal(breakEven(50_000, 10_000, { write: 1, read: 0.5 }), 5);
  assert.equal(breakEven(50_000, 10_000, { write: 1, read: 1 }), 0, 'without a cache nothing is lost');
  assert.equal(breakEven(50_000, 10_000, { write: 1, read: 0 }), undefined, 'nothing is gained where reading is free');
  assert.equal(breakEven(0, 10_000), 0);
  assert.equal(breakEven(1, 0), undefined);
});

test('tiers 5: an append costs nothing', () => {
  const messages = [sized('a', 5), sized('b', 7)];
  const next = { ...base, messages: [...messages, sized('new', 9_000)] };
  const nothing = { rewritten: exact(0), freed: exact(0), breakEven: 0 };
  assert.deepEqual(priceOf({ ...base, messages }, next, { tokensOf }), nothing);
});

for (const [name, keys] of [
  ['with keys', { keyOf }],
  ['without keys', {}],
] as const) {
  test(`a tombstone frees what the original was longer, and is rewritten itself (${name})`, () => {
    const [before, big, answer] = [sized('before', 100), sized('result', 10_000), sized('answer', 1_000)];
    const tombstone = sized('result', 30);
    const price = priceOf(
      { ...base, messages: [before, big, answer] },
      { ...base, messages: [before, tombstone, answer, sized('next', 400)] },
      { tokensOf, ...keys },
    );
    assert.deepEqual(price.freed, exact(10_000 - 30));
    const { tokens, origin } = price.rewritten;
    // Of the tombstone only what comes after the shared start of both texts; how much that is, is estimated.
    assert.ok(tokens > 1_000 && tokens <= 1_030, `${tokens}`);
    assert.equal(origin, 'estimated');
    assert.equal(price.breakEven, 2);
  });

  test(`the tombstone of the last message, in front of new ones (${name})`, () => {
    const price = priceOf(
      { ...base, messages: [sized('before', 100), sized('result', 10_000)] },
      { ...base, messages: [sized('before', 100), sized('result', 30), sized('answer', 50), sized('next', 400)] },
      { tokensOf, ...keys },
    );
    assert.deepEqual(price.freed, exact(9_970));
    assert.ok(price.rewritten.tokens <= 30, 'new messages cost what they would have cost anyway');
    assert.equal(price.breakEven, 1);
  });
}

test('a message that grows frees nothing, and never pays back', () => {
  const [first, second] = [sized('first', 10), sized('second', 1_000)];
  const grown = sized('first', 40);
  const price = priceOf(
    { ...base, messages: [first, second] },
    { ...base, messages: [grown, second] },
    { tokensOf, keyOf },
  );
  assert.deepEqual(price.freed, exact(0));
  assert.ok(price.rewritten.tokens > 1_000);
  assert.ok(!('breakEven' in price));
});

test('users-ask 35: the same text in another shape is paid for, with all that follows', () => {
  const follows = sized('follows', 1_000);
  const text = (content: Json): JsonObject => ({ role: 'user', content, tokens: 200 });
  const previous = { ...base, messages: [text('hello'), follows] };
  const next = { ...base, messages: [text([{ type: 'text', text: 'hello' }]), follows] };
  const price = priceOf(previous, next, { tokensOf });
  assert.deepEqual(price.freed, exact(0));
  assert.ok(price.rewritten.tokens > 1_000 && price.rewritten.tokens <= 1_200);
});

test('a changed system and changed tools are in front of everything', () => {
  const parts = { ...base, tools: [sized('dig', 300)], prefix: [sized('blocks', 70)], messages: [sized('a', 5)] };
  const price = priceOf(parts, { ...parts, system: `y${'x'.repeat(499)}` }, { tokensOf });
  assert.deepEqual(price.divergence, { part: 'system', offset: 1 });
  assert.ok(price.rewritten.tokens >= 499 + 375 && price.rewritten.tokens <= 500 + 375, `${price.rewritten.tokens}`);
  const added = priceOf(parts, { ...parts, tools: [...parts.tools, sized('new', 40)] }, { tokensOf });
  assert.deepEqual([added.rewritten, added.freed], [exact(75), exact(0)]);
});

test('another model has another cache, another temperature has the same', () => {
  const parts = { ...base, messages: [sized('a', 5)] };
  const other = priceOf(parts, { ...parts, config: { model: 'n' } }, { tokensOf });
  assert.deepEqual([other.divergence?.part, other.rewritten], ['config', exact(505)]);
  const warmer = priceOf(parts, { ...parts, config: { model: 'm', temperature: 1, max_tokens: 9 } }, { tokensOf });
  assert.deepEqual([warmer.divergence?.part, warmer.rewritten, warmer.breakEven], ['config', exact(0), 0]);
  // Codex names each turn so
  const turn = priceOf(parts, { ...parts, config: { model: 'm', client_metadata: { turn_id: 'b' } } }, { tokensOf });
  assert.deepEqual([turn.divergence?.part, turn.rewritten, turn.breakEven], ['config', exact(0), 0]);
});

test('tiers 5: what a discard would cost is what it then does cost', () => {
  const blocks = sized('blocks of two', 14_000);
  const left = sized('blocks of one', 4_000);
  const parts = { ...base, prefix: [sized('memory', 80), blocks], messages: [sized('history', 50_000)] };
  for (const [instead, prefix] of [
    [left, [sized('memory', 80), left]],
    [undefined, [sized('memory', 80)]],
  ] as const) {
    const before = whatIf(parts, 1, instead, { tokensOf });
    const grown = [...parts.messages, sized('answer', 600), sized('next', 900)];
    assert.deepEqual(priceOf(parts, { ...parts, prefix, messages: grown }, { tokensOf }), before);
    assert.equal(before.freed.tokens, instead ? 10_000 : 14_000);
  }
});

test('a price is as good as its worst number', () => {
  const [a, b, c] = [sized('a', 1), sized('b', 2), sized('c', 3)];
  const origins = new Map<Json, Amount['origin']>([
    [b, 'anchored'],
    [c, 'estimated'],
  ]);
  const price = priceOf(
    { ...base, messages: [a, b, c] },
    { ...base, messages: [b, c] },
    { tokensOf: value => ({ ...tokensOf(value), origin: origins.get(value) ?? 'exact' }) },
  );
  assert.deepEqual([price.rewritten.origin, price.freed.origin], ['estimated', 'exact']);
});

const items = fc.uniqueArray(fc.record({ name: fc.string(), tokens: fc.nat({ max: 1_000 }) }), {
  maxLength: 12,
  selector: ({ name }) => name,
});

test('law: of what stood behind the divergence, all is either rewritten or freed when items are only taken out', () => {
  fc.assert(
    fc.property(items, fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (messages, kept) => {
      const left = messages.filter((_, at) => kept[at]);
      const first = messages.findIndex((_, at) => !kept[at]);
      const price = priceOf({ ...base, messages }, { ...base, messages: left }, { tokensOf, keyOf });
      const behind = first < 0 ? [] : messages.slice(first);
      assert.equal(
        price.rewritten.tokens + price.freed.tokens,
        behind.reduce((sum, { tokens }) => sum + tokens, 0),
      );
      assert.equal(price.divergence?.index, first < 0 ? undefined : first);
    }),
  );
});

test('law: a price has whole numbers from 0, whatever two requests are', () => {
  fc.assert(
    fc.property(items, items, items, items, (prefix, messages, otherPrefix, others) => {
      const price = priceOf(
        { ...base, prefix, messages },
        { ...base, prefix: otherPrefix, messages: others },
        { tokensOf },
      );
      for (const value of [price.rewritten.tokens, price.freed.tokens, price.breakEven ?? 0]) {
        assert.ok(Number.isSafeInteger(value) && value >= 0);
      }
    }),
  );
});
