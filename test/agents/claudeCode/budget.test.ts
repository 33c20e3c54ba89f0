import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WORDS } from '../../adapter/budget/budgetLayerKit.ts';
import { turnOnBudget } from '../budgetHome.ts';
import { AgentHouse } from '../gateway/agentHouse.ts';
import { claude, runs } from '../gateway/agentPrograms.ts';
import { proveBudget } from '../gateway/budget.ts';
import { dataOf } from '../sessionLogs.ts';

proveBudget(claude, { window: 60_000, files: 40 });

test('Claude Code with the budget layer: where nothing more can go, it shortens its conversation by itself and goes on', async t => {
  // It shows files once more after it has shortened a conversation, and what a command prints not.
  const calls = [1, 2, 3].map(at => runs(`call_${at}`, `seq ${at}0001 ${at}2000`));
  const script = [...calls, { text: '<summary>Three rows of numbers.</summary>' }, { text: 'All done.' }];
  const house = await AgentHouse.open(t, claude, script, { gateway: { counter: WORDS } });
  // Its own prompt takes 12,600 words, and each number is one; a fifth is kept free, for such counts are no more than estimates.
  turnOnBudget(house.home.lifecycle, { models: [{ model: 'claude-*', window: 24_450, outputReserve: 1_000 }] });
  const run = await house.ask('go');
  assert.equal(run.stdout.trim(), 'All done.', run.stderr);
  const statuses = house.before.exchanges.filter(({ method }) => method === 'POST').map(({ status }) => status);
  assert.ok(statuses.includes(400) && statuses.at(-1) === 200, String(statuses));
  assert.match(house.model.requests.at(-1)?.body ?? '', /Three rows of numbers/);
  const log = house.onlyLog();
  const gates = dataOf(log, 'budget/measured').map(({ gate }) => gate);
  assert.ok(gates.includes('blocked') && gates.at(-1) === 'sent', String(gates));
  assert.deepEqual(
    dataOf(log, 'request/receipt').map(({ result }) => result),
    house.model.requests.map(() => 'matched'),
  );
});
