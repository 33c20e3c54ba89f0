import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstDivergence, type RequestParts } from '../../../protocol/request/divergence.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';

const config = { model: 'm' };
const user = (text: string): JsonObject => ({ role: 'user', content: [{ type: 'text', text }] });
const base: RequestParts = {
  config,
  system: 'You are a careful agent.',
  tools: [{ name: 'read' }, { name: 'write' }],
  prefix: [user('blocks')],
  messages: [user('one'), user('two'), user('three')],
};
const bytes = (text: string) => Buffer.byteLength(text);

test('tiers 5: a request that only goes on does not diverge', () => {
  assert.equal(firstDivergence(base, base), undefined);
  assert.equal(firstDivergence(base, { ...base, messages: [...base.messages, user('four')] }), undefined);
  assert.equal(firstDivergence(base, structuredClone(base)), undefined, 'fresh copies are the same text');
});

test('tiers 5: the first difference is named by its part, its item and the bytes that both share', () => {
  const [one, , three] = base.messages as [JsonObject, JsonObject, JsonObject];
  assert.deepEqual(firstDivergence(base, { ...base, messages: [one, user('tww'), three] }), {
    part: 'messages',
    index: 1,
    offset: bytes('{"role":"user","content":[{"type":"text","text":"tw'),
  });
  assert.deepEqual(firstDivergence(base, { ...base, prefix: [user('blockade')] }), {
    part: 'prefix',
    index: 0,
    offset: bytes('{"role":"user","content":[{"type":"text","text":"block'),
  });
  assert.deepEqual(firstDivergence(base, { ...base, system: 'You are a careless agent.' }), {
    part: 'system',
    offset: bytes('"You are a care'),
  });
  assert.deepEqual(firstDivergence(base, { ...base, tools: [{ name: 'read' }, { name: 'rite' }] }), {
    part: 'tools',
    index: 1,
    offset: bytes('{"name":"'),
  });
  assert.deepEqual(firstDivergence(base, { ...base, config: { model: 'n' }, system: 'other' }), {
    part: 'config',
    offset: bytes('{"model":"'),
  });
  assert.deepEqual(firstDivergence(base, { ...base, messages: [one, three] }), {
    part: 'messages',
    index: 1,
    offset: bytes('{"role":"user","content":[{"type":"text","text":"t'),
  });
});

test('users-ask 35: the same text as a string or as a list of one block is a divergence', () => {
  const asString = { ...base, messages: [{ role: 'user', content: 'hello' }] };
  const asBlocks = { ...base, messages: [user('hello')] };
  assert.deepEqual(firstDivergence(asString, asBlocks), {
    part: 'messages',
    index: 0,
    offset: bytes('{"role":"user","content":'),
  });
  const system = { ...base, system: [{ type: 'text', text: base.system ?? '' }] };
  assert.deepEqual(firstDivergence(base, system), { part: 'system', offset: 0 });
});

test('another order of members is another text', () => {
  const turned = { ...base, messages: [{ content: base.messages[0]?.['content'] ?? '', role: 'user' }] };
  assert.equal(firstDivergence({ ...base, messages: base.messages.slice(0, 1) }, turned)?.offset, bytes('{"'));
});

test('what is taken off the end, and a tool more, are divergences at the end of the list', () => {
  assert.deepEqual(firstDivergence(base, { ...base, messages: base.messages.slice(0, 2) }), {
    part: 'messages',
    index: 2,
    offset: 0,
  });
  assert.deepEqual(firstDivergence(base, { ...base, tools: [...(base.tools ?? []), { name: 'new' }] }), {
    part: 'tools',
    index: 2,
    offset: 0,
  });
  assert.deepEqual(firstDivergence(base, { ...base, system: undefined }), { part: 'system', offset: 0 });
  assert.deepEqual(firstDivergence(base, { ...base, tools: undefined }), { part: 'tools', index: 0, offset: 0 });
});

test('prefix and history are one list: a message that moves between them changes nothing', () => {
  const moved = { ...base, prefix: [...base.prefix, ...base.messages.slice(0, 1)], messages: base.messages.slice(1) };
  assert.equal(firstDivergence(base, moved), undefined);
  const gone = firstDivergence(base, { ...base, prefix: [] });
  assert.deepEqual([gone?.part, gone?.index], ['prefix', 0]);
  const changed = { ...moved, messages: [user('other'), ...moved.messages.slice(1)] };
  assert.deepEqual([firstDivergence(base, changed)?.part, firstDivergence(base, changed)?.index], ['messages', 0]);
});

test('shared bytes are UTF-8, and end before a character that differs in its second half', () => {
  const emoji = (text: string) => ({ ...base, messages: [user(text)] });
  assert.equal(
    firstDivergence(emoji('é😀'), emoji('é😁'))?.offset,
    bytes('{"role":"user","content":[{"type":"text","text":"é'),
  );
});

test('a history of the same objects is not looked into', () => {
  const untouchable = new Proxy<JsonObject>(
    {},
    {
      get: () => assert.fail('a message was read'),
      ownKeys: () => assert.fail('a message was listed'),
    },
  );
  const messages = Array.from({ length: 10_000 }, () => untouchable);
  const next = { ...base, messages: [...messages, user('new')] };
  assert.equal(firstDivergence({ ...base, messages }, next), undefined);
  const ended = { ...base, messages: [...messages, user('old')] };
  assert.equal(firstDivergence(ended, next)?.index, 10_000);
});

const message = fc.record({
  role: fc.constantFrom('user', 'assistant'),
  content: fc.string({ maxLength: 3, unit: 'binary' }),
});
const request = fc.record({
  config: fc.constantFrom({ model: 'a' }, { model: 'b' }),
  system: fc.option(fc.string({ maxLength: 3 }), { nil: undefined }),
  tools: fc.array(fc.record({ name: fc.string({ maxLength: 1 }) }), { maxLength: 2 }),
  prefix: fc.array(message, { maxLength: 2 }),
  messages: fc.array(message, { maxLength: 4 }),
});

/** The obvious answer: everything up to the end of the old messages stands in the new request's text. */
function textOf({ config, system, tools, prefix, messages }: RequestParts): string {
  const list = [...prefix, ...messages].map(item => `${JSON.stringify(item)},`).join('');
  return `${JSON.stringify(config)}|${JSON.stringify(system)}|${JSON.stringify(tools)}|${list}`;
}

test('law: there is no divergence exactly when the old text leads the new one', () => {
  fc.assert(
    fc.property(request, request, fc.boolean(), fc.nat({ max: 4 }), (previous, other, related, cut) => {
      const next = related ? { ...previous, messages: [...previous.messages.slice(0, cut), ...other.messages] } : other;
      assert.equal(firstDivergence(previous, next) === undefined, textOf(next).startsWith(textOf(previous)));
    }),
    { numRuns: 2_000 },
  );
});
