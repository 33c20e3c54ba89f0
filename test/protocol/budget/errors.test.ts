import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyEdits, editsInForce } from '../../../protocol/budget/applyEdits.ts';
import { learnedLimit, mayPlanAgain } from '../../../protocol/budget/learnedLimit.ts';
import { plan } from '../../../protocol/budget/plan.ts';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import { eventSentence } from '../../../protocol/log/eventSentence.ts';
import { readLogText } from '../../../protocol/log/logReader.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import { BudgetRun, exact, talk, textOf, user, WINDOW, words, wordsIn } from './budgetKit.ts';

/** One test for each row of tiers 6, as far as the pure core decides it. */

const hostOf = (tokens: number) => ({ host: { system: exact(tokens), tools: exact(0), prefix: exact(0) } });

test('T-44 an estimate is marked, and the gate takes it for as much as it may be', () => {
  const run = new BudgetRun();
  const estimated = (tokens: number) => ({ tokens, origin: 'estimated' as const });
  run.beside = { tokensOf: message => estimated(wordsIn(message)) };
  assert.equal(run.request(talk(10, 70)).gate, 'sent');
  assert.deepEqual(run.last('budget/measured').total, estimated(700));
  assert.equal(run.request(talk(10, 72)).gate, 'sent');
  assert.equal(run.request(talk(10, 73)).gate, 'blocked');
  assert.equal(run.last('budget/measured').total.tokens, 730);
  run.config = { ...WINDOW, headroom: 1 };
  assert.equal(run.request(talk(10, 73)).gate, 'sent');
});

test('T-44 only what is estimated may be more than it says, message by message', () => {
  const guessed = words(40, 'new');
  const messages = [...talk(10, 80), user(guessed)];
  const run = new BudgetRun();
  run.beside = {
    tokensOf: message => ({
      tokens: wordsIn(message),
      origin: textOf([{ message }]) === guessed ? 'estimated' : 'anchored',
    }),
  };
  // 800 that are known, and 40 that may be 50.
  assert.equal(run.request(messages).gate, 'sent');
  assert.deepEqual(run.last('budget/measured').total, { tokens: 840, origin: 'estimated' });
  for (const [system, tokens, origin, gate] of [
    [50, 0, 'exact', 'sent'],
    [51, 0, 'exact', 'blocked'],
    [51, -1, 'estimated', 'sent'],
    [42, 8, 'anchored', 'sent'],
    [41, 8, 'estimated', 'blocked'],
    [40, 8, 'estimated', 'sent'],
  ] as const) {
    run.beside = { ...run.beside, ...hostOf(system), unattributed: { tokens, origin } };
    assert.equal(run.request(messages).gate, gate, `${system} ${tokens} ${origin}`);
  }
});

test('T-45 where no summary is smaller, the messages stay raw and the target is missed', () => {
  const run = new BudgetRun();
  run.beside = hostOf(690);
  run.request([...talk(10, 1), ...talk(50, 1, 'r')]);
  assert.deepEqual([run.last('budget/pass').outcome, run.last('budget/pass').edits], ['target-missed', 0]);
  assert.equal(run.last('budget/measured').rawHistory.tokens, 10);
});

test('T-46 host parts, or a first tier, above the limit: critical, not sent, the largest are named', () => {
  for (const [part, beside] of [
    ['system', hostOf(901)],
    ['tier1', { tier1: exact(901) }],
  ] as const) {
    const run = new BudgetRun();
    run.beside = beside;
    assert.equal(run.request([user('hi there')]).gate, 'blocked');
    assert.equal(run.last('budget/reset-requested').largest[0]?.part, part);
    assert.equal(usageReport(run.state)?.status, 'CRITICAL');
  }
});

test('T-47 a document whose source cannot be read any more stays as it was loaded', () => {
  const run = new BudgetRun();
  const messages = [user(words(40, 'd')), ...talk(10, 3)];
  const units = run.viewOf(messages).entries[0]?.keys ?? [];
  run.append({ type: 'budget/document', data: { document: 'gone.md', units, messages: 1, requestSequence: 1 } });
  const made = run.request(messages);
  assert.deepEqual(made.entries[0]?.message, messages[0]);
  assert.equal(run.last('budget/measured').tiers.tier2.tokens, 40);
});

test('T-48 a refusal for length is planned anew once, and never in a loop', () => {
  const run = new BudgetRun();
  let tries = 0;
  for (let sequence = 1; sequence <= 5; sequence++) {
    if (run.request(talk(50, 13)).gate === 'blocked') {
      break;
    }
    tries++;
    run.answer('failed');
    const { total } = run.last('budget/measured');
    const learned = learnedLimit('context_length_exceeded', sequence, total.tokens);
    assert.ok(learned);
    const again = mayPlanAgain(run.state.budget, sequence);
    run.append(learned);
    if (!again) {
      break;
    }
  }
  assert.equal(tries, 2);
  assert.equal(run.state.budget.learned?.requestSequence, 2);
});

test('T-48 what a provider says of a rate teaches no limit', () => {
  for (const said of [
    'Throttling error: Too many tokens, please wait before trying again.',
    'Rate limit reached: too many tokens per minute',
    '429 too many input tokens per day, quota exceeded',
  ]) {
    assert.equal(learnedLimit(said, 1, 1000), undefined, said);
  }
  assert.equal(learnedLimit('too many tokens', 1, 1000)?.data.tokens, 900);
});

test('T-49 a contradiction is logged with both texts, and said to a person without them', () => {
  const run = new BudgetRun();
  const data = { check: 'superseded-values', original: 'new', derived: 'old', edit: 1, requestSequence: 1 };
  run.append({ type: 'budget/contradiction', data });
  const [event] = run.events.slice(-1);
  assert.ok(event);
  assert.equal(renderMessage(eventSentence(event)), 'A summary holds a value that was replaced; the line was struck.');
});

test('T-50 a torn log is folded to its last whole event, and reports from there', () => {
  const run = new BudgetRun();
  run.beside = hostOf(100);
  run.request([...talk(44, 9), ...talk(50, 6, 'r')]);
  const header = JSON.stringify({ version: 1, id: 's', agent: 'test', created: 0 });
  const lines = run.events.map(event => JSON.stringify(event));
  const whole = `${[header, ...lines].join('\n')}\n`;
  const { events } = readLogText(whole.slice(0, -20));
  assert.equal(events.length, run.events.length - 1);
  const state = events.reduce(reduce, initialState);
  assert.deepEqual(usageReport(state), usageReport(run.events.slice(0, -1).reduce(reduce, initialState)));
});

test('T-51 edits that an adapter cannot apply are advice: nothing is logged, and nothing is said to be compressed', () => {
  const run = new BudgetRun();
  run.beside = hostOf(100);
  const view = run.viewOf([...talk(44, 9), ...talk(50, 6, 'r')]);
  const advice = plan(view, run.state, WINDOW);
  assert.ok(advice.length > 0);
  assert.deepEqual([run.state.budget.compressions, run.contents.edits, usageReport(run.state)], [0, [], undefined]);
  // What it would come to can be shown all the same.
  assert.ok(applyEdits(view.entries, editsInForce(advice)).length < view.entries.length);
});

test('T-52 a receipt that does not match is a mismatch, whatever the layer made of the request', () => {
  const run = new BudgetRun();
  run.request([user('hi there')]);
  run.append({ type: 'request/receipt', data: { requestSequence: 1, result: 'mismatch', evidence: 'message 1' } });
  assert.equal(run.state.requests.get(0)?.receipt?.result, 'mismatch');
});

test('T-53 where the clock goes back, order is by sequence and times are told as given', () => {
  const run = new BudgetRun();
  run.anchors = true;
  run.setTier1({ objective: 'x', constraints: [] });
  run.tick = -1000;
  run.interact(101);
  assert.equal(run.state.budget.lastCheck?.interactions, 100);
  assert.ok(run.state.clockWentBack > 100);
  assert.match(usageReport(run.state)?.lastCheck ?? '', /^2025-12-31T/);
});

test('T-54 nothing is silent: a request that cannot be sent is in the log, with a sentence for a person', () => {
  const run = new BudgetRun();
  run.beside = hostOf(950);
  run.request([user('hi there')]);
  const event = run.events.find(({ type }) => type === 'budget/reset-requested');
  assert.ok(event);
  assert.equal(
    renderMessage(eventSentence(event)),
    'Request 1 takes 952 tokens and cannot be brought below 900; a new session is needed (largest: system 950, tier 4 2).',
  );
});
