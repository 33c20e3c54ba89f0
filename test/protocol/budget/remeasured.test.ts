import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Measured } from '../../../protocol/budget/budgetEvents.ts';
import { measuredEvents } from '../../../protocol/budget/gate.ts';
import { budgetRequest } from '../../../protocol/budget/plan.ts';
import { remeasured } from '../../../protocol/budget/remeasured.ts';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import type { Amount } from '../../../protocol/log/amounts.ts';
import { BudgetRun, exact, talk, user, WINDOW, words, wordsIn } from './budgetKit.ts';

const NOTHING_MORE = exact(0);

const estimated = (tokens: number): Amount => ({ tokens, origin: 'estimated' });

/** A request of 300 tokens of which the host has not said yet what stands beside its messages. */
function planned(): Measured {
  const run = new BudgetRun();
  return budgetRequest(run.viewOf(talk(10, 30)), run.state, WINDOW).measured;
}

function sealed(measured: Measured, host: Amount, unattributed: Measured['unattributed'] = NOTHING_MORE) {
  const { tier1, tier2, tier3, tier4 } = measured.tiers;
  const tiers = tier1.tokens + tier2.tokens + tier3.tokens + tier4.tokens;
  return { host, unattributed, total: { ...unattributed, tokens: tiers + host.tokens + unattributed.tokens } };
}

test('a request that is measured at its seal is the one that was planned, where the host says the same', () => {
  const run = new BudgetRun();
  run.beside = {
    host: { system: exact(400), tools: exact(30), prefix: exact(0) },
    unattributed: { tokens: 7, origin: 'exact' },
  };
  for (const each of [40, 50, 60]) {
    const { measured, reset, leeway } = budgetRequest(run.viewOf(talk(10, each)), run.state, WINDOW);
    const { host, unattributed, total } = measured;
    const again = remeasured(measured, { host, unattributed, total, leeway }, WINDOW);
    assert.deepEqual(again.measured, measured);
    assert.equal(again.reset === undefined, reset === undefined);
  }
});

test('what the host says at the seal makes rows, total, flags and gate anew, and leaves the tiers as they were', () => {
  const before = planned();
  assert.deepEqual([before.gate, before.flags, before.total], ['sent', [], exact(300)]);
  const { measured, reset } = remeasured(before, sealed(before, exact(596), { tokens: 4, origin: 'anchored' }), WINDOW);
  assert.equal(reset, undefined);
  assert.deepEqual(measured, {
    ...before,
    host: exact(596),
    unattributed: { tokens: 4, origin: 'anchored' },
    total: { tokens: 900, origin: 'anchored' },
    flags: ['pressure', 'near-limit'],
  });
});

test('a request that only its host brings above the limit is blocked at its seal, and a new session asked for', () => {
  const before = planned();
  const made = remeasured(before, sealed(before, exact(601)), WINDOW);
  assert.deepEqual([made.measured.gate, made.measured.flags.at(-1)], ['blocked', 'over-limit']);
  assert.deepEqual(made.reset?.data, {
    requestSequence: 1,
    total: exact(901),
    hard: 900,
    largest: [
      { part: 'host', amount: exact(601) },
      { part: 'tier4', amount: exact(300) },
    ],
  });
  const warned = remeasured(before, sealed(before, exact(601)), { ...WINDOW, overLimit: 'warn' });
  assert.equal(warned.measured.gate, 'warned');
  assert.ok(warned.reset);
});

test('a host that takes less than was thought opens the gate again', () => {
  const run = new BudgetRun();
  run.beside = { host: { system: exact(700), tools: exact(0), prefix: exact(0) } };
  const { measured: before } = budgetRequest(run.viewOf(talk(10, 30)), run.state, WINDOW);
  assert.equal(before.gate, 'blocked');
  const { measured, reset } = remeasured(before, sealed(before, exact(10)), WINDOW);
  assert.deepEqual([measured.gate, measured.flags, reset], ['sent', [], undefined]);
});

test('flags that are about the messages stay', () => {
  const run = new BudgetRun();
  const { measured: before } = budgetRequest(run.viewOf([...talk(3, 5), user(words(301))]), run.state, WINDOW);
  assert.deepEqual(before.flags, ['tier4-over-max', 'message-over-max']);
  const { measured } = remeasured(before, sealed(before, exact(500)), WINDOW);
  assert.deepEqual(measured.flags, ['pressure', 'tier4-over-max', 'message-over-max']);
});

test('T-44 at the seal too only what is estimated may be more than it says', () => {
  const run = new BudgetRun();
  run.beside = {
    tokensOf: message => ({ tokens: wordsIn(message), origin: wordsIn(message) === 40 ? 'estimated' : 'exact' }),
  };
  const made = budgetRequest(run.viewOf([...talk(10, 20), user(words(40))]), run.state, WINDOW);
  assert.equal(made.leeway, 10);
  const gate = (host: Amount, leeway?: number, unattributed?: Measured['unattributed']) => {
    const now = { ...sealed(made.measured, host, unattributed), ...(leeway !== undefined && { leeway }) };
    return remeasured(made.measured, now, WINDOW).measured.gate;
  };
  assert.deepEqual([gate(exact(650), made.leeway), gate(exact(651), made.leeway)], ['sent', 'blocked']);
  // 520 may be 650.
  assert.deepEqual([gate(estimated(520), made.leeway), gate(estimated(521), made.leeway)], ['sent', 'blocked']);
  assert.equal(gate(estimated(520), made.leeway, { tokens: 1, origin: 'anchored' }), 'blocked');
  assert.equal(gate(estimated(520), made.leeway, { tokens: -2, origin: 'estimated' }), 'sent');
  // Where nobody knows which of them it is, all of an estimated tier may be more: 240 may be 300.
  assert.deepEqual([gate(exact(600)), gate(exact(601))], ['sent', 'blocked']);
});

test('a reset that only an upper bound asked for is pending until a request is sent', () => {
  const run = new BudgetRun();
  run.beside = { tokensOf: message => estimated(wordsIn(message)) };
  run.request(talk(10, 80));
  assert.deepEqual([run.last('budget/measured').gate, run.last('budget/measured').total.tokens], ['blocked', 800]);
  assert.equal(run.state.budget.resetPending, true);
  assert.equal(usageReport(run.state)?.status, 'CRITICAL');
  measuredEvents({ measured: planned() }).forEach(event => run.append(event));
  assert.equal(run.state.budget.resetPending, false);
});
