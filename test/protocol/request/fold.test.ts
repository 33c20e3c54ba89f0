import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldRequestHeader } from '../../../protocol/request/foldRequestHeader.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { rebuildRequest } from '../../../protocol/request/rebuildRequest.ts';
import { assertCorrupt, delta, fold, logOf, runInstance, snapshot, stepStart, text, user } from './logKit.ts';
import { isDeepFrozen } from './vectorFile.ts';

const header = {
  config: { model: 'm' },
  system: 'one\ntwo',
  tools: [{ name: 'dig', parameters: {} }],
  messagePrefix: [{ role: 'user', content: [text('open')] }],
};

test('request-log 8: none without header events, then the snapshot, then its deltas, then a later snapshot', () => {
  assert.equal(fold(), undefined);
  assert.equal(fold(user('hi'), stepStart), undefined);
  const events = [user('hi'), snapshot(header), delta({ config: { model: 'n' } }), user('more')];
  assert.deepEqual(fold(...events), { ...header, config: { model: 'n' } });
  assert.deepEqual(fold(...events, snapshot({ config: { model: 'o' } }, 'resume')), { config: { model: 'o' } });
});

test('request-log 8.1: the fold of a log is the fold of its second part on top of the fold of its first', () => {
  const events = logOf(snapshot(header), delta({ messagePrefix: [] }), user('x'), delta({ config: { model: 'n' } }));
  for (let cut = 0; cut <= events.length; cut++) {
    const held = foldRequestHeader(events.slice(0, cut));
    assert.deepEqual(foldRequestHeader(events.slice(cut), held), foldRequestHeader(events), `cut at ${cut}`);
  }
});

test('request-log 8.1: neither seq nor unknown types nor items that are no events are looked at', () => {
  const [first] = logOf(snapshot(header));
  const events = [{ ...first, seq: 9 }, null, 7, 'x', [], {}, { type: 5 }, { type: 'plug-in/thing', data: null }];
  assert.deepEqual(foldRequestHeader(events as readonly unknown[] as readonly LogEvent[]), header);
});

test('request-log 8.2: the fold is deep-frozen, shares nothing with the log, and what is held is not copied again', () => {
  const events = JSON.parse(JSON.stringify(logOf(snapshot(header)))) as LogEvent[];
  const held = foldRequestHeader(events);
  assert.ok(held && isDeepFrozen(held));
  assert.ok(!isDeepFrozen(events), 'the log itself is left as it was');
  (events[0] as unknown as { data: { header: { config: { model: string } } } }).data.header.config.model = 'changed';
  assert.deepEqual(held, header);
  assert.equal(foldRequestHeader(logOf(user('x')), held), held);
  const changed = foldRequestHeader(logOf(delta({ config: { model: 'n' } })), held);
  assert.equal(changed?.tools, held.tools);
});

test('request-log 8.2: a failing fold fails the same way each time and leaves what was held', () => {
  const held = fold(snapshot(header));
  const events = logOf(delta({ config: { model: 'n' } }), delta({ config: null }));
  for (const attempt of [1, 2]) {
    assertCorrupt(() => foldRequestHeader(events, held), 1, /config is no object/);
    assert.deepEqual(held, header, `attempt ${attempt}`);
  }
});

test('request-log 8.3: a delta before any snapshot is an error with its place; a log cut before it folds', () => {
  const events = logOf(user('hi'), delta({ config: { model: 'x' } }), snapshot(header));
  assertCorrupt(() => foldRequestHeader(events), 1, /no header stands before it/);
  assert.equal(foldRequestHeader(events.slice(0, 1)), undefined);
});

const MALFORMED: readonly (readonly [string, unknown, RegExp])[] = [
  ['no data', null, /no object/],
  ['a list', [], /no object/],
  ['no part', {}, /changes nothing/],
  ['an unknown part', { messageSuffix: [] }, /unknown member "messageSuffix"/],
  ['a part __proto__', JSON.parse('{"__proto__":{"config":{"model":"x"}}}'), /unknown member "__proto__"/],
  ['a system of null', { system: null }, /system part is no object/],
  ['a negative keepStart', { system: { keepStart: -1, keepEnd: 0, insert: [] } }, /whole numbers/],
  ['a broken keepEnd', { system: { keepStart: 0, keepEnd: 0.5, insert: [] } }, /whole numbers/],
  ['a keepStart of text', { system: { keepStart: '1', keepEnd: 0, insert: [] } }, /whole numbers/],
  ['no keepEnd', { system: { keepStart: 0, insert: [] } }, /whole numbers/],
  ['no insert', { system: { keepStart: 0, keepEnd: 0 } }, /insert/],
  ['an insert of two lines', { system: { keepStart: 0, keepEnd: 0, insert: ['a\nb'] } }, /single lines/],
  ['an insert of numbers', { system: { keepStart: 0, keepEnd: 0, insert: [1] } }, /single lines/],
  [
    'keepStart past the end',
    { system: { keepStart: 3, keepEnd: 0, insert: [] } },
    /keeps 3 and 0 lines of a text of 2/,
  ],
  ['keepEnd past the end', { system: { keepStart: 0, keepEnd: 3, insert: [] } }, /keeps 0 and 3/],
  ['ends that overlap', { system: { keepStart: 1, keepEnd: 2, insert: [] } }, /keeps 1 and 2/],
  ['lines and a replacement', { system: { replace: 'a', keepStart: 0 } }, /unknown member "keepStart"/],
  ['tools of null', { tools: null }, /tools part is no object/],
  ['no added', { tools: { removed: [], changed: [] } }, /added/],
  ['no removed', { tools: { added: [], changed: [] } }, /removed/],
  ['no changed', { tools: { added: [], removed: [] } }, /changed/],
  ['a removed number', { tools: { added: [], removed: [1], changed: [] } }, /list of names/],
  ['removal of no tool', { tools: { added: [], removed: ['ghost'], changed: [] } }, /"ghost", but there is no such/],
  ['change of no tool', { tools: { added: [], removed: [], changed: [{ name: 'ghost' }] } }, /"ghost"/],
  ['addition of a tool', { tools: { added: [{ name: 'dig' }], removed: [], changed: [] } }, /there is such a tool/],
  ['removal and addition', { tools: { added: [{ name: 'dig' }], removed: ['dig'], changed: [] } }, /there is such/],
  ['removal and change', { tools: { added: [], removed: ['dig'], changed: [{ name: 'dig' }] } }, /both removes and/],
  ['an unknown list', { tools: { added: [], removed: [], changed: [], moved: [] } }, /unknown member "moved"/],
  ['a config of null', { config: null }, /config is no object/],
  ['a config of a list', { config: [] }, /config is no object/],
  ['a prefix of null', { messagePrefix: null }, /no list of messages/],
  ['a prefix of text', { messagePrefix: 'text' }, /no list of messages/],
  ['a prefix of texts', { messagePrefix: ['text'] }, /no list of messages/],
];

for (const [what, data, reason] of MALFORMED) {
  test(`request-log 8.4: a delta with ${what} is a named error with the seq of its event`, () => {
    const events = logOf(user('hi'), snapshot(header), delta(data));
    assertCorrupt(() => foldRequestHeader(events), 2, reason);
    assertCorrupt(() => rebuildRequest([...events, ...logOf(stepStart)].with(3, at(3)), 3), 2, reason);
    assertCorrupt(() => runInstance(events, [header]), 2, reason);
  });
}

function at(seq: number): LogEvent {
  return { type: 'step/start', seq, time: 0, data: { turn: 1, step: 1 } };
}

const SNAPSHOTS: readonly (readonly [string, unknown, RegExp])[] = [
  ['no data', null, /no header/],
  ['no header', { reason: 'initial' }, /no header/],
  ['a header of null', { header: null }, /no header/],
  ['no config', { header: { system: 's' } }, /config is no object/],
  ['tools of null', { header: { config: {}, tools: null } }, /tools are no list/],
  ['a prefix of null', { header: { config: {}, messagePrefix: null } }, /no list of messages/],
];

for (const [what, data, reason] of SNAPSHOTS) {
  test(`request-log 8.4: a snapshot with ${what} is a named error with the seq of its event`, () => {
    assertCorrupt(() => fold(user('hi'), { type: 'request/header', data }), 1, reason);
  });
}

test('DESIGN The log: the error says its place in words; without a seq it says the place only', () => {
  const [event] = logOf(delta({}));
  const message = 'it changes a header, but no header stands before it. The events before it can still be read.';
  assert.throws(() => foldRequestHeader([{ ...event, seq: 7 } as LogEvent]), {
    message: `Event 0 of the log (seq 7) cannot be used: ${message}`,
    seq: 7,
  });
  assert.throws(() => foldRequestHeader([{ ...event, seq: 'x' } as unknown as LogEvent]), {
    message: `Event 0 of the log cannot be used: ${message}`,
    seq: undefined,
  });
});
