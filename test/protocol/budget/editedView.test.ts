import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from '../../../protocol/budget/applyEdits.ts';
import type { Edit } from '../../../protocol/budget/budgetEvents.ts';
import { EditedView } from '../../../protocol/budget/memo/editedView.ts';
import { newWork } from '../../../protocol/budget/memo/planningWork.ts';
import type { ViewEntry } from '../../../protocol/lifecycle/view.ts';
import type { KnownOrder } from '../../../protocol/request/appended.ts';
import { exact, user } from './budgetKit.ts';

/** Entries by their names: what begins with `q` a user says, all else an assistant. */
const known = new Map<string, ViewEntry>();

function entries(names: string): readonly ViewEntry[] {
  return names.split(' ').map(name => {
    const role = name.startsWith('q') ? 'user' : 'assistant';
    const entry = known.get(name) ?? { message: { name }, changed: false, keys: [name], calls: [], answers: [], role };
    known.set(name, entry);
    return entry;
  });
}

function editOf(edit: number, more: Partial<Edit>): Edit {
  return {
    edit,
    kind: 'remove',
    cause: 'over-limit',
    actor: 'test',
    units: [],
    replaces: [],
    before: exact(2),
    after: exact(1),
    counter: 'test',
    requestSequence: 1,
    ...more,
  };
}

/** One view after another, each of which is to be what it is alone. */
function shown(views: readonly string[], edits: readonly Edit[], order?: KnownOrder): readonly string[] {
  const memory = new EditedView(newWork());
  return views.map(names => {
    const view = entries(names);
    const made = memory.apply(view, edits, order);
    assert.deepEqual(made.entries, applyEdits(view, edits, order));
    return made.entries.map(({ keys }) => keys[0]).join(' ');
  });
}

test('a question in front of an answer is shown only while the transcript has it', () => {
  const edits = [editOf(1, { units: ['q0', 'a0'] })];
  assert.deepEqual(shown(['q0 a0 a1 q2', 'a0 a1 q2', 'q0 a0 a1 q2 a2'], edits), ['q0 a1 q2', 'a1 q2', 'q0 a1 q2 a2']);
});

test('a question that is the last one again is shown, and an edit takes it again when another one is asked', () => {
  const edits = [editOf(1, { kind: 'summarize', units: ['q1', 'a1'], message: user('a summary') })];
  assert.deepEqual(shown(['q1 a1 q2', 'q1 a1', 'q1 a1 q3 a3'], edits), [
    'budget:1 q2',
    'q1 budget:1',
    'budget:1 q3 a3',
  ]);
});

test('a notice whose unit is gone goes behind a summary that has come back', () => {
  const before = new Map([
    ['gone', 'budget:1'],
    ['budget:1', ''],
  ]);
  const order = { before: (unit: string) => before.get(unit) ?? '' };
  const edits = [
    editOf(1, { kind: 'summarize', units: ['a1'], message: user('a summary') }),
    editOf(2, { kind: 'append', follows: 'gone', message: user('a notice') }),
  ];
  assert.deepEqual(shown(['q2 a2', 'a1 q2 a2', 'q2 a2'], edits, order), [
    'budget:2 q2 a2',
    'budget:1 budget:2 q2 a2',
    'budget:2 q2 a2',
  ]);
});

test('a notice whose unit is gone goes behind a summary that stands where a last question was spared before', () => {
  const before = new Map([
    ['gone', 'budget:1'],
    ['budget:1', 'a1'],
  ]);
  const order = { before: (unit: string) => before.get(unit) ?? '' };
  const edits = [
    editOf(1, { kind: 'summarize', units: ['q2'], message: user('a summary') }),
    editOf(2, { kind: 'append', follows: 'gone', message: user('a notice') }),
  ];
  assert.deepEqual(shown(['q1 a1 q2', 'q1 a1 q2 a2 q3'], edits, order), [
    'q1 a1 budget:2 q2',
    'q1 a1 budget:1 budget:2 a2 q3',
  ]);
});

test('a notice that stood behind another one, which has moved, is looked for again', () => {
  const before = new Map([
    ['gone', 'budget:1'],
    ['budget:1', 'q1'],
  ]);
  const order = { before: (unit: string) => before.get(unit) ?? '' };
  const edits = [
    editOf(1, { kind: 'append', follows: 'a1', message: user('one') }),
    editOf(2, { kind: 'append', follows: 'gone', message: user('two') }),
  ];
  const memory = new EditedView(newWork());
  const placed = () => memory.apply(entries('q1 a1 q2'), edits, order).entries.map(({ keys }) => keys[0]);
  assert.deepEqual(placed(), ['q1', 'budget:2', 'a1', 'budget:1', 'q2']);
  before.set('budget:1', 'a1');
  assert.deepEqual(placed(), ['q1', 'a1', 'budget:1', 'budget:2', 'q2']);
});
