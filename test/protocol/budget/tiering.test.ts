import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits } from '../../../protocol/budget/applyEdits.ts';
import { measuredEvents } from '../../../protocol/budget/gate.ts';
import { limitsOf } from '../../../protocol/budget/limits.ts';
import { Workbench } from '../../../protocol/budget/workbench.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, BudgetRun, call, exact, result, talk, user, WINDOW, words } from './budgetKit.ts';

const tiersOf = (run: BudgetRun, messages: readonly JsonObject[]) => {
  const view = run.viewOf(messages);
  return new Workbench(view, run.state, run.config, limitsOf(run.config.limits)).classified.groups;
};

test('T-01 within its limits the layer gives the very entries of seed 1', () => {
  const run = new BudgetRun();
  const view = run.viewOf(talk(20, 5));
  assert.equal(applyEdits(view.entries, []), view.entries);
  const made = run.request(talk(20, 5));
  assert.deepEqual(made.entries, view.entries);
  assert.ok(made.entries.every((entry, index) => entry === view.entries[index]));
  assert.deepEqual(made.events, []);
  assert.deepEqual(
    measuredEvents(made).map(({ type }) => type),
    ['budget/measured'],
  );
});

test('T-02 the 51st message from the end leaves tier 4, and no byte changes', () => {
  const run = new BudgetRun();
  assert.deepEqual(new Set(tiersOf(run, talk(50, 2)).map(({ tier }) => tier)), new Set(['tier4']));
  const after = tiersOf(run, talk(51, 2));
  assert.deepEqual(after.map(({ tier }) => tier).slice(0, 3), ['tier3', 'tier4', 'tier4']);
  const made = run.request(talk(51, 2));
  assert.deepEqual(
    made.entries.map(({ message }) => message),
    talk(51, 2),
  );
  const { tiers } = run.last('budget/measured');
  assert.deepEqual([tiers.tier3, tiers.tier4], [exact(2), exact(100)]);
});

test('T-03 sixty messages of one turn: the cut never parts a call from its result', () => {
  const pairs = Array.from({ length: 30 }, (_, index) => [
    call(`c${index}`),
    result(`c${index}`, words(3, `r${index}`)),
  ]).flat();
  const run = new BudgetRun();
  // An odd number behind the user's message, so that the 50th from the end is a result.
  const groups = tiersOf(run, [user('go on'), ...pairs, assistant('done now')]);
  const cut = groups.findIndex(({ tier }) => tier === 'tier4');
  const [first] = groups[cut]?.entries ?? [];
  assert.equal(first?.calls.length, 1);
  assert.equal(groups[cut]?.entries.length, 2);
  // Outwards: the call of the result at the cut is recent as well.
  assert.equal(groups.slice(cut).flatMap(({ entries }) => entries).length, 51);
});

test('T-04 a first tier above its share is flagged, and stays whole', () => {
  const run = new BudgetRun();
  run.beside = { tier1: exact(51) };
  const made = run.request(talk(2, 2));
  const { flags, tiers } = run.last('budget/measured');
  assert.deepEqual([flags, tiers.tier1, made.gate], [['tier1-over-max'], exact(51), 'sent']);
  run.beside = { tier1: exact(50) };
  run.request(talk(2, 2));
  assert.deepEqual(run.last('budget/measured').flags, []);
});

test('T-05 host parts count in the total and in no tier, and all rows add up to it', () => {
  const run = new BudgetRun();
  const host = { system: exact(100), tools: exact(60), prefix: exact(7) };
  run.beside = { host, unattributed: { tokens: -4, origin: 'anchored' } };
  run.request(talk(10, 3));
  const { tiers, total, unattributed, host: row } = run.last('budget/measured');
  const sum = Object.values(tiers).reduce((all, { tokens }) => all + tokens, 0);
  assert.deepEqual([sum, row.tokens, unattributed.tokens, total], [30, 167, -4, { tokens: 193, origin: 'anchored' }]);
});

test('T-06 a named block is tier 2, and tier 1 where the settings list its ID', () => {
  const run = new BudgetRun();
  run.beside = {
    blocks: [
      { id: 'rules', amount: exact(10) },
      { id: 'plan', amount: exact(20) },
    ],
  };
  run.request(talk(2, 2));
  const before = run.last('budget/measured').tiers;
  assert.deepEqual([before.tier1.tokens, before.tier2.tokens], [0, 30]);
  run.config = { ...WINDOW, tier1Blocks: ['rules'] };
  run.request(talk(2, 2));
  const after = run.last('budget/measured').tiers;
  assert.deepEqual([after.tier1.tokens, after.tier2.tokens], [10, 20]);
});

test('recent messages above their share spill to history as they are; the newest stays, however large', () => {
  const run = new BudgetRun();
  const spilled = tiersOf(run, talk(20, 20));
  assert.equal(spilled.filter(({ tier }) => tier === 'tier4').length, 15);
  run.request(talk(20, 20));
  assert.deepEqual(run.last('budget/measured').flags, ['tier4-over-max']);
  const huge = new BudgetRun();
  const [only] = tiersOf(huge, [user(words(400))]);
  assert.equal(only?.tier, 'tier4');
  huge.request([user(words(400))]);
  assert.deepEqual(huge.last('budget/measured').flags, ['message-over-max']);
});

test('users-ask 8: what is pinned is tier 1, stays in the view, and is in no summary', () => {
  const run = new BudgetRun();
  const messages = talk(80, 10);
  const [first] = run.viewOf(messages).entries;
  assert.ok(first);
  run.beside = { pinned: new Set(first.keys) };
  const made = run.request(messages);
  assert.equal(made.entries[0], first);
  assert.equal(run.last('budget/measured').tiers.tier1.tokens, 10);
  assert.ok(run.edits.length > 0);
  assert.ok(run.edits.every(({ units }) => !units.some(unit => first.keys.includes(unit))));
});
