import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { aiSdkSummaries } from '../../../../adapter/budget/summarizers/aiSdkSummaries.ts';
import { commandSummaries } from '../../../../adapter/budget/summarizers/commandSummaries.ts';
import type { SummaryMaker } from '../../../../adapter/budget/summarizers/summaryMaker.ts';
import { compressionRequest } from '../../../../protocol/budget/compression.ts';
import { BudgetRun, exact, talk, user, WINDOW, words } from '../../../protocol/budget/budgetKit.ts';
import { program, recordOf } from './summarizerKit.ts';

const CONSTRAINT = 'You must never drop a table.';

/** A history of five parts that is to be compressed, and what stays. */
const messages = [user(`${CONSTRAINT} ${words(60, 'x')}`), ...talk(43, 7, 'h'), ...talk(50, 6, 'recent')];

const isText = (value: string | undefined): value is string => value !== undefined;

/** The request with what the maker came to, as an adapter builds it. */
async function built(maker?: SummaryMaker): Promise<BudgetRun> {
  const run = new BudgetRun();
  run.beside = { host: { system: exact(100), tools: exact(0), prefix: exact(0) } };
  const parts = compressionRequest(run.viewOf(messages), run.state, WINDOW);
  assert.equal(parts.length, 5);
  run.config = maker ? { ...WINDOW, summaries: await maker.make(parts, undefined) } : WINDOW;
  run.request(messages);
  return run;
}

/** A program that makes of each part a record with these members. */
const summing = (t: TestContext, more: object): SummaryMaker =>
  commandSummaries({
    command: program(
      t,
      `import { readFileSync } from 'node:fs';
      const { parts } = JSON.parse(readFileSync(0));
      const summaries = parts.map((_, place) => ({ ...${JSON.stringify(recordOf('t', more))}, topic: 'part ' + place }));
      console.log(JSON.stringify({ summaries }));`,
    ),
  });

test('T-14 whatever a summariser fails at, the extractive summaries are taken, and the log says why', async t => {
  const extractive = await built();
  const expected = JSON.stringify(extractive.all('budget/edit'));
  assert.ok(extractive.edits.length > 1);
  const command = (source: string) => commandSummaries({ command: program(t, source) });
  const model = (doGenerate: () => Promise<object>) =>
    aiSdkSummaries({ model: { provider: 'acme', modelId: 'small', doGenerate } });
  const makers: readonly (readonly [SummaryMaker, reason: string])[] = [
    [command('process.exitCode = 1;'), 'it ended with code 1'],
    [command("console.log('Sure!');"), 'its answer is no JSON'],
    [command(`console.log('{"summaries":[]}');`), 'its answer has 0 summaries instead of 5'],
    [summing(t, { decisions: 'none' }), 'its decisions are no list of texts'],
    [summing(t, { outcomes: [words(400)] }), 'its summary is not smaller than what it stands for'],
    [model(() => Promise.reject(new Error('no'))), 'its call failed'],
    [model(async () => ({ content: [{ type: 'text', text: '{"summaries":[[]]}' }] })), 'what it gave is no object'],
  ];
  for (const [maker, reason] of makers) {
    const run = await built(maker);
    assert.deepEqual(run.all('budget/summary-failed'), [{ actor: maker.name, reason, requestSequence: 1 }]);
    assert.equal(JSON.stringify(run.all('budget/edit')), expected);
  }
});

test('T-14 where a summariser fails at one part, the others keep its summaries', async () => {
  let calls = 0;
  const record = JSON.stringify({ summaries: [recordOf('short')] });
  const doGenerate = async () => ({ content: [{ type: 'text', text: ++calls === 1 ? 'Sorry.' : record }] });
  const run = await built(aiSdkSummaries({ model: { provider: 'acme', modelId: 'small', doGenerate } }));
  assert.deepEqual(
    run.all('budget/summary-failed').map(({ reason }) => reason),
    ['its answer is no JSON'],
  );
  const [first, ...others] = run.edits.map(({ actor }) => actor);
  assert.deepEqual([first, new Set(others)], ['extractive@1', new Set(['acme/small'])]);
});

test('T-09 T-14 a quote that nobody said is unverified, and a constraint that was left out comes back', async t => {
  const maker = summing(t, { active_constraints: ['You may drop every table.'] });
  const run = await built(maker);
  assert.deepEqual(run.all('budget/summary-failed'), []);
  const [first] = run.edits;
  assert.deepEqual([first?.actor, first?.summary?.record.topic], [maker.name, 'part 0']);
  assert.deepEqual(first?.summary?.record.active_constraints, [CONSTRAINT]);
  assert.deepEqual(first?.summary?.unverified, ['You may drop every table.']);
  const shown = run.edits.map(({ message }) => JSON.stringify(message)).filter(isText);
  assert.ok(shown.every(text => !text.includes('You may drop')));
});
