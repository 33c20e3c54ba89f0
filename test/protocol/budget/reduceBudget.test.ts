import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { assertCorrupt } from '../request/logKit.ts';
import { BudgetRun, exact, sha256, talk } from './budgetKit.ts';

const HASH = sha256('');

function compressed(): BudgetRun {
  const run = new BudgetRun();
  run.beside = { host: { system: exact(100), tools: exact(0), prefix: exact(0) } };
  run.request([...talk(44, 9), ...talk(50, 6, 'r')]);
  return run;
}

test('an event that contradicts those before it is refused by name', () => {
  const run = compressed();
  const [edit] = run.all('budget/edit');
  const [pass] = run.all('budget/pass');
  assert.ok(edit && pass);
  const next = run.state.budget.edits.length + 1;
  const updated = { id: 'a', new: 'x', source: 's', class: 'user', requestSequence: 1 } as const;
  const touched = { document: 'a.md', messages: 1, requestSequence: 1 };
  const cases: readonly (readonly [NewEvent, RegExp])[] = [
    [{ type: 'budget/edit', data: { ...edit, edit: next + 1 } }, /number \d+, but \d+ is the next/],
    [{ type: 'budget/edit', data: { ...edit, edit: next, replaces: [next] } }, /was not made yet/],
    [{ type: 'budget/pass', data: { ...pass, pass: 7 } }, /number 7, but 2 is the next/],
    [{ type: 'budget/tier1-updated', data: updated }, /never set/],
    [{ type: 'budget/document-touched', data: touched }, /never loaded/],
  ];
  for (const [event, reason] of cases) {
    const before = run.state;
    assertCorrupt(() => run.append(event), run.events.length, reason);
    assert.equal(run.state, before);
  }
});

test('what the state knows of the first tier names no text', () => {
  const run = new BudgetRun();
  run.setTier1({ objective: 'x', constraints: [{ id: 'a', text: 'b' }] });
  assert.deepEqual(run.state.budget.tier1, {
    sha256: sha256(run.prefixText ?? ''),
    hasObjective: true,
    constraints: ['a'],
    updates: 0,
  });
  run.update('objective', undefined);
  run.update('c', 'd');
  assert.deepEqual(run.state.budget.tier1, {
    sha256: sha256(run.prefixText ?? ''),
    hasObjective: false,
    constraints: ['a', 'c'],
    updates: 2,
  });
});

test('a document that is loaded again has its new units', () => {
  const run = new BudgetRun();
  const load = (units: readonly string[]) =>
    run.append({
      type: 'budget/document',
      data: { document: 'a.md', units, sha256: HASH, messages: 1, requestSequence: 1 },
    });
  load(['u1']);
  load(['u2']);
  assert.deepEqual(
    [...run.state.budget.documents.values()].map(({ units }) => units),
    [['u2']],
  );
});
