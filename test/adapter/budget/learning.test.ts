import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BudgetLimitError } from '../../../adapter/budget/budgetLimitError.ts';
import type { SummaryMaker } from '../../../adapter/budget/summarizers/summaryMaker.ts';
import type { CompressionPart } from '../../../protocol/budget/compression.ts';
import type { ModelSummaries } from '../../../protocol/budget/summary/summarizer.ts';
import { user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { budgetSession, CONFIG, converse, talk, words } from './budgetLayerKit.ts';

test('T-27 a refusal for length teaches a limit; the next request is planned with it once, and then a reset is asked for', async t => {
  const checked = await budgetSession(t);
  const { session } = checked;
  const learned = () => session.state.budget.learned?.tokens;
  const messages = talk(51, 13);
  await checked.request(messages, { config: CONFIG });
  const error = 'This model’s maximum context length is 500 tokens, however you requested 663.';
  session.response(1, { outcome: 'failed', error: 'rate limit reached' });
  assert.equal(learned(), undefined);
  await checked.request(messages, { config: CONFIG });
  session.response(2, { outcome: 'failed', error });
  assert.equal(learned(), 500);
  await checked.request(messages, { config: CONFIG });
  const planned = session.usageReport();
  assert.deepEqual([planned?.limits.hard, planned?.limits.binds], [500, 'learned']);
  assert.ok((planned?.total.tokens ?? 501) <= 500);
  session.response(3, { outcome: 'failed', error: 'prompt is too long' });
  assert.equal(learned(), 500, 'nothing more is learned');
  assert.equal(session.usageReport()?.status, 'CRITICAL');
  await checked.close();
});

test('T-27 what one model cannot take is no limit of another one', async t => {
  const checked = await budgetSession(t, { models: [{ model: 'large', window: 5_000 }] });
  const { session } = checked;
  const limit = () => session.usageReport()?.limits.hard;
  const small = { config: CONFIG };
  const large = { config: { model: 'large' } };
  await checked.request(talk(41, 13), small);
  session.response(1, { outcome: 'failed', error: 'maximum context length is 400 tokens' });
  await checked.turn(talk(41, 13), large);
  assert.deepEqual([limit(), session.usageReport()?.limits.learned], [4_500, undefined]);
  await checked.turn(talk(43, 13), small);
  assert.equal(limit(), 400);
  await checked.close();
});

const made = (value: unknown) => ({
  name: 'scripted',
  async make(parts: readonly CompressionPart[]) {
    return { by: 'scripted', summaries: parts.map(({ units }) => ({ units, value })) };
  },
});

/** A program that does not keep to what a maker gives. */
function careless(given: unknown): SummaryMaker {
  return { name: 'scripted', make: async () => given as ModelSummaries };
}

test('summaries of a program stand for the history, as the log and the model’s view have them', async t => {
  const value = {
    topic: 'Port',
    period: '2026-01-01T00:00:00Z - 2026-01-01T01:00:00Z',
    decisions: ['Chose tabs.'],
    outcomes: [],
    active_constraints: [],
    errors_encountered: [],
  };
  const checked = await budgetSession(t, {}, { summaries: made(value) });
  await converse(checked, talk(63, 13));
  const edits = (await checked.logged('budget/edit')).filter(({ kind }) => kind === 'summarize');
  assert.ok(edits.length > 0 && edits.every(({ actor }) => actor === 'scripted'));
  assert.match(JSON.stringify(checked.sealed.at(-1)?.messages), /Chose tabs\./);
  await checked.close();
});

test('T-14 a program that fails or talks nonsense costs nothing but its summaries', async t => {
  const makers: readonly SummaryMaker[] = [
    made('nonsense'),
    { name: 'scripted', make: async () => ({ by: 'scripted', failed: 'it was not there' }) },
    ...[undefined, null, 'text', {}, { by: 'scripted' }, { by: 'scripted', summaries: null }].map(careless),
    ...[
      { by: 1, failed: 'x' },
      { by: 'scripted', summaries: [null] },
    ].map(careless),
    careless({ by: 'scripted', summaries: [{ units: null, value: 1 }] }),
    { name: 'scripted', make: () => Promise.reject(new Error('secret')) },
    {
      name: 'scripted',
      make() {
        throw new Error('secret');
      },
    },
  ];
  for (const summaries of makers) {
    const checked = await budgetSession(t, {}, { summaries });
    await converse(checked, talk(63, 13));
    const failures = await checked.logged('budget/summary-failed');
    assert.ok(
      failures.length > 0 && failures.every(({ actor, reason }) => actor === 'scripted' && reason !== 'secret'),
    );
    const edits = (await checked.logged('budget/edit')).filter(({ kind }) => kind === 'summarize');
    assert.ok(edits.length > 0 && edits.every(({ actor }) => actor !== 'scripted'));
    await checked.close();
  }
});

test('a request that is given up while summaries are made is not sent, and the next one is planned anew', async t => {
  const abort = new AbortController();
  const asked: number[] = [];
  const summaries: SummaryMaker = {
    name: 'slow',
    make: (parts, signal) =>
      new Promise((_, reject) => {
        asked.push(parts.length);
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        abort.abort(new Error('given up'));
      }),
  };
  const checked = await budgetSession(t, {}, { summaries });
  const messages = talk(63, 13);
  const request = checked.session.buildRequest({ messages, config: CONFIG, signal: abort.signal });
  await assert.rejects(request, /given up/);
  assert.equal(asked.length, 1);
  assert.equal(checked.session.state.requests.length, 0);
});

test('a request is given up at once where the program does not look at the signal, and the next one can be built', async t => {
  const abort = new AbortController();
  const summaries: SummaryMaker = {
    name: 'deaf',
    make() {
      abort.abort(new Error('given up'));
      return new Promise(() => {});
    },
  };
  const checked = await budgetSession(t, {}, { summaries });
  const request = checked.session.buildRequest({ messages: talk(63, 13), config: CONFIG, signal: abort.signal });
  await assert.rejects(request, /given up/);
  await checked.request(talk(3, 3), { config: CONFIG });
});

test('T-24 a document counts in tier 2, and is unloaded above the limit when nothing refers to it', async t => {
  const checked = await budgetSession(t);
  const old = user(words(200, 'schema'));
  const documents = [{ document: 'schema.sql', messages: [0] }];
  const messages = [old, ...talk(61, 11)];
  await checked.turn(messages.slice(0, 2), { config: CONFIG, documents });
  assert.equal(checked.session.usageReport()?.tiers.tier2.tokens, 200);
  await checked.turn(messages, { config: CONFIG, documents });
  assert.equal((await checked.logged('budget/document')).length, 1, 'recorded once');
  // So much history that only the document is left to take.
  const large = [...messages, ...talk(20, 42, 'large')];
  await assert.doesNotReject(checked.turn(large, { config: CONFIG, documents }), BudgetLimitError);
  const unloaded = (await checked.logged('budget/edit')).filter(({ kind }) => kind === 'unload');
  assert.deepEqual(
    unloaded.map(({ document }) => document),
    ['schema.sql'],
  );
  await checked.close();
});

test('an answer that is over teaches no limit by what is said of it later', async t => {
  const checked = await budgetSession(t);
  await checked.turn(talk(3, 5), { config: CONFIG });
  checked.session.response(1, { outcome: 'failed', error: 'prompt is too long' });
  assert.equal(checked.session.state.budget.learned, undefined);
});
