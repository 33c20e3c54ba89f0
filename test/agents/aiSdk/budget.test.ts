import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { aiSdkFormat } from '../../../adapter/agents/aiSdk/aiSdkFormat.ts';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import { foldOf } from '../../adapter/session/sessionKit.ts';
import { type ScriptedModel, startScriptedModel } from '../../scriptedModel/server.ts';
import { printedReport, turnOnBudget, words } from '../budgetHome.ts';
import { assertKept, CONSTRAINT, SAID, TASK } from '../keptConstraints.ts';
import { assertRebuilt } from '../rebuilt.ts';
import { sentBody } from '../sentBody.ts';
import { dataOf, type LogOnDisk, logsIn } from '../sessionLogs.ts';
import { type Agent, type AiSdkVersion, aiSdkVersions } from './versions.ts';

interface Place {
  readonly model: ScriptedModel;
  readonly agent: Agent;
  readonly folder: string;
  log(): LogOnDisk;
}

async function setUp(
  context: TestContext,
  { make }: AiSdkVersion,
  { settings = {}, limits }: { readonly settings?: object; readonly limits?: { readonly window: number } },
): Promise<Place> {
  const model = await startScriptedModel();
  const folder = mkdtempSync(join(tmpdir(), 'ai-sdk-budget-'));
  turnOnBudget(folder, settings);
  const files = Object.fromEntries(
    Array.from({ length: 24 }, (_, index) => [`part-${index + 1}`, words(150, `part${index + 1}`)]),
  );
  const lifecycle = { folder, sessionId: 's', ...(limits && { limits }) };
  const agent = make({ baseUrl: model.baseUrl, system: 'You help.', files, lifecycle });
  context.after(async () => {
    await agent.lifecycle.close();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    model,
    agent,
    folder,
    log: () => {
      const [log, another] = logsIn(folder);
      assert.ok(log && !another);
      return log;
    },
  };
}

/** A prompt, a tool whose output is long, and an answer. */
async function work({ model, agent }: Place, number: number, prompt: string, way: Way = 'generate'): Promise<void> {
  const call = { id: `call_${number}`, name: 'cat', arguments: { path: `part-${number}` } };
  model.add({ toolCalls: [call] }, { text: `Part ${number} is done.` });
  assert.equal(await agent[way](prompt), `Part ${number} is done.`);
}

type Way = 'generate' | 'stream';

const REFUSED = { status: 400, said: 'This model has a maximum context length of 7000 tokens.' } as const;

/** One of 30 requests, which nothing had to be taken out of. */
async function longSession(context: TestContext, sdk: AiSdkVersion): Promise<Place> {
  const place = await setUp(context, sdk, { limits: { window: 100_000 } });
  for (let number = 1; number <= 15; number++) {
    await work(place, number, `Now part ${number}.`);
  }
  assert.equal(foldOf(place.log().events).budget.compressions, 0);
  return place;
}

/** How the last two requests ended. */
function outcomes(log: LogOnDisk): readonly unknown[] {
  return dataOf(log, 'step/end')
    .slice(-2)
    .map(({ outcome }) => outcome);
}

for (const sdk of aiSdkVersions) {
  const { version } = sdk;

  test(`AI SDK ${version}: a long session is compressed, keeps every constraint, and each request left as its log rebuilds it`, async context => {
    const settings = { task: TASK, constraints: [{ id: 'docs', text: CONSTRAINT }] };
    const place = await setUp(context, sdk, { settings, limits: { window: 6_000 } });
    await work(place, 1, `Begin. ${SAID}`);
    for (let number = 2; number <= 24; number++) {
      await work(place, number, `Now part ${number}.`, number % 2 === 0 ? 'stream' : 'generate');
    }
    const log = place.log();
    const sent = place.model.requests.map(sentBody);
    assert.equal(sent.length, 48);
    assertRebuilt(log, aiSdkFormat, sent);
    assert.deepEqual(new Set(dataOf(log, 'request/receipt').map(({ result }) => result)), new Set(['matched']));
    const { budget } = foldOf(log.events);
    assert.ok(budget.compressions >= 2, `${budget.compressions} compressions`);
    for (const { limits } of budget.measures) {
      assert.deepEqual(limits.window, { tokens: 6_000, source: 'ai-sdk' });
    }
    assertKept(foldOf(log.events), sent);
    assert.ok(!sent.at(-1)?.messages.join('\n').includes('part1-149'), 'what was compressed has left');
    assert.match(JSON.stringify(place.agent.transcript), /part1-149/, 'and the program keeps it');
    const { text } = usageReport(foldOf(log.events)) ?? assert.fail();
    assert.match(text, /Status: COMPRESSED/);
    assert.equal(await printedReport(place.folder, 's'), text, 'T-39');
  });

  for (const way of ['generate', 'stream'] as const) {
    test(`AI SDK ${version}, ${way}: a call that is refused for its length is sent once more, shorter (T-27)`, async context => {
      const place = await longSession(context, sdk);
      const { model, agent } = place;
      const asked = model.requests.length;
      model.add(REFUSED, { text: 'Shorter.' });
      assert.equal(await agent[way]('And now?'), 'Shorter.');
      const [refused, shorter] = model.requests.slice(asked).map(({ body }) => body.length);
      assert.ok(refused !== undefined && shorter !== undefined && shorter < refused * 0.6, `${shorter} of ${refused}`);
      const log = place.log();
      assert.deepEqual(
        dataOf(log, 'budget/limit-learned').map(({ tokens, requestSequence }) => [tokens, requestSequence]),
        [[7000, 31]],
      );
      assert.deepEqual(outcomes(log), ['failed', 'completed']);
      assertRebuilt(log, aiSdkFormat, model.requests.map(sentBody));
    });

    test(`AI SDK ${version}, ${way}: a call that is refused twice is not sent a third time (T-27)`, async context => {
      const place = await longSession(context, sdk);
      const { model, agent } = place;
      const asked = model.requests.length;
      model.add(REFUSED, REFUSED, { text: 'must not be asked' });
      await assert.rejects(agent[way]('And now?'));
      assert.equal(model.requests.length, asked + 2);
      const log = place.log();
      assert.deepEqual(outcomes(log), ['failed', 'failed']);
      assert.equal(dataOf(log, 'budget/limit-learned').length, 1);
      assert.equal(dataOf(log, 'budget/reset-requested').length, 1);
      assert.equal(usageReport(foldOf(log.events))?.status, 'CRITICAL');
    });
  }

  test(`AI SDK ${version}: a call above the limit rejects, and nothing leaves (T-25)`, async context => {
    const place = await setUp(context, sdk, { limits: { window: 6_000 } });
    await work(place, 1, 'Begin.');
    const asked = place.model.requests.length;
    place.model.add({ text: 'must not be asked' });
    await assert.rejects(place.agent.generate(words(5000, 'huge')), {
      name: 'BudgetLimitError',
      message:
        /^Request 3 was not sent, because it takes ~?[\d,]+ tokens and the limit is 5,400 \(nine tenths of the window; window 6,000, ai-sdk\)\./,
    });
    assert.equal(place.model.requests.length, asked);
  });
}
