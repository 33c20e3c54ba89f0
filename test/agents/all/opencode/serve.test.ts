import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, ScriptedCall } from '../../../scriptedModel/answer.ts';
import { startScriptedModel } from '../../../scriptedModel/server.ts';
import { type SentBody, sentBody } from '../../sentBody.ts';
import { dataOf, type LogOnDisk, logsIn } from '../../sessionLogs.ts';
import { makeOpencodeHome } from './opencodeHome.ts';
import { startServer } from './opencodeProcess.ts';

const blocks = 'user: <!--BLOCK_ID:plan-->\nstep 1\n<!--/BLOCK_ID:plan-->\n';

function bash(id: string, command: string): ScriptedCall {
  return { id, name: 'bash', arguments: { command, description: 'runs it' } };
}

function toolsOf({ messages }: SentBody): readonly string[] {
  return messages.filter(message => message.startsWith('tool: '));
}

test('one process, many prompts: parallel results, a compaction, a command of the person and a discard', async context => {
  const script: Answer[] = [
    { toolCalls: [bash('call_1', 'cat eph.txt'), bash('call_2', 'echo kept')] },
    { toolCalls: [bash('call_3', 'echo more')] },
    { text: 'Done.' },
    { text: 'A summary.\n<!--DISCARD_BLOCK:plan-->' },
    { text: 'Seen.' },
    { text: 'Forgotten.' },
  ];
  const model = await startScriptedModel(script);
  const home = makeOpencodeHome(model.baseUrl);
  context.after(async () => {
    await model.close();
    home.remove();
  });
  home.write('AGENTS.md', blocks.slice('user: '.length));
  home.write('eph.txt', '<!--ephemeral-->\nSECRET\n');
  const server = await startServer(home);
  const { answer } = await server.post('/session', { title: 'a title' });
  const { id } = answer as { readonly id: string };
  const prompt = (text: string) => server.post(`/session/${id}/message`, { parts: [{ type: 'text', text }] });

  await prompt('go');
  await server.post(`/session/${id}/summarize`, { providerID: 'fake', modelID: 'fake-1' });
  await server.post(`/session/${id}/shell`, { agent: 'build', command: "printf '<!--ephemeral-->\\nSHELL\\n'" });
  await prompt('again');
  const { status } = await server.post(`/session/${id}/command`, { command: 'context-discard', arguments: 'plan' });
  assert.equal(status, 500, 'opencode ends a command of a plug-in in an error alone');
  assert.match(server.stderr(), /Block plan is discarded: it is in no request from the next one on\./);
  await prompt('once more');
  await server.close();

  const sent = model.requests.map(sentBody);
  assert.equal(sent.length, 6);
  const [, second, third, compaction, shown, forgotten] = sent as [
    SentBody,
    SentBody,
    SentBody,
    SentBody,
    SentBody,
    SentBody,
  ];
  assert.deepEqual(toolsOf(second), ['tool: <!--ephemeral-->\nSECRET\n', 'tool: kept\n']);
  const tombstone = /^tool: \[EPHEMERAL:Output omitted after consumption;original_bytes=\d+\]$/;
  assert.match(toolsOf(third)[0] ?? '', tombstone);
  assert.deepEqual(toolsOf(third).slice(1), ['tool: kept\n', 'tool: more\n']);
  // the compaction is opencode's own call: it gets what opencode has, and no block
  assert.match(compaction.messages.join('\n'), /SECRET/);
  assert.doesNotMatch(JSON.stringify(compaction), /BLOCK_ID/);
  // what the person ran is no answer of the model: it was not shown before
  assert.equal(shown.messages[0], blocks, 'a summary discards nothing');
  assert.deepEqual(toolsOf(shown), ['tool: <!--ephemeral-->\nSHELL\n']);
  assert.match(toolsOf(forgotten)[0] ?? '', tombstone);
  assert.doesNotMatch(JSON.stringify(forgotten), /BLOCK_ID|step 1/);

  const [log] = logsIn(home.environment['CONTEXT_LIFECYCLE_HOME'] ?? '') as [LogOnDisk];
  assert.equal(dataOf(log, 'request/sealed').length, 5);
  assert.deepEqual(
    dataOf(log, 'discard/denied').map(({ source }) => source),
    ['summary'],
  );
  // the server was ended with the last answer, so that nobody may have heard of that one's end
  const ends = dataOf(log, 'step/end').map(({ outcome }) => outcome);
  assert.deepEqual(
    ends.slice(0, 4),
    Array.from({ length: 4 }, () => 'completed'),
  );
  assert.doesNotMatch(home.database(), /EPHEMERAL:Output|context_lifecycle/);
});
