import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { frozenMessage } from '../../../protocol/lifecycle/messageCopy.ts';
import { MessageLayouts, sameMessage } from '../../../protocol/lifecycle/messageLayout.ts';
import { outlineOf } from '../../../protocol/lifecycle/messageOutline.ts';
import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import { isDeepFrozen } from '../request/vectorFile.ts';
import { assistant, call, EPHEMERAL, Run, result, textBlock, user } from './lifecycleKit.ts';

const transcript = (length: number): readonly JsonObject[] =>
  Array.from({ length }, (_, index) =>
    [user(`question ${index}`), call(`c${index}`), result(`c${index - 1}`, `output ${index}`)].at(index % 3),
  ) as readonly JsonObject[];

function counted(): { readonly run: Run; readonly work: { parsed: number; hashed: number; compared: number } } {
  const work = { parsed: 0, hashed: 0, compared: 0 };
  return { run: new Run({ work }), work };
}

test('DESIGN, Speed: only new messages are parsed and hashed; fresh copies of the others are compared once', () => {
  const { run, work } = counted();
  const history = transcript(1000);
  run.request(...history);
  assert.deepEqual(work, { parsed: 1000, hashed: 667, compared: 0 }, 'tool results have ids');
  run.request(...history, user('one'), user('two'));
  assert.deepEqual(work, { parsed: 1002, hashed: 669, compared: 1000 });
});

test('DESIGN, Speed: unchanged messages come back as the same frozen objects', () => {
  const run = new Run();
  const history = [...transcript(50), user(EPHEMERAL), assistant('seen')];
  const first = run.request(...history);
  const second = run.request(...history, user('next'));
  for (const [index, entry] of first.entries.entries()) {
    assert.equal(second.entries[index], entry);
    assert.ok(isDeepFrozen(entry.message));
  }
});

test('a message that the host changed in place is read again, and only that one', () => {
  const { run, work } = counted();
  const history = transcript(100);
  const first = run.request(...history);
  const changed = history.with(40, user('changed'));
  const second = run.request(...changed);
  assert.equal(work.parsed, 101);
  assert.deepEqual(second.messages, changed);
  assert.equal(second.messages[39], first.messages[39]);
  assert.equal(second.messages[41], first.messages[41]);
});

test('after a host compaction the messages that are left are not read again', () => {
  const { run, work } = counted();
  const history = transcript(300);
  const first = run.request(...history);
  const second = run.request(user('a summary'), ...history.slice(200), user('next'));
  assert.equal(work.parsed, 302);
  assert.equal(second.messages[1], first.messages[200]);
  assert.deepEqual(second.messages, [user('a summary'), ...history.slice(200), user('next')]);
});

test('equal messages each keep their own object, and many alike cost a bounded search', () => {
  const { run, work } = counted();
  const alike = Array.from({ length: 500 }, (_, index) => user(`${index}`.padStart(4, '0')));
  run.request(user('same'), user('same'), ...alike);
  const compared = work.compared;
  const { messages } = run.request(user('same'), ...alike.toReversed());
  assert.deepEqual(messages, [user('same'), ...alike.toReversed()]);
  assert.ok(work.compared - compared <= 9 * 502);
  const again = new Run();
  const twice = again.request(user('x'), user('same'), user('same'));
  const moved = again.request(user('same'), user('same'));
  assert.deepEqual(moved.messages, twice.messages.slice(1));
  assert.notEqual(moved.messages[0], moved.messages[1]);
});

test('undefined members are dropped as JSON does, and make no message another one', () => {
  const run = new Run();
  const first = run.session.view([{ role: 'user', content: 'hi', id: undefined }]);
  assert.deepEqual(first[0]?.message, { role: 'user', content: 'hi' });
  const second = run.session.view([{ role: 'user', name: undefined, content: 'hi' }]);
  assert.equal(second[0], first[0]);
});

for (const [name, value, says] of [
  ['a function', () => 1, 'a function'],
  ['a symbol', Symbol('x'), 'a symbol'],
  ['NaN', Number.NaN, 'NaN'],
  ['infinity', Number.POSITIVE_INFINITY, 'Infinity'],
  ['a date', new Date(0), 'an object of the class Date'],
  ['bytes', new Uint8Array(2), 'an object of the class Uint8Array'],
  ['a map', new Map(), 'an object of the class Map'],
] as const) {
  test(`${name} is no JSON: the error names the place`, () => {
    assert.throws(() => new Run().session.view([user('fine'), { role: 'user', content: [{ type: 'x', value }] }]), {
      name: 'UnreadableMessageError',
      part: 'messages[1]',
      path: '.content[0].value',
      message: `The request was not built, because messages[1].content[0].value is ${says}, which JSON cannot hold. Hand over plain JSON values.`,
    });
  });
}

test('undefined in a list, a message that is no object, and a message in itself are refused by name', () => {
  const view = (message: unknown) => () => new Run().session.view([message]);
  assert.throws(view({ role: 'user', content: [undefined] }), /messages\[0\]\.content\[0\] is undefined/);
  assert.throws(view('text'), /messages\[0\] is a string, and no object/);
  assert.throws(view(undefined), /messages\[0\] is undefined, and no object/);
  assert.throws(view([]), /messages\[0\] is a list, and no object/);
  const itself: Record<string, unknown> = { role: 'user' };
  itself['content'] = itself;
  assert.throws(view(itself), /is nested deeper than 1000 levels or in itself/);
});

test('a message that is in itself many times is refused as soon where the host rewrote its history', {
  timeout: 20_000,
}, () => {
  const { session } = new Run();
  session.view([user('one'), user('two')]);
  const itself: Record<string, unknown> = { role: 'user' };
  itself['content'] = [itself, itself, itself];
  assert.throws(() => session.view([user('one'), itself]), /is nested deeper than 1000 levels or in itself/);
});

test('after a host compaction a message of many values is still found by them', () => {
  const { run, work } = counted();
  const large = (last: number) => ({
    role: 'user',
    content: Array.from({ length: 20_000 }, (_, place) => place),
    last,
  });
  const history = [user('one'), large(1), large(2), user('three')];
  run.request(...history);
  const { entries } = run.request(...history.slice(1));
  assert.equal(work.parsed, 4);
  assert.deepEqual(
    entries.map(({ message }) => message['last'] ?? 0),
    [1, 2, 0],
  );
});

test('objects of another realm, without prototype, and with a member __proto__ are plain JSON', () => {
  const foreign = Object.assign(Object.create(Object.create(null)) as object, { role: 'user', content: 'hi' });
  const bare = Object.assign(Object.create(null) as object, { role: 'user', content: 'hi' });
  const hostile: unknown = JSON.parse('{"role":"user","__proto__":{"x":1},"content":[]}');
  const [first, second, third] = new Run().session.view([foreign, bare, hostile]);
  assert.equal(JSON.stringify(first?.message), '{"role":"user","content":"hi"}');
  assert.equal(JSON.stringify(second?.message), '{"role":"user","content":"hi"}');
  assert.equal(JSON.stringify(third?.message), JSON.stringify(hostile));
});

const values = fc.letrec<{ json: Json }>(tie => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, false, 0, 1, '', 'a', 'b'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('json')), { maxLength: 3 })
      .map(members => Object.fromEntries(members) as Json),
  ),
})).json;

test('law: a message is the same as a copy exactly when their JSON texts are', () => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      const copy = frozenMessage({ a }, 0);
      const layout = new MessageLayouts().of(copy);
      assert.equal(sameMessage({ a }, layout), true);
      assert.equal(sameMessage({ a: b }, layout), JSON.stringify(a) === JSON.stringify(b));
      assert.equal(JSON.stringify(copy), JSON.stringify({ a }));
      assert.ok(isDeepFrozen(copy));
    }),
    { numRuns: 3000 },
  );
});

test('lists are the same only with as many items at each depth', () => {
  const layout = new MessageLayouts().of([[], [1]]);
  assert.equal(sameMessage([[], [1]], layout), true);
  assert.equal(sameMessage([[[1]]], layout), false);
  assert.equal(sameMessage([[], [1], []], layout), false);
  assert.equal(sameMessage([[]], layout), false);
});

test('names that hold any character make no two objects the same', () => {
  const layouts = new MessageLayouts();
  layouts.of({ 'a\0b': 1, c: 2 });
  const layout = layouts.of({ a: 1, 'b\0c': 2 });
  assert.equal(sameMessage({ a: 1, 'b\0c': 2 }, layout), true);
  assert.equal(sameMessage({ 'a\0b': 1, c: 2 }, layout), false);
});

test('negative zero becomes the zero that JSON has', () => {
  const [entry] = new Run().session.view([{ role: 'user', content: [], weight: -0 }]);
  assert.ok(Object.is(entry?.message['weight'], 0));
});

test('law: the outline of a message is that of its copy', () => {
  fc.assert(
    fc.property(values, a => {
      const message = { a, dropped: undefined, text: textBlock('x') };
      assert.equal(outlineOf(message), outlineOf(frozenMessage(message, 0)));
    }),
  );
});
