import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EMPTY_LIFECYCLE, reduceLifecycle } from '../../../protocol/lifecycle/reduceLifecycle.ts';
import { OrderedMap } from '../../../protocol/orderedMap.ts';
import type { Json } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { assertCorrupt } from '../request/logKit.ts';
import { assistant, definition, discardLine, EPHEMERAL, Run, user } from './lifecycleKit.ts';

function busyRun(): Run {
  const run = new Run();
  run.load('AGENTS.md', definition('a') + definition('b'));
  run.load('other.md', definition('a', 'again'));
  run.request(user(EPHEMERAL), user(discardLine('a')));
  run.control(discardLine('b'));
  run.load('AGENTS.md', definition('a', 'changed'));
  run.request(user(EPHEMERAL), user(discardLine('a')), assistant('seen'));
  return run;
}

const at = (seq: number, type: string, data: Json): LogEvent => ({ type, seq, time: seq, data });
const admitted = (ordinal: number, unit = 'u'): Json => ({
  ordinal,
  unit,
  source: 's',
  class: 'user',
  rule: 'r',
  bytes: 1,
  requestSequence: 1,
});

test('the state is a fold of the events: a session that resumes has the state of the one before', () => {
  const run = busyRun();
  const resumed = run.resumed();
  assert.deepEqual([...resumed.state.blocks], [...run.state.blocks]);
  assert.deepEqual([...resumed.state.sources], [...run.state.sources]);
  assert.deepEqual(resumed.state.ephemerals.toArray(), run.state.ephemerals.toArray());
  assert.deepEqual(
    [...run.state.blocks.values()].map(({ id, status, conflicts }) => [id, status, conflicts.length]),
    [
      ['a', 'active', 1],
      ['b', 'discarded', 0],
    ],
  );
});

test('a state is never changed by what comes after it, and old states can go on in another way', () => {
  const { events } = busyRun();
  let state = EMPTY_LIFECYCLE;
  const kept = events.map(event => {
    const before = JSON.stringify([...state.blocks]);
    const next = reduceLifecycle(state, event);
    assert.equal(JSON.stringify([...state.blocks]), before);
    state = next;
    return next;
  });
  assert.equal(EMPTY_LIFECYCLE.blocks.size, 0);
  const early = kept.find(({ blocks }) => blocks.size === 1);
  assert.ok(early);
  const other = reduceLifecycle(early, at(99, 'block/activated', { blockId: 'z', text: 't' }));
  assert.deepEqual([...other.blocks.keys()], ['a', 'z']);
  assert.deepEqual([...state.blocks.keys()], ['a', 'b']);
});

test('events that change nothing here give the very state', () => {
  const { state } = busyRun();
  for (const type of [
    'discard/repeated',
    'discard/unknown',
    'discard/denied',
    'discard/overflow',
    'block/denied',
    'host/message',
  ]) {
    assert.equal(reduceLifecycle(state, at(500, type, {})), state);
  }
});

for (const [name, type, data, reason] of [
  ['a discard of a block that nothing defined', 'block/discarded', { blockId: 'x' }, /"x", which nothing has defined/],
  [
    'a conflict about a block that nothing defined',
    'block/conflict',
    { blockId: 'x' },
    /"x", which nothing has defined/,
  ],
  ['a second definition', 'block/activated', { blockId: 'a' }, /"a", which is defined already/],
  ['a second discard', 'block/discarded', { blockId: 'b' }, /"b", which is discarded already/],
  ['a drift of a source that was never loaded', 'source/drifted', { source: 'x', class: 'web' }, /never loaded/],
  ['an ephemeral unit out of turn', 'ephemeral/admitted', admitted(7), /ordinal is not the next/],
  ['a unit that is let in twice', 'ephemeral/admitted', admitted(0), /ordinal is not the next/],
  ['a unit that is consumed twice', 'ephemeral/consumed', admitted(0), /waits to be consumed/],
  ['a unit that is consumed out of turn', 'ephemeral/consumed', admitted(7), /waits to be consumed/],
] as const) {
  test(`a log that contradicts itself is refused by name: ${name}`, () => {
    const { state } = busyRun();
    assertCorrupt(() => reduceLifecycle(state, at(500, type, data)), 500, reason);
  });
}

test('an ephemeral unit is consumed under the name with which it was let in', () => {
  const state = reduceLifecycle(EMPTY_LIFECYCLE, at(0, 'ephemeral/admitted', admitted(0)));
  assertCorrupt(() => reduceLifecycle(state, at(1, 'ephemeral/consumed', admitted(0, 'another'))), 1, /waits/);
});

test('law: an ordered map is a map that keeps its order, on every branch', () => {
  const keys = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
  const steps = fc.array(fc.tuple(fc.nat(), keys, fc.nat(9)), { maxLength: 40 });
  fc.assert(
    fc.property(steps, list => {
      const pairs: (readonly [OrderedMap<number>, ReadonlyMap<string, number>])[] = [
        [OrderedMap.empty<number>(), new Map()],
      ];
      for (const [which, key, value] of list) {
        const [ours, plain] = pairs[which % pairs.length]!;
        pairs.push([ours.with(key, value), new Map(plain).set(key, value)]);
      }
      for (const [ours, plain] of pairs) {
        assert.deepEqual([...ours], [...plain]);
        assert.deepEqual([...ours.keys()], [...plain.keys()]);
        assert.deepEqual([...ours.values()], [...plain.values()]);
        assert.equal(ours.size, plain.size);
        for (const key of ['a', 'b', 'c', '__proto__', 'constructor', 'toString']) {
          assert.equal(ours.get(key), plain.get(key));
          assert.equal(ours.has(key), plain.has(key));
        }
        assert.deepEqual([...OrderedMap.of(plain)], [...plain]);
      }
    }),
  );
});
