import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deriveMessages } from '../../../protocol/request/deriveMessages.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { rebuildRequest } from '../../../protocol/request/rebuildRequest.ts';
import { Vector } from '../../../protocol/vector.ts';
import { assertCorrupt, assistant, delta, type Entry, logOf, snapshot, stepStart, text, user } from './logKit.ts';
import { isDeepFrozen } from './vectorFile.ts';

const derive = (...entries: readonly Entry[]) => deriveMessages(logOf(...entries));
const replace = (start: number, end: number) => ({ op: 'replace', start, end }) as const;
const said = (...values: readonly string[]) => values.map(value => ({ role: 'user', content: [text(value)] }));

test('request-log 2.3: what each type that carries a message shows the model', () => {
  const image = { type: 'image', data: 'x' };
  const source = { kind: 'plugin', plugin: 'notes' };
  const messages = derive(
    user('hi'),
    assistant(text('yes')),
    {
      type: 'tool/result',
      data: { turn: 1, step: 1, callId: 'c', content: [image], isError: true, error: { code: 'e' }, meta: { a: 1 } },
      surfaceOp: 'append',
    },
    { type: 'context/message', data: { content: [image], source }, surfaceOp: 'append' },
    { type: 'steering/message', data: { turn: 1, content: [], source: { kind: 'a"b' } }, surfaceOp: 'append' },
    { type: 'host/message', data: { message: { content: 'x', role: 'tool', tool_call_id: 'c' } }, surfaceOp: 'append' },
  );
  assert.deepEqual(messages, [
    { role: 'user', content: [text('hi')] },
    { role: 'assistant', content: [text('yes')] },
    { role: 'user', content: [{ type: 'tool-result', toolCallId: 'c', content: [image], isError: true }] },
    { role: 'user', content: [text('<context source="plugin">'), image, text('</context>')] },
    { role: 'user', content: [text('<steering source="a\\"b">'), text('</steering>')] },
    { content: 'x', role: 'tool', tool_call_id: 'c' },
  ]);
  assert.equal(JSON.stringify(messages[5]), '{"content":"x","role":"tool","tool_call_id":"c"}', 'verbatim');
});

test('request-log 2.3: an assistant message without content shows nothing', () => {
  assert.deepEqual(derive(user('a'), assistant(), user('b')), said('a', 'b'));
});

test('request-log 2.3: every other type derives to nothing', () => {
  const types = ['turn/start', 'step/start', 'assistant/chunk', 'tool/call', 'prompt/blocked', 'todo/write'];
  const others = [...types, 'request/header', 'plug-in/type'].map(type => ({ type, data: { content: [text('no')] } }));
  assert.deepEqual(derive(...others, user('a'), ...others), said('a'));
  const events = [...logOf(user('a')), null, 5, 'x', {}] as readonly unknown[] as readonly LogEvent[];
  assert.deepEqual(deriveMessages(events), said('a'));
});

test('request-log 2.4: append puts at the tail, replace puts one in the place of a range', () => {
  const four = [user('0'), user('1'), user('2'), user('3')];
  assert.deepEqual(derive(...four), said('0', '1', '2', '3'));
  assert.deepEqual(derive(...four, user('4', replace(1, 2)), user('5')), said('0', '4', '3', '5'));
  assert.deepEqual(derive(...four, user('4', replace(0, 3)), user('5')), said('4', '5'));
  assert.deepEqual(derive(...four, user('4', replace(3, 3)), user('5')), said('0', '1', '2', '4', '5'));
  assert.deepEqual(derive(...four, user('4', replace(0, 0)), user('5')), said('4', '1', '2', '3', '5'));
});

test('request-log 2.4: ranges are by position: a start may have a larger seq than its end', () => {
  const events = [user('0'), user('1'), user('2'), user('3', replace(0, 1))];
  assert.deepEqual(derive(...events, user('4', replace(3, 2)), user('5')), said('4', '5'));
});

test('request-log 2.4: a replacement that shows nothing takes the range away', () => {
  const events = [user('0'), user('1'), { ...assistant(), surfaceOp: replace(0, 0) }];
  assert.deepEqual(derive(...events), said('1'));
});

test('request-log 2.4: an unknown start or end, one that was replaced, and a reversed range are errors', () => {
  const two = [user('0'), stepStart, user('2')];
  for (const [start, end] of [
    [9, 2],
    [0, 9],
    [1, 2],
    [0, 3],
    [-1, 0],
  ] as const) {
    assertCorrupt(() => derive(...two, user('3', replace(start, end))), 3, /not on the surface/);
  }
  assertCorrupt(() => derive(...two, user('3', replace(2, 0))), 3, /start stands after its end/);
  assertCorrupt(() => derive(...two, user('3', replace(0, 0)), user('4', replace(0, 2))), 4, /not on the surface/);
});

test('request-log 2.4: each call gives a fresh list of deep-frozen messages that share nothing with the log', () => {
  const events = JSON.parse(JSON.stringify(logOf(user('a')))) as LogEvent[];
  const first = deriveMessages(events);
  assert.ok(isDeepFrozen(first));
  assert.ok(!Object.isFrozen(events[0]?.data));
  (events[0] as unknown as { data: { content: unknown[] } }).data.content.push(text('more'));
  assert.deepEqual(first, said('a'));
  assert.notEqual(deriveMessages(events), deriveMessages(events));
});

test('request-log 2.3: members named __proto__ are copied like any other, at every depth', () => {
  const block = JSON.parse('{"type":"data","__proto__":{"__proto__":[{"constructor":1}]}}') as JsonObject;
  const [message] = derive(assistant(block));
  assert.equal(JSON.stringify(message?.['content']), JSON.stringify([block]));
  assert.equal(Object.getPrototypeOf(Object(message)), Object.prototype);
});

test('request-log 2.4: replacements of replacements, a hundred thousand events long', () => {
  const size = 100_000;
  const events = Array.from({ length: size }, (_, index) =>
    index % 2 === 0 ? user(String(index)) : user(String(index), replace(index === 1 ? 0 : index - 2, index - 1)),
  );
  assert.deepEqual(deriveMessages(logOf(...events)), said(String(size - 1)));
});

test('request-log 2.4: a surface that is replaced from its start again and again is read in linear work', t => {
  const get = t.mock.method(Vector.prototype, 'get');
  const rounds = 2_000;
  const entries = Array.from({ length: rounds }, (_, round) => [
    user('a'),
    user('b'),
    user('summary', replace(round === 0 ? 0 : round * 3 - 1, round * 3 + 1)),
  ]).flat();
  assert.deepEqual(derive(...entries), said('summary'));
  assert.ok(get.mock.callCount() < rounds * 100, `${get.mock.callCount()} slots looked at`);
});

test('request-log 2.1: surfaceOp is on every event that carries a message and on no other', () => {
  const { surfaceOp: _, ...bare } = user('a');
  assertCorrupt(() => derive(bare), 0, /surfaceOp is neither/);
  for (const surfaceOp of ['prepend', null, {}, { op: 'move', start: 0, end: 0 }, ['append']]) {
    assertCorrupt(() => derive({ ...bare, surfaceOp: surfaceOp as never }), 0, /surfaceOp is neither/);
  }
  assertCorrupt(() => derive(user('a'), { ...stepStart, surfaceOp: 'append' }), 1, /"step\/start" carries no message/);
});

test('request-log 2.1: a message whose seq is not its place in the log is an error', () => {
  assertCorrupt(() => deriveMessages(logOf(stepStart, user('a')).slice(1)), 0, /seq is not its place/);
});

test('request-log 2.3: a message that is not what its type says is an error at its event', () => {
  const source = { kind: 'user' };
  for (const [type, data, reason] of [
    ['user/message', null, /no object/],
    ['user/message', { content: 'text', source }, /no list of blocks/],
    ['user/message', { content: ['text'], source }, /no list of blocks/],
    ['assistant/message', {}, /no list of blocks/],
    ['tool/result', { callId: 1, content: [], isError: false }, /callId/],
    ['tool/result', { callId: 'c', content: [] }, /isError/],
    ['context/message', { content: [] }, /source has no kind/],
    ['steering/message', { content: [], source: { kind: 1 } }, /source has no kind/],
    ['host/message', { message: 'text' }, /no message/],
  ] as const) {
    assertCorrupt(() => derive(stepStart, { type, data, surfaceOp: 'append' }), 1, reason);
  }
});

const header = {
  config: { temperature: 0, model: 'm' },
  system: 's',
  tools: [{ name: 'dig' }],
  messagePrefix: [{ role: 'user', content: [text('open')] }],
};

test('request-log 1: config, system, tools, and prefix before the history, deep-frozen', () => {
  const events = logOf(user('hi'), stepStart, snapshot(header));
  const request = rebuildRequest(events, 1);
  assert.deepEqual(request, {
    temperature: 0,
    model: 'm',
    system: 's',
    tools: [{ name: 'dig' }],
    messages: said('open', 'hi'),
  });
  assert.deepEqual(Object.keys(request), ['temperature', 'model', 'system', 'tools', 'messages']);
  assert.ok(isDeepFrozen(request));
  const bare = logOf(stepStart, snapshot({ config: { model: 'm' } }));
  assert.deepEqual(rebuildRequest(bare, 0), { model: 'm', messages: [] });
});

test('request-log 2.7: what is appended after the step started belongs to the next request', () => {
  const events = logOf(user('a'), stepStart, user('late'), snapshot(header), assistant(text('b')), stepStart);
  assert.deepEqual(rebuildRequest(events, 1).messages, said('open', 'a'));
  const next = rebuildRequest(events, 5).messages;
  assert.deepEqual(next.slice(0, 3), said('open', 'a', 'late'));
  assert.deepEqual(next[3], { role: 'assistant', content: [text('b')] });
});

test("request-log 4: a step's own header event counts for it, one of a later step does not", () => {
  const change = delta({ config: { model: 'n' } });
  const stepEnd = { type: 'step/end', data: { turn: 1, step: 1 } };
  const events = logOf(stepStart, snapshot(header), stepEnd, stepStart, stepEnd, stepStart, user('x'), change, stepEnd);
  assert.deepEqual(
    [0, 3, 5].map(seq => rebuildRequest(events, seq)['model']),
    ['m', 'm', 'n'],
  );
});

test('request-log 10: a request extends the one before it, unless the log shows why not', () => {
  const events = logOf(user('a'), stepStart, snapshot(header), assistant(text('b')), user('c'), stepStart);
  const first = rebuildRequest(events, 1).messages;
  assert.deepEqual(rebuildRequest(events, 5).messages.slice(0, first.length), first);
});

test('request-log 1: a step that is not there, or has no header, is a named error', () => {
  const events = logOf(user('a'), stepStart, user('b'));
  for (const seq of [0, 3, -1, 0.5, Number.NaN]) {
    assertCorrupt(() => rebuildRequest(events, seq), seq, /no step starts here/);
  }
  assertCorrupt(() => rebuildRequest(events, 1), 1, /no header was logged/);
  assertCorrupt(() => rebuildRequest(events.slice(1), 0), 0, /no step starts here/);
  const events2 = logOf(stepStart, snapshot({ config: { model: 'm', messages: [] } }));
  assertCorrupt(() => rebuildRequest(events2, 0), 0, /member "messages"/);
});
