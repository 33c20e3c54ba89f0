import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BudgetLimitError } from '../../../adapter/budget/budgetLimitError.ts';
import type { SummaryMaker } from '../../../adapter/budget/summarizers/summaryMaker.ts';
import type { TokenCounter } from '../../../adapter/tokens/tokenCounter.ts';
import type { BudgetSettings } from '../../../local/budgetSettings.ts';
import { typesOf } from '../session/sessionKit.ts';
import { budgetSession, CONFIG, talk, WORDS, words } from './budgetLayerKit.ts';

/** Windows by the model's name alone. */
const MODELS: Partial<BudgetSettings> = {
  models: [
    { model: 'small', window: 500 },
    { model: '*', window: 100_000 },
  ],
};

test('a request whose model is known only at its seal is measured by the limits of that model', async t => {
  const checked = await budgetSession(t, MODELS);
  const { session } = checked;
  const limits = () => [session.usageReport()?.limits.window.tokens, session.usageReport()?.limits.hard];
  const first = await session.beginRequest({ messages: talk(21, 13) });
  await checked.check(await first.seal({ config: { model: 'small' } }));
  assert.deepEqual(limits(), [500, 450]);
  session.response(1, { outcome: 'completed' });
  const second = await session.beginRequest({ messages: talk(41, 13) });
  await checked.check(await second.seal({ config: { model: 'large' } }));
  assert.deepEqual(limits(), [100_000, 90_000]);
  session.response(2, { outcome: 'completed' });
  const third = await session.beginRequest({ messages: talk(61, 13) });
  await assert.rejects(third.seal({ config: { model: 'small' } }), BudgetLimitError);
  assert.deepEqual(limits(), [500, 450]);
  await checked.close();
});

test('a host that knows its model’s limits only at the seal has the request measured by them', async t => {
  const checked = await budgetSession(t);
  const { session } = checked;
  const begun = await session.beginRequest({ messages: talk(21, 13), limits: { inputLimit: 800 } });
  await checked.check(await begun.seal({ config: CONFIG, limits: { inputLimit: 700 } }));
  assert.deepEqual(session.usageReport()?.limits.inputLimit, { tokens: 700, source: 'test' });
  session.response(1, { outcome: 'completed' });
  const next = await session.beginRequest({ messages: talk(41, 13), limits: { inputLimit: 800 } });
  await checked.check(await next.seal({ config: CONFIG }));
  assert.equal(session.usageReport()?.limits.inputLimit?.tokens, 800);
  await checked.close();
});

test('a host that says its model before its messages are shown has them planned by it', async t => {
  const checked = await budgetSession(t, MODELS);
  const { session } = checked;
  const before = await session.beginRequest({ messages: talk(21, 13), config: { model: 'large' } });
  await checked.check(await before.seal({ config: { model: 'large', agent: 'build' } }));
  session.response(1, { outcome: 'completed' });
  const begun = await session.beginRequest({ messages: talk(61, 13), config: { model: 'small' } });
  await checked.check(await begun.seal({ config: { model: 'small', agent: 'build' } }));
  const report = session.usageReport();
  assert.ok((report?.total.tokens ?? 451) <= 450);
  assert.ok(session.state.budget.compressions > 0);
  await checked.close();
});

test('T-44 messages are counted before they are planned, and none leaves because nobody waited for its number', async t => {
  const counted = new Set<string>();
  const counter: TokenCounter = {
    ...WORDS,
    async count(texts) {
      texts.forEach(text => counted.add(text));
      return WORDS.count(texts);
    },
    estimate(text) {
      const known = WORDS.estimate(text);
      return counted.has(text) ? known : { tokens: 2 * known.tokens, origin: 'estimated' };
    },
  };
  const checked = await budgetSession(t, {}, { counter });
  const begun = await checked.session.beginRequest({ messages: talk(41, 13), config: CONFIG });
  await checked.check(await begun.seal({ config: CONFIG }));
  assert.deepEqual(await checked.logged('budget/edit'), []);
  const [measured] = await checked.logged('budget/measured');
  assert.equal(measured?.tiers.tier4.origin, 'exact');
  await checked.close();
});

test('summaries of a program stand for the history also where a request is begun before it is sealed', async t => {
  const value = {
    topic: 'Port',
    decisions: ['Chose tabs.'],
    outcomes: [],
    active_constraints: [],
    errors_encountered: [],
  };
  const asked: number[] = [];
  const summaries: SummaryMaker = {
    name: 'scripted',
    async make(parts) {
      asked.push(parts.length);
      return { by: 'scripted', summaries: parts.map(({ units }) => ({ units, value })) };
    },
  };
  const checked = await budgetSession(t, {}, { summaries });
  const begun = await checked.session.beginRequest({ messages: talk(61, 13), config: CONFIG });
  await checked.check(await begun.seal({ config: CONFIG }));
  assert.equal(asked.length, 1);
  const edits = (await checked.logged('budget/edit')).filter(({ kind }) => kind === 'summarize');
  assert.ok(edits.length > 0 && edits.every(({ actor }) => actor === 'scripted'));
  await checked.close();
});

test('T-25 what was said with the request before refuses none that says something else', async t => {
  const checked = await budgetSession(t, {}, { reportsEnds: true });
  const { session } = checked;
  const messages = talk(21, 13);
  const refused = await session.beginRequest({ messages });
  await assert.rejects(refused.seal({ config: CONFIG, system: words(900, 's') }), BudgetLimitError);
  const begun = await session.beginRequest({ messages });
  await checked.check(await begun.seal({ config: CONFIG, system: words(100, 's') }));
  session.response(1, { outcome: 'completed' });
  const { events } = await checked.file();
  assert.deepEqual(
    (await checked.logged('budget/measured')).map(({ requestSequence, gate }) => [requestSequence, gate]),
    [
      [1, 'blocked'],
      [1, 'sent'],
    ],
  );
  assert.deepEqual(
    (await checked.logged('step/end')).map(({ requestSequence, outcome }) => [requestSequence, outcome]),
    [
      [1, 'aborted'],
      [1, 'completed'],
    ],
  );
  assert.equal(typesOf(events).filter(type => type === 'request/sealed').length, 1);
  await checked.close();
});

test('a request that is refused at its seal may be sealed with less beside its messages', async t => {
  const checked = await budgetSession(t);
  const begun = await checked.session.beginRequest({ messages: talk(21, 13) });
  await assert.rejects(begun.seal({ config: CONFIG, system: words(900, 's') }), BudgetLimitError);
  const sealed = await begun.seal({ config: CONFIG, system: words(100, 's') });
  await checked.check(sealed);
  assert.equal(sealed.requestSequence, 1);
  assert.equal(checked.session.usageReport()?.status, 'NORMAL');
  await checked.close();
});
