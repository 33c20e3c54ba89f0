import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountingMeter } from '../../../adapter/tokens/countingMeter.ts';
import type { TokenCounter } from '../../../adapter/tokens/tokenCounter.ts';
import { seedTwoFormat } from '../../../protocol/lifecycle/seedTwoFormat.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';

/** One token a word; an estimate is one more. It counts on its own account what it was asked. */
class WordCounter implements TokenCounter {
  readonly known = new Set<string>();
  readonly asked: string[] = [];
  estimatesOnly = false;

  async count(texts: readonly string[]) {
    await Promise.resolve();
    for (const text of texts) {
      if (!this.known.has(text)) {
        this.asked.push(text);
        this.known.add(text);
      }
    }
    return texts.map(text => this.estimate(text));
  }

  estimate(text: string) {
    const words = text.split(/\s+/).filter(word => word !== '').length;
    return this.known.has(text)
      ? ({ tokens: words, origin: 'exact' } as const)
      : ({ tokens: words + 1, origin: 'estimated' } as const);
  }

  async close() {}
}

const words = (count: number, word = 'word') => Array.from({ length: count }, () => word).join(' ');
const user = (text: string): JsonObject => Object.freeze({ role: 'user', content: [{ type: 'text', text }] });
const block = (id: string, count: number) => `<!--BLOCK_ID:${id}-->\n${words(count)}\n<!--/BLOCK_ID:${id}-->\n`;
const config = Object.freeze({ model: 'gpt-5' });

function meterOf(counter = new WordCounter()) {
  const meter = new CountingMeter({ counter, format: seedTwoFormat });
  let requestSequence = 0;
  /** As a session does it: first the host's own messages, then the request that is sealed. */
  const request = async (
    messages: readonly JsonObject[],
    more: { readonly prefix?: readonly JsonObject[]; readonly system?: string; readonly model?: string } = {},
  ) => {
    const { prefix = [], system, model } = more;
    const parts = { config: model === undefined ? config : { model }, ...(system !== undefined && { system }) };
    await meter.prepare({ ...parts, messages }, () => prefix);
    requestSequence++;
    return meter.measure({
      ...parts,
      requestSequence,
      messages: [...prefix, ...messages],
      prefixLength: prefix.length,
    });
  };
  return { meter, counter, request };
}

test('sizes are there with the first request, by part', async () => {
  const { request } = meterOf();
  const { sizes, price } = await request([user(words(7)), user(words(3))], { system: words(5) });
  assert.deepEqual(sizes, {
    system: { tokens: 5, origin: 'exact' },
    tools: { tokens: 0, origin: 'exact' },
    prefix: { tokens: 0, origin: 'exact' },
    messages: { tokens: 10, origin: 'exact' },
    unattributed: { tokens: 0, origin: 'estimated' },
    total: { tokens: 15, origin: 'estimated' },
  });
  assert.equal(price, undefined, 'there is no request before');
});

test('users-ask 62: only new texts are counted, and only new messages are looked into', async () => {
  const { request, counter, meter } = meterOf();
  const history = Array.from({ length: 1_000 }, (_, at) => user(`message ${at}`));
  await request(history, { system: 'system' });
  assert.equal(counter.asked.length, 1_001);
  const looked = meter.looked;
  const two = [user('new one'), user('new two')];
  await request([...history, ...two], { system: 'system' });
  assert.deepEqual(counter.asked.slice(1_001), ['new one', 'new two']);
  assert.equal(meter.looked, looked + 2);
});

test('the host may hand over fresh copies: prepare looks only at what was added', async () => {
  const { counter, meter } = meterOf();
  const history = Array.from({ length: 100 }, (_, at) => user(`message ${at}`));
  await meter.prepare({ config, messages: history }, () => []);
  const unreadable = new Proxy<JsonObject>({}, { ownKeys: () => assert.fail('an old message was read') });
  await meter.prepare({ config, messages: [...history.map(() => unreadable), user('new')] }, () => []);
  assert.deepEqual(counter.asked.slice(100), ['new']);
});

test('what was not counted yet is estimated, counted meanwhile, and exact in the next request', async () => {
  const { meter, counter } = meterOf();
  const message = user(words(4));
  const measure = () =>
    meter.measure({ config, requestSequence: 1, messages: [message], prefixLength: 0 }).sizes?.messages;
  assert.deepEqual(measure(), { tokens: 5, origin: 'estimated' });
  await counter.count([]);
  assert.deepEqual(measure(), { tokens: 4, origin: 'exact' });
  assert.equal(counter.asked.length, 1);
});

test('a counter that only estimates from now on is not asked again and again', async () => {
  const { meter, counter } = meterOf();
  counter.estimatesOnly = true;
  const message = user(words(4));
  for (let request = 1; request <= 3; request++) {
    meter.measure({ config, requestSequence: request, messages: [message], prefixLength: 0 });
  }
  assert.deepEqual([meter.looked, counter.asked.length], [1, 0]);
});

test('the provider’s number anchors the next request of the same header and model', async () => {
  const { meter, request } = meterOf();
  await request([user(words(100))]);
  meter.answered(1, { input: 130 });
  const { sizes } = await request([user(words(100)), user(words(20))]);
  assert.deepEqual(sizes?.total, { tokens: 150, origin: 'anchored' });
  assert.deepEqual(sizes?.unattributed, { tokens: 30, origin: 'anchored' });
  assert.deepEqual(sizes?.messages, { tokens: 120, origin: 'exact' });
  const other = await request([user(words(100))], { system: 'now with a system' });
  assert.equal(other.sizes?.total.origin, 'estimated');
});

test('users-ask 53: for a model of another tokenizer parts are scaled by what was learned', async () => {
  const { meter, request } = meterOf();
  const model = 'claude-opus-5';
  const first = await request([user(words(100))], { model });
  assert.deepEqual(first.sizes?.messages, { tokens: 100, origin: 'estimated' });
  meter.answered(1, { input: 130 });
  assert.deepEqual(meter.calibration(model), { factor: 1.3, samples: 1 });
  const { sizes } = await request([user(words(100)), user(words(20))], { model });
  assert.deepEqual(sizes?.messages, { tokens: 156, origin: 'anchored' });
  assert.deepEqual(sizes?.total, { tokens: 156, origin: 'anchored' });
  const otherHeader = await request([user(words(100))], { model, system: words(10) });
  assert.deepEqual(otherHeader.sizes?.messages, { tokens: 130, origin: 'estimated' });
  const otherModel = await request([user(words(100))], { model: 'gpt-5' });
  assert.deepEqual(otherModel.sizes?.messages, { tokens: 100, origin: 'exact' });
});

test('a factor is learned from numbers, also where estimates were sealed', async () => {
  const { meter, counter } = meterOf();
  const message = user(words(100));
  const first = meter.measure({ config, requestSequence: 1, messages: [message], prefixLength: 0 });
  assert.deepEqual(first.sizes?.messages, { tokens: 101, origin: 'estimated' });
  meter.answered(1, { input: 120 });
  await counter.count([]);
  const next = meter.measure({ config, requestSequence: 2, messages: [message], prefixLength: 0 });
  assert.deepEqual(meter.calibration('gpt-5'), { factor: 1.2, samples: 1 });
  assert.deepEqual(next.sizes?.total, { tokens: 120, origin: 'anchored' });
});

test('answers without a number, of unknown requests and of long ago teach nothing', async () => {
  const { meter, request } = meterOf();
  for (let at = 0; at < 20; at++) {
    await request([user(words(100))]);
  }
  meter.answered(20, undefined);
  meter.answered(19, { output: 5 });
  meter.answered(99, { input: 100 });
  meter.answered(1, { input: 100 });
  assert.equal(meter.calibration('gpt-5').samples, 0);
});

test('tiers 5: a discard has the price before that it has after', async () => {
  const { meter, counter, request } = meterOf();
  const history = [user(words(500))];
  const both = user(block('a', 100) + block('b', 40));
  const one = block('b', 40);
  await counter.count([block('a', 100) + block('b', 40), one]);
  await request(history, { prefix: [user('memory'), both] });
  const before = meter.whatIf(one);
  const grown = [...history, user(words(9))];
  const after = (await request(grown, { prefix: [user('memory'), user(one)] })).price;
  assert.deepEqual(before, after);
  assert.deepEqual(before?.divergence?.part, 'prefix');
  assert.deepEqual(before?.divergence?.index, 1);
  assert.equal(before?.freed.tokens, 102);
  assert.ok((before?.rewritten.tokens ?? 0) >= 500);
});

test('tiers 5: what a text that was never counted would cost is estimated from the one that was sent', async () => {
  const { meter, counter, request } = meterOf();
  const all = block('a', 100) + block('b', 100);
  await counter.count([all]);
  await request([user(words(500))], { prefix: [user(all)] });
  const price = meter.whatIf(block('b', 100));
  assert.deepEqual(price?.freed, { tokens: 102, origin: 'estimated' });
  assert.deepEqual(meter.whatIf(undefined)?.freed, { tokens: 204, origin: 'exact' });
});

test('there is no price before the first request, nor for blocks that were not sent yet', async () => {
  const { meter, request } = meterOf();
  assert.equal(meter.whatIf(undefined), undefined);
  await request([user('hello')], { prefix: [user('memory')] });
  assert.equal(meter.whatIf(undefined), undefined);
});

test('a tombstone has its price in the request that has it', async () => {
  const { request } = meterOf();
  const [question, output, answer] = [user(words(50)), user(words(1_000)), user(words(100))];
  await request([question, output]);
  await request([question, output, answer]);
  const { price } = await request([question, user(words(10, 'tombstone')), answer, user('next')]);
  // Nobody could count the tombstone before it was there.
  assert.deepEqual(price?.freed, { tokens: 989, origin: 'estimated' });
  assert.equal(price?.divergence?.index, 1);
  assert.ok(price.rewritten.tokens >= 100 && price.rewritten.tokens <= 112);
});

test('a host that hands over what cannot be read does not fail here', async () => {
  const { meter } = meterOf();
  const throwing = new Proxy<JsonObject>({}, { ownKeys: () => assert.fail('unreadable') });
  await meter.prepare({ config, messages: [throwing] }, () => []);
  await meter.prepare({ config, messages: [] }, () => assert.fail('no text'));
});
