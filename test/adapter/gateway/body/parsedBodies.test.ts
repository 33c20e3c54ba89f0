import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UnreadableBodyError } from '../../../../adapter/gateway/apis/gatewayApi.ts';
import type { ReceivedBody } from '../../../../adapter/gateway/body/bodyView.ts';
import { itemSpans, memberSpans, spaceEnd } from '../../../../adapter/gateway/body/jsonSpans.ts';
import { ParsedBodies } from '../../../../adapter/gateway/body/parsedBodies.ts';
import type { JsonObject } from '../../../../protocol/request/json.ts';
import { hostileBody } from './hostileJson.ts';

/** What came of reading, so that two ways can be compared: JSON text tells the order of members, too. */
function outcome(read: () => unknown): string {
  try {
    return JSON.stringify(read());
  } catch (error) {
    assert.ok(error instanceof SyntaxError || error instanceof UnreadableBodyError, String(error));
    return error.name;
  }
}

function object(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnreadableBodyError('no object');
  }
  if (memberSpans(text, spaceEnd(text, 0)).repeats) {
    throw new UnreadableBodyError('a member twice');
  }
  return value;
}

function checked(bodies: ParsedBodies, text: string): ReceivedBody | undefined {
  let read: ReceivedBody | undefined;
  const found = outcome(() => {
    read = bodies.read(text);
    return read.value;
  });
  assert.equal(
    found,
    outcome(() => object(text)),
  );
  if (read?.scanned) {
    assert.equal(text[read.scanned.start], '[');
    assert.deepEqual(read.scanned.spans, itemSpans(text, read.scanned.start));
    const { places } = read.scanned.spans;
    const items = Array.from({ length: places.length / 2 }, (_, at): unknown =>
      JSON.parse(text.slice(places[at * 2], places[at * 2 + 1])),
    );
    const lists = Object.values(read.value).filter(member => Array.isArray(member));
    assert.ok(lists.some(list => JSON.stringify(list) === JSON.stringify(items)));
  }
  return read;
}

/** Changes of a text, most of which leave no JSON. */
const cut = fc.record({
  at: fc.nat(),
  gone: fc.nat(3),
  put: fc.constantFrom('', ',', ']', '}', '1', ',1', ',{}', ' ', '"', '[', ']}', ',"messages":[]', ',"messages":[1],'),
});

test('law: what is read is what JSON.parse reads, whatever was read before, also where it is no JSON', () => {
  fc.assert(
    fc.property(hostileBody, fc.array(cut, { minLength: 1, maxLength: 12 }), (text, cuts) => {
      const bodies = new ParsedBodies();
      checked(bodies, text);
      for (const { at, gone, put } of cuts) {
        const place = at % (text.length + 1);
        checked(bodies, text.slice(0, place) + put + text.slice(place + gone));
      }
      checked(bodies, text);
    }),
    { numRuns: 3_000 },
  );
});

const body = (messages: readonly unknown[], more = ''): string =>
  `{"model":"m","messages":[${messages.map(item => JSON.stringify(item)).join(', ')}],"stream":true${more}}`;
const conversation = (name: string, length: number): readonly JsonObject[] =>
  Array.from({ length }, (_, n) => ({ name, n }));

test('messages that stand at the start of an earlier body are the same objects', () => {
  const bodies = new ParsedBodies();
  const messagesOf = (text: string): readonly unknown[] =>
    checked(bodies, text)?.value['messages'] as readonly unknown[];
  const first = messagesOf(body(conversation('a', 5)));
  const other = messagesOf(body(conversation('b', 3)));
  const second = messagesOf(body(conversation('a', 7), ',"n":1.0'));
  assert.deepEqual(
    second.map((message, at) => message === first[at]),
    [true, true, true, true, true, false, false],
  );
  assert.ok(
    messagesOf(body(conversation('b', 4)))
      .slice(0, 3)
      .every((message, at) => message === other[at]),
  );
  const changed = messagesOf(body(conversation('a', 7).with(3, { name: 'x' })));
  assert.deepEqual(
    changed.map((message, at) => message === second[at]),
    [true, true, true, false, false, false, false],
  );
  const fewer = messagesOf(body(conversation('a', 2)));
  assert.ok(fewer.every((message, at) => message === changed[at]));
});

test('a number that goes on is another number', () => {
  const bodies = new ParsedBodies();
  checked(bodies, '{"messages":[1,2]}');
  assert.deepEqual(checked(bodies, '{"messages":[1,22]}')?.value, { messages: [1, 22] });
  assert.deepEqual(checked(bodies, '{"messages":[1,2,3]}')?.value, { messages: [1, 2, 3] });
});

test('a body that names a member twice is refused, whatever was read before: servers differ in which one they take', () => {
  const bodies = new ParsedBodies();
  checked(bodies, '{"messages":[1,2],"a":0}');
  for (const text of [
    '{"messages":[1,2],"messages":[3]}',
    '{"messages":[1,2],"mess\\u0061ges":"x"}',
    '{"messages":[1,2],"a":0,"a":0}',
    '{"a":0,"messages":[1],"a":0}',
  ]) {
    assert.throws(() => bodies.read(text), /UnreadableBodyError: .* names a member twice/);
    assert.throws(() => new ParsedBodies().read(text), /UnreadableBodyError: .* names a member twice/);
  }
});

test('what is no object is no body', () => {
  assert.throws(() => new ParsedBodies().read('[]'), UnreadableBodyError);
});
