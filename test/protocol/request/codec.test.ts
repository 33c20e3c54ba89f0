import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalHeader, headerEquals, type RequestHeader } from '../../../protocol/request/header.ts';
import { applyHeaderDelta, diffHeader } from '../../../protocol/request/headerDelta.ts';
import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import type { SystemDelta } from '../../../protocol/request/systemDelta.ts';
import { assertCorrupt, text } from './logKit.ts';
import { deepFreeze } from './vectorFile.ts';

const config = { model: 'm' };
const withSystem = (system?: Json): RequestHeader => canonicalHeader({ config, system });
const tool = (name: string, description = name): JsonObject => ({ name, description, parameters: {} });
const withTools = (...tools: readonly Json[]): RequestHeader => canonicalHeader({ config, tools });
const opener = { role: 'user', content: [text('open')] };

/** Both ways of a change: what is written, and what it makes of the old header. */
function change(prev: RequestHeader, next: RequestHeader) {
  const delta = diffHeader(deepFreeze(prev), deepFreeze(next));
  return { delta, applied: delta && applyHeaderDelta(prev, deepFreeze(delta)) };
}

test('request-log 3.1: canonical form is a new object in fixed order, without empty parts and unknown members', () => {
  const raw = { later: 1, messagePrefix: [opener], tools: [tool('dig')], system: 's', config };
  const canonical = canonicalHeader(raw);
  assert.deepEqual(Object.keys(canonical), ['config', 'system', 'tools', 'messagePrefix']);
  assert.equal(canonical.config, config, 'config is passed through untouched');
  assert.deepEqual(Object.keys(canonicalHeader({ config, system: '', tools: [], messagePrefix: [] })), ['config']);
  assert.deepEqual(canonicalHeader({ config: { model: 'm', stop: [] } }), { config: { model: 'm', stop: [] } });
});

test('request-log 3.1: white space is a system, and a prefix of one message without blocks is a prefix', () => {
  assert.equal(canonicalHeader({ config, system: ' ' }).system, ' ');
  assert.equal(canonicalHeader({ config, system: '\n' }).system, '\n');
  const messagePrefix = [{ role: 'user', content: [] }];
  assert.deepEqual(canonicalHeader({ config, messagePrefix }).messagePrefix, messagePrefix);
});

test('request-log 3.2: config is compared structurally, and the order of its members says nothing', () => {
  const equal = (a: JsonObject, b: JsonObject) => headerEquals({ config: a }, { config: b });
  assert.ok(
    equal({ model: 'm', temperature: 0, x: { a: 1, b: 2 } }, { x: { b: 2, a: 1 }, temperature: 0, model: 'm' }),
  );
  assert.ok(!equal({ model: 'm' }, { model: 'm', temperature: 0 }));
  assert.ok(!equal({ model: 'm' }, { model: 'm', stop: [] }));
  assert.ok(!equal({ model: 'm', stop: ['a', 'b'] }, { model: 'm', stop: ['b', 'a'] }));
  assert.ok(!equal({ model: 'm', thinking: { budget: 1 } }, { model: 'm', thinking: { budget: 2 } }));
  assert.ok(!equal({ a: [] }, { a: {} }));
});

test('request-log 3.2: in system, tools and prefix the order of members counts, for the model is shown their text', () => {
  const [dig, turned] = [
    { name: 'dig', parameters: {} },
    { parameters: {}, name: 'dig' },
  ];
  assert.ok(!headerEquals(withTools(dig), withTools(turned)));
  assert.ok(!headerEquals(withTools(tool('a'), tool('b')), withTools(tool('b'), tool('a'))));
  assert.ok(!headerEquals(withSystem([{ a: 1, b: 2 }]), withSystem([{ b: 2, a: 1 }])));
  const prefix = (message: JsonObject) => ({ config, messagePrefix: [message] });
  assert.ok(!headerEquals(prefix(opener), prefix({ content: opener.content, role: 'user' })));
  assert.ok(headerEquals({ config }, { config, messagePrefix: [] }));
  assert.ok(!headerEquals(withSystem('\u00e9'), withSystem('e\u0301')), 'no Unicode normalisation');
});

const LINES: readonly (readonly [string | undefined, string | undefined, SystemDelta])[] = [
  [undefined, 'x\ny', { keepStart: 0, keepEnd: 0, insert: ['x', 'y'] }],
  ['x\ny', undefined, { keepStart: 0, keepEnd: 0, insert: [] }],
  ['a\na', 'a\na\na', { keepStart: 2, keepEnd: 0, insert: ['a'] }],
  ['a\na\na', 'a\na', { keepStart: 2, keepEnd: 0, insert: [] }],
  ['a', 'a\n', { keepStart: 1, keepEnd: 0, insert: [''] }],
  ['a\n', 'a', { keepStart: 1, keepEnd: 0, insert: [] }],
  ['\n', '\n\n', { keepStart: 2, keepEnd: 0, insert: [''] }],
  ['a\nb\nc', 'b\nc', { keepStart: 0, keepEnd: 2, insert: [] }],
  ['x\ny\nx', 'x', { keepStart: 1, keepEnd: 0, insert: [] }],
  ['a\r\nb', 'a\nb', { keepStart: 0, keepEnd: 1, insert: ['a'] }],
];

for (const [prev, next, system] of LINES) {
  test(`request-log 5.1: ${JSON.stringify(prev) ?? 'absent'} to ${JSON.stringify(next) ?? 'absent'}`, () => {
    const { delta, applied } = change(withSystem(prev), withSystem(next));
    assert.deepEqual(delta, { system });
    assert.deepEqual(applied, withSystem(next));
  });
}

test('request-log 5.1: only U+000A ends a line', () => {
  for (const other of ['\r', '\u2028', '\u2029', '\u0085', '\v', '\f']) {
    const { delta } = change(withSystem(`a${other}b`), withSystem(`a${other}c`));
    assert.deepEqual(delta?.system, { keepStart: 0, keepEnd: 0, insert: [`a${other}c`] });
  }
});

test('DESIGN flow 2: a system that is no text on either side is replaced whole', () => {
  const blocks = [{ type: 'text', text: 'a' }];
  for (const [prev, next, replace] of [
    ['a', blocks, blocks],
    [blocks, 'a', 'a'],
    [undefined, blocks, blocks],
    [blocks, undefined, ''],
    [blocks, null, null],
    [null, undefined, ''],
    [null, 'a', 'a'],
  ] as const) {
    const { delta, applied } = change(withSystem(prev), withSystem(next));
    assert.deepEqual(delta, { system: { replace } });
    assert.deepEqual(applied, withSystem(next));
  }
});

test('request-log 5.2: added, removed and changed in one delta, each in its order', () => {
  const { delta, applied } = change(
    withTools(tool('a'), tool('b'), tool('c'), tool('d')),
    withTools(tool('b', 'new'), tool('d'), tool('f'), tool('e')),
  );
  assert.deepEqual(delta, {
    tools: { added: [tool('f'), tool('e')], removed: ['a', 'c'], changed: [tool('b', 'new')] },
  });
  assert.deepEqual(applied, withTools(tool('b', 'new'), tool('d'), tool('f'), tool('e')));
});

test('request-log 5.2: a pure reorder gives a delta that does not round-trip', () => {
  const { delta, applied } = change(withTools(tool('a'), tool('b')), withTools(tool('b'), tool('a')));
  assert.deepEqual(delta, { tools: { added: [], removed: [], changed: [] } });
  assert.deepEqual(applied, withTools(tool('a'), tool('b')));
});

test('request-log 5.2: of two changes for one name the last wins, and replaces every tool of that name', () => {
  const changed = [tool('a', 'first'), tool('a', 'last')];
  const applied = applyHeaderDelta(withTools(tool('a'), tool('b'), tool('a')), {
    tools: { added: [], removed: [], changed },
  });
  assert.deepEqual(applied, withTools(tool('a', 'last'), tool('b'), tool('a', 'last')));
});

test('DESIGN flow 2: a tool is known by its name, else by function.name, else by its type', () => {
  const call = (name: string) => ({ type: 'function', function: { name, strict: true } });
  const search = { type: 'web_search', max_uses: 1 };
  const { delta, applied } = change(withTools(call('a'), call('b'), search), withTools(call('b'), search, call('c')));
  assert.deepEqual(delta, { tools: { added: [call('c')], removed: ['a'], changed: [] } });
  assert.deepEqual(applied, withTools(call('b'), search, call('c')));
  assert.deepEqual(diffHeader(withTools(search), withTools({ ...search, max_uses: 2 }))?.tools?.changed, [
    { ...search, max_uses: 2 },
  ]);
});

test('request-log 5.3: the whole next config, and nothing else', () => {
  const prev = { config: { model: 'm', temperature: 1, stop: ['a'] }, system: 's' };
  const { delta, applied } = change(prev, { config: { model: 'n' }, system: 's' });
  assert.deepEqual(delta, { config: { model: 'n' } });
  assert.deepEqual(applied, { config: { model: 'n' }, system: 's' });
});

test('request-log 5.4: the whole next prefix; an empty list goes back to absence', () => {
  const bare: RequestHeader = { config };
  const opened: RequestHeader = { config, messagePrefix: [opener] };
  assert.deepEqual(change(bare, opened), { delta: { messagePrefix: [opener] }, applied: opened });
  assert.deepEqual(change(opened, bare), { delta: { messagePrefix: [] }, applied: bare });
});

test('request-log 6: a delta outside a log that does not fit is the same named error, with no place', () => {
  const apply = (prev: RequestHeader, delta: unknown) => () => applyHeaderDelta(prev, delta as never);
  assertCorrupt(
    apply(withSystem('a'), { system: { keepStart: 2, keepEnd: 0, insert: [] } }),
    undefined,
    /keeps 2 and 0/,
  );
  assertCorrupt(apply(withSystem(['a']), { system: { keepStart: 0, keepEnd: 0, insert: [] } }), undefined, /no text/);
  assertCorrupt(apply(withSystem('a'), null), undefined, /no object/);
});

test('request-log 6: names such as __proto__ and constructor are names like any other', () => {
  const own = JSON.parse('{"model":"m","__proto__":{"a":1}}') as JsonObject;
  const { delta, applied } = change({ config }, { config: own });
  assert.equal(JSON.stringify(delta), '{"config":{"model":"m","__proto__":{"a":1}}}');
  assert.equal(JSON.stringify(applied), '{"config":{"model":"m","__proto__":{"a":1}}}');
  assert.ok(!headerEquals({ config }, { config: own }));
  assert.ok(!headerEquals({ config: own }, { config: { model: 'm', toString: 1 } }));
  const named = change(withTools(tool('__proto__'), tool('constructor')), withTools(tool('constructor', 'new')));
  assert.deepEqual(named.applied, withTools(tool('constructor', 'new')));
});
