import assert from 'node:assert/strict';
import { test } from 'node:test';
import { opencodeFormat } from '../../../../adapter/agents/opencode/opencodeFormat.ts';
import { usageReport } from '../../../../protocol/budget/usageReport.ts';
import { foldOf } from '../../../adapter/session/sessionKit.ts';
import { startScriptedModel } from '../../../scriptedModel/server.ts';
import { printedReport, turnOnBudget, words } from '../../budgetHome.ts';
import { assertKept, CONSTRAINT, SAID, TASK } from '../../keptConstraints.ts';
import { assertRebuilt } from '../../rebuilt.ts';
import { sentBody } from '../../sentBody.ts';
import { type LogOnDisk, logsIn } from '../../sessionLogs.ts';
import { makeOpencodeHome } from './opencodeHome.ts';
import { startServer } from './opencodeProcess.ts';

test('a long session is compressed in what opencode sends, keeps every constraint, and its log rebuilds each request', async context => {
  const model = await startScriptedModel();
  const home = makeOpencodeHome(model.baseUrl);
  const folder = home.environment['CONTEXT_LIFECYCLE_HOME'] ?? '';
  turnOnBudget(folder, { window: 40_000, task: TASK, constraints: [{ id: 'docs', text: CONSTRAINT }] });
  const server = await startServer(home);
  context.after(async () => {
    await server.close();
    await model.close();
    home.remove();
  });
  const { answer } = await server.post('/session', { title: 'a title' });
  const { id } = answer as { readonly id: string };
  const work = async (number: number, text: string): Promise<void> => {
    home.write(`part-${number}.txt`, `${words(400, `part${number}`)}\n`);
    const command = { command: `cat part-${number}.txt`, description: 'shows it' };
    model.add(
      { toolCalls: [{ id: `call_${number}`, name: 'bash', arguments: command }] },
      { text: `Part ${number} is done.` },
    );
    await server.post(`/session/${id}/message`, { parts: [{ type: 'text', text }] });
  };
  await work(1, `Begin. ${SAID}`);
  for (let number = 2; number <= 20; number++) {
    await work(number, `Now part ${number}.`);
  }

  const [log] = logsIn(folder) as [LogOnDisk];
  const sent = model.requests.map(sentBody);
  assert.equal(sent.length, 40, server.stderr());
  assertRebuilt(log, opencodeFormat, sent);
  const { budget } = foldOf(log.events);
  assert.ok(budget.compressions > 0);
  assertKept(foldOf(log.events), sent);
  assert.ok(!sent.at(-1)?.messages.join('\n').includes('part1-399'), 'what was compressed has left');
  assert.match(home.database(), /part1-399/, 'and opencode keeps it');
  assert.doesNotMatch(home.database(), /context_lifecycle/);
  const { text } = usageReport(foldOf(log.events)) ?? assert.fail();
  assert.match(text, /Status: COMPRESSED/);
  assert.equal(await printedReport(folder, log.header.id), text, 'T-39');

  // tiers 4, rule 4: what is above the limit by itself does not leave, whatever is taken out
  const asked = model.requests.length;
  model.add({ text: 'must not be asked' });
  await server.post(`/session/${id}/message`, { parts: [{ type: 'text', text: words(12_000, 'huge') }] });
  assert.equal(model.requests.length, asked);
  assert.match(server.stderr(), /Request 41 was not sent, because it takes ~?[\d,]+ tokens and the limit is 35,904 /);
});
