import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnreadableBodyError } from '../../../../adapter/gateway/apis/gatewayApi.ts';
import type { BodyItem, ComposedBody } from '../../../../adapter/gateway/body/bodyView.ts';
import { composeBody } from '../../../../adapter/gateway/body/composeBody.ts';
import type { Json, JsonObject } from '../../../../protocol/request/json.ts';

function composed(
  text: string,
  items: readonly BodyItem[],
  members: Readonly<Record<string, Json>> = {},
): ComposedBody {
  const value = JSON.parse(text) as JsonObject;
  return composeBody({ text, value }, { list: 'messages', items, members: new Map(Object.entries(members)) });
}

const kept = (received: number, value: JsonObject = {}): BodyItem => ({ received, same: true, value });
const changed = (received: number, value: JsonObject): BodyItem => ({ received, same: false, value });
const put = (value: JsonObject): BodyItem => ({ same: false, value });

test('agents.md trap: cache_control stays where a tool result becomes a tombstone', () => {
  const text =
    '{"messages":[{"role":"user","content":[ {"type":"tool_result","tool_use_id":"toolu_1","content":"<!--ephemeral-->\\nSECRET", "cache_control" : {"type":"ephemeral"} , "is_error":false}, {"type":"image","n":1.0}]}],"max_tokens":1e3}';
  const wanted = text.replace('"<!--ephemeral-->\\nSECRET"', '"[EPHEMERAL:x]"');
  const [message] = (JSON.parse(wanted) as { readonly messages: readonly [JsonObject] }).messages;
  const { text: made } = composed(text, [changed(0, message)]);
  assert.notEqual(wanted, text);
  assert.equal(made, wanted);
});

test('what is put in stands with a comma at the right place: before, between and behind', () => {
  const n = (at: number): JsonObject => ({ n: at });
  assert.equal(
    composed('{"messages":[ {"a":1} ,\n{"b":2} ]}', [put(n(1)), kept(0), put(n(2)), put(n(3)), kept(1), put(n(4))])
      .text,
    '{"messages":[ {"n":1},{"a":1},{"n":2},{"n":3} ,\n{"b":2},{"n":4} ]}',
  );
  assert.equal(
    composed('{"messages":[{"a":1}]}', [put(n(1)), put(n(2)), kept(0)]).text,
    '{"messages":[{"n":1},{"n":2},{"a":1}]}',
  );
});

test('an item is taken out with what parts it from the item before, the first ones with what stands behind them', () => {
  const n = (at: number): JsonObject => ({ n: at });
  const text = '{"messages":[ {"a":0} ,\n{"a":1} , {"a":2},\t{"a":3} ]}';
  const cases: readonly (readonly [readonly BodyItem[], string])[] = [
    [[kept(0), kept(3)], '[ {"a":0},\t{"a":3} ]'],
    [[kept(2), kept(3)], '[ {"a":2},\t{"a":3} ]'],
    [[kept(0), kept(1)], '[ {"a":0} ,\n{"a":1} ]'],
    [[put(n(1)), kept(2), kept(3)], '[ {"n":1} , {"a":2},\t{"a":3} ]'],
    [[kept(0), put(n(1)), put(n(2)), kept(3)], '[ {"a":0},{"n":1},{"n":2},\t{"a":3} ]'],
    [[kept(0), put(n(1))], '[ {"a":0},{"n":1} ]'],
    [[put(n(1)), put(n(2))], '[ {"n":1},{"n":2} ]'],
    [[], '[  ]'],
  ];
  for (const [items, list] of cases) {
    assert.equal(composed(text, items).text, `{"messages":${list}}`);
  }
});

test('an empty list takes what is put in', () => {
  assert.equal(
    composed('{"messages": [ \n]}', [put({ n: 1 }), put({ n: 2 })]).text,
    '{"messages": [{"n":1},{"n":2} \n]}',
  );
});

test('a member that is no list stays, and becomes one only where something is put in or became another', () => {
  const text = '{ "messages" : "h\\u0069" , "n":1.0}';
  const whole = { role: 'user', content: 'hi' };
  assert.equal(composed(text, [kept(0, whole)]).text, text);
  assert.equal(
    composed(text, [put({ n: 1 }), kept(0, whole)]).text,
    '{ "messages" : [{"n":1},{"role":"user","content":"hi"}] , "n":1.0}',
  );
  assert.equal(
    composed(text, [changed(0, { role: 'user', content: '' })]).text,
    '{ "messages" : [{"role":"user","content":""}] , "n":1.0}',
  );
});

test('a list or a member that is not there is put behind the last member', () => {
  assert.equal(composed('{ }', [put({ n: 1 })], { system: 's' }).text, '{"messages":[{"n":1}],"system":"s" }');
  assert.equal(composed('{"n":1.0 }', [], { system: 's' }).text, '{"n":1.0,"system":"s" }');
});

test('of a member that stands twice the last is changed, as JSON.parse reads it', () => {
  const text =
    '{"system":"a","messages":[],"system":"b","messages":[{"x":1,"\\u0078":2}],"messages":[{"x":1,"\\u0078":2}]}';
  const { text: made } = composed(text, [changed(0, { x: 3 })], { system: 'c' });
  assert.equal(
    made,
    '{"system":"a","messages":[],"system":"c","messages":[{"x":1,"\\u0078":2}],"messages":[{"x":1,"\\u0078":3}]}',
  );
});

test('a list of another length, and an object with other members, is replaced alone', () => {
  const text = '{"messages":[{"a":[1.0,2.0],"b":{"c":1.0},"d":1.0}]}';
  assert.equal(
    composed(text, [changed(0, { a: [1], b: { c: 1 }, d: 1 })]).text,
    '{"messages":[{"a":[1],"b":{"c":1.0},"d":1.0}]}',
  );
  assert.equal(
    composed(text, [changed(0, { a: [1, 2], b: { c: 1, e: 0 }, d: 1 })]).text,
    '{"messages":[{"a":[1.0,2.0],"b":{"c":1,"e":0},"d":1.0}]}',
  );
});

test('messages whose text is that of the sealed request are holes of the record; others stand in it', () => {
  const text = '{"model":"m","messages":[{"n":0},{"n":1},{"n": 2},{"n":3},{"n":4}],"stream":true}';
  const items = [0, 1, 2, 3, 4].map(n => ({ ...kept(n, { n }), sealed: n + 1 }));
  const { pieces } = composed(text, [{ ...put({ p: 0 }), sealed: 0 }, ...items]);
  assert.deepEqual(pieces, [
    '{"model":"m","messages":[',
    { messages: [0, 3] },
    ',{"n": 2}',
    ',',
    { messages: [4, 6] },
    '],"stream":true}',
  ]);
});

test('the record names system and tools where their text is that of the sealed request', () => {
  const text = '{"tools":[{"name":"a"}],"messages":[],"system":"s"}';
  const view = { list: 'messages', items: [], members: new Map<string, Json>() };
  const parts = [
    { part: 'system', member: 'system', value: 's' },
    { part: 'tools', member: 'tools', value: [{ name: 'a' }] },
  ] as const;
  const received = { text, value: JSON.parse(text) as JsonObject };
  const expected = ['{"tools":', { part: 'tools' }, ',"messages":[', '],"system":', { part: 'system' }, '}'];
  assert.deepEqual(composeBody(received, { ...view, parts }).pieces, expected);
  const other = composeBody(received, { ...view, members: new Map([['system', 't']]), parts });
  assert.equal(other.text, text.replace('"s"', '"t"'));
  assert.deepEqual(other.pieces.slice(-2), ['"t"', '}']);
});

test('a body that is nested 100,000 levels deep stays, and is changed beside its depth', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const text = `{"deep":${deep},"messages":[{"deep":${deep},"text":"a"}]}`;
  const value = JSON.parse(text) as { messages: [{ deep: Json }] };
  const [message] = value.messages;
  assert.equal(composed(text, [{ ...kept(0, message), sealed: 0 }]).text, text);
  assert.equal(composed(text, [changed(0, { deep: message.deep, text: 'b' })]).text, text.replace('"a"', '"b"'));
  const deeper = JSON.parse(`[${deep}]`) as Json;
  assert.throws(() => composed(text, [changed(0, { deep: deeper, text: 'b' })]), UnreadableBodyError);
});

test('a change deep inside replaces no more than the value around the 16th level', () => {
  const nested = (leaf: string, levels: number): string => `${'[ '.repeat(levels)}${leaf}${' ]'.repeat(levels)}`;
  const text = `{"messages":[{"a":${nested('1', 200)},"b":1.0}]}`;
  const wanted = JSON.parse(text.replace(nested('1', 1), nested('2', 1))) as { messages: [JsonObject] };
  const { text: made } = composed(text, [changed(0, wanted.messages[0])]);
  assert.deepEqual(JSON.parse(made), wanted);
  assert.ok(made.startsWith(`{"messages":[{"a":${'[ '.repeat(14)}`));
  assert.ok(made.endsWith(`${' ]'.repeat(14)},"b":1.0}]}`));
});

test('items that are not those that were received make no body', () => {
  const text = '{"messages":[{"a":1},{"b":2}]}';
  for (const items of [
    [kept(1), kept(0)],
    [kept(0), kept(0)],
    [kept(0), kept(1), kept(2)],
  ]) {
    assert.throws(() => composed(text, items), /are not those that were received/);
  }
});
