import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { piFormat } from '../../../adapter/agents/pi/piFormat.ts';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import { foldOf } from '../../adapter/session/sessionKit.ts';
import { type ScriptedModel, startScriptedModel } from '../../scriptedModel/server.ts';
import { printedReport, turnOnBudget, words } from '../budgetHome.ts';
import { assertKept, CONSTRAINT, SAID, TASK } from '../keptConstraints.ts';
import { assertRebuilt } from '../rebuilt.ts';
import { sentBody } from '../sentBody.ts';
import { dataOf, type LogOnDisk, logsIn } from '../sessionLogs.ts';
import { makePiHome, type PiHome } from './piHome.ts';
import { type Pi, piVersions, type RpcSession, runPrint, startRpc } from './piProcess.ts';

interface Place {
  readonly model: ScriptedModel;
  readonly home: PiHome;
  readonly folder: string;
  readonly session: RpcSession;
  log(): LogOnDisk;
}

/** pi in a home whose budget layer is on. */
async function setUp(context: TestContext, pi: Pi, settings: object): Promise<Place> {
  const model = await startScriptedModel();
  const home = makePiHome(model.baseUrl);
  const folder = home.environment['CONTEXT_LIFECYCLE_HOME'] ?? '';
  turnOnBudget(folder, settings);
  const session = startRpc(pi, home);
  context.after(async () => {
    await session.close();
    await model.close();
    home.remove();
  });
  return {
    model,
    home,
    folder,
    session,
    log: () => {
      const [log, another] = logsIn(folder);
      assert.ok(log && !another);
      return log;
    },
  };
}

/** A prompt, a tool whose output is long, and an answer. */
async function work({ model, home, session }: Place, number: number, prompt: string): Promise<void> {
  home.write(`part-${number}.txt`, `${words(150, `part${number}`)}\n`);
  const call = { id: `call_${number}`, name: 'bash', arguments: { command: `cat part-${number}.txt` } };
  model.add({ toolCalls: [call] }, { text: `Part ${number} is done.` });
  await session.prompt(prompt);
}

function resultsOf(log: LogOnDisk): ReadonlySet<unknown> {
  return new Set(dataOf(log, 'request/receipt').map(({ result }) => result));
}

for (const pi of piVersions) {
  test(`pi ${pi.version}: a long session is compressed, keeps every constraint, and each request left as its log rebuilds it`, async context => {
    const window = 12_000;
    const place = await setUp(context, pi, {
      window,
      task: TASK,
      constraints: [{ id: 'docs', text: CONSTRAINT }],
    });
    const { model, session, folder } = place;
    await work(place, 1, `Begin. ${SAID}`);
    for (let number = 2; number <= 24; number++) {
      await work(place, number, `Now part ${number}.`);
    }
    await session.prompt('/context-usage');
    const log = place.log();
    const sent = model.requests.map(sentBody);
    assert.equal(sent.length, 48);
    assertRebuilt(log, piFormat, sent);
    assert.deepEqual(resultsOf(log), new Set(['matched']), 'each edited request left as it was sealed');

    const { budget } = foldOf(log.events);
    assert.ok(budget.compressions >= 2, `${budget.compressions} compressions`);
    assertKept(foldOf(log.events), sent);
    const last = sent.at(-1)?.messages.join('\n') ?? '';
    assert.ok(!last.includes('part1-149'), 'what was compressed has left');
    assert.ok(last.includes('part24-149'));
    assert.match(place.home.transcripts(), /part1-149/, 'and pi keeps it');

    const { text } = usageReport(foldOf(log.events)) ?? assert.fail();
    assert.match(text, /Status: COMPRESSED/);
    assert.equal(await printedReport(folder, log.header.id), text, 'T-39');
    assert.equal(session.notes().at(-1), text);
  });

  test(`pi ${pi.version}: its own compaction and the layer’s edits stand beside each other`, async context => {
    const place = await setUp(context, pi, { window: 12_000 });
    const { model, home, session } = place;
    home.writeForUser('settings.json', JSON.stringify({ compaction: { keepRecentTokens: 1, reserveTokens: 100 } }));
    for (let number = 1; number <= 18; number++) {
      await work(place, number, `Now part ${number}.`);
    }
    assert.ok(foldOf(place.log().events).budget.compressions >= 1);
    model.add({ text: 'PI SUMMARY' }, { text: 'of a turn' });
    await session.ask({ type: 'compact' });
    const asked = model.requests.length;
    model.add(...Array.from({ length: model.left }, () => ({ text: 'never' })));
    for (const prompt of ['after', 'and more']) {
      await session.prompt(prompt);
    }
    const [first] = model.requests.slice(asked).map(sentBody);
    assert.match(first?.messages.join('\n') ?? '', /PI SUMMARY[^]*user: after/);
    assert.deepEqual(resultsOf(place.log()), new Set(['matched']));
  });

  test(`pi ${pi.version}: no request above the limit leaves, and the person sees why (T-25)`, async context => {
    const place = await setUp(context, pi, { window: 12_000 });
    const { model, session } = place;
    await work(place, 1, 'Begin.');
    const asked = model.requests.length;
    model.add({ text: 'must not be asked' });
    await session.prompt(words(6000, 'huge'));
    assert.equal(model.requests.length, asked);
    const sentence =
      /^Request 3 was not sent, because it takes ~?[\d,]+ tokens and the limit is 10,800 \(nine tenths of the window; window 12,000, config\.json\)\./;
    assert.ok(
      session.notes().some(note => sentence.test(note)),
      JSON.stringify(session.notes().at(-1)).slice(0, 500),
    );
    await session.prompt('/context-usage');
    assert.match(session.notes().at(-1) ?? '', /Status: CRITICAL/);
  });

  test(`pi ${pi.version}: a refusal for length teaches a limit, by which the next request is planned (T-27)`, async context => {
    const place = await setUp(context, pi, { window: 100_000 });
    const { model, session } = place;
    for (let number = 1; number <= 15; number++) {
      await work(place, number, `Now part ${number}.`);
    }
    assert.equal(foldOf(place.log().events).budget.compressions, 0);
    const said = 'This model’s maximum context length is 9000 tokens: context_length_exceeded';
    // pi makes a summary after it, which it asks for with one or two requests, and then asks again
    model.add({ status: 400, said }, ...Array.from({ length: 4 }, () => ({ text: 'Said.' })));
    await session.prompt('And now?');
    const log = place.log();
    assert.equal(dataOf(log, 'budget/limit-learned').length, 1);
    await session.prompt('Go on.');
    const measured = foldOf(place.log().events).budget.measures.toArray().at(-1);
    assert.equal(measured?.limits.binds, 'learned');
    assert.ok((measured?.total.tokens ?? Number.POSITIVE_INFINITY) <= (measured?.limits.hard ?? 0));
    assert.deepEqual(resultsOf(place.log()), new Set(['matched']));
  });

  test(`pi ${pi.version}: a session that finds drift stops pi before the request leaves (T-43)`, async context => {
    const model = await startScriptedModel([{ text: 'must not be asked' }]);
    const home = makePiHome(model.baseUrl);
    context.after(async () => {
      await model.close();
      home.remove();
    });
    const run = await runPrint(pi, home, 'go', { extension: join(import.meta.dirname, 'pausingView.ts') });
    assert.equal(model.requests.length, 0);
    assert.match(run.stderr, /The agent was stopped\. The test says so\./);
    const [log] = logsIn(home.environment['CONTEXT_LIFECYCLE_HOME'] ?? '');
    assert.deepEqual(
      dataOf(log as LogOnDisk, 'step/end').map(({ outcome }) => outcome),
      ['aborted'],
    );
  });
}
