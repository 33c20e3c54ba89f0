import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnitMarks } from '../../../protocol/budget/memo/unitMarks.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { opened } from '../log/sessions.ts';

const EPHEMERAL = { source: 'user', class: 'user', rule: 'user', bytes: 1, requestSequence: 1 };

/** The state after each of these events. */
function states(events: readonly (readonly [type: string, data: object])[]) {
  const log = [[opened.type, opened.data] as const, ...events];
  let state = initialState;
  return log.map(([type, data], seq) => {
    state = reduce(state, { type, data, seq, time: seq } as unknown as LogEvent);
    return state;
  });
}

test('what no answer has consumed waits until one does, whatever else has come since', () => {
  const marks = new UnitMarks();
  const told = states([
    ['ephemeral/admitted', { ...EPHEMERAL, ordinal: 0, unit: 'a' }],
    ['ephemeral/admitted', { ...EPHEMERAL, ordinal: 1, unit: 'b' }],
    ['ephemeral/consumed', { ...EPHEMERAL, ordinal: 0, unit: 'a', trigger: 'assistant-response', tombstoneBytes: 1 }],
  ]).map(state => [marks.update(state), ['a', 'b'].filter(key => marks.isWaiting({ keys: [key] }))]);
  assert.deepEqual(told, [
    [[], []],
    [['a'], ['a']],
    [['b'], ['a', 'b']],
    [['a'], ['b']],
  ]);
});

test('a unit belongs to the document that claimed it last, and to the other one when that lets it go', () => {
  const marks = new UnitMarks();
  const load = (document: string, ...units: readonly string[]) =>
    ['budget/document', { document, units, messages: 1, requestSequence: 1 }] as const;
  const told = states([
    load('a.md', 'x'),
    load('b.md', 'y'),
    ['budget/document-touched', { document: 'a.md', messages: 2, requestSequence: 1 }],
    load('a.md', 'z'),
    load('b.md', 'y', 'z'),
    load('b.md', 'y'),
  ]).map(state => {
    const changed = new Set(marks.update(state));
    return [[...changed].toSorted(), ['x', 'y', 'z'].map(key => marks.documentOf({ keys: [key] }) ?? '-').join(' ')];
  });
  assert.deepEqual(told, [
    [[], '- - -'],
    [['x'], 'a.md - -'],
    [['y'], 'a.md b.md -'],
    [[], 'a.md b.md -'],
    [['x', 'z'], '- b.md a.md'],
    [['y', 'z'], '- b.md b.md'],
    [['y', 'z'], '- b.md a.md'],
  ]);
});

test('a pin and its end are told once, and the set given may be changed by its owner', () => {
  const marks = new UnitMarks();
  const pinned = new Set(['a']);
  assert.deepEqual([marks.update(initialState, pinned), marks.isPinned({ keys: ['b', 'a'] })], [['a'], true]);
  assert.deepEqual(marks.update(initialState, pinned), []);
  pinned.delete('a');
  pinned.add('b');
  assert.deepEqual([marks.update(initialState, pinned), marks.isPinned({ keys: ['a'] })], [['a', 'b'], false]);
});
