import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piFormat } from '../../../adapter/agents/pi/piFormat.ts';
import { type RecordedRequest, startScriptedModel } from '../../scriptedModel/server.ts';
import { assertRebuilt } from '../rebuilt.ts';
import { sentBody } from '../sentBody.ts';
import { dataOf, type LogOnDisk, logsIn } from '../sessionLogs.ts';
import { makePiHome } from './piHome.ts';
import { piVersions, runPrint, startRpc } from './piProcess.ts';

const plan = '<!--BLOCK_ID:plan-->\nstep 1\n<!--/BLOCK_ID:plan-->\n';
const style = '<!--BLOCK_ID:style-->\nshort\n<!--/BLOCK_ID:style-->\n';
const ephemeral = '<!--ephemeral-->\nSECRET\n';

for (const pi of piVersions) {
  test(`pi ${pi.version}: the text of a discarded block in a tool result is only quoted there`, async context => {
    const model = await startScriptedModel();
    const home = makePiHome(model.baseUrl);
    const session = startRpc(pi, home);
    context.after(async () => {
      await session.close();
      await model.close();
      home.remove();
    });
    home.write('AGENTS.md', plan);
    model.add({ text: 'one' });
    await session.prompt('first');
    await session.prompt('/context-discard plan');
    model.add(
      { toolCalls: [{ id: 'call_1', name: 'bash', arguments: { command: 'cat AGENTS.md' } }] },
      { text: 'two' },
    );
    await session.prompt('second');
    const [log] = logsIn(home.environment['CONTEXT_LIFECYCLE_HOME'] ?? '');
    assert.ok(log);
    assert.deepEqual(
      dataOf(log, 'request/receipt').map(({ result }) => result),
      ['matched', 'matched', 'quoted'],
    );
  });

  test(`pi ${pi.version}: a session that began without the adapter shows no discarded block either`, async context => {
    const model = await startScriptedModel(Array.from({ length: 3 }, () => ({ text: 'answer' })));
    const home = makePiHome(model.baseUrl);
    home.write('AGENTS.md', `Be nice.\n${plan}`);
    await runPrint(pi, home, 'alone', { extension: null });
    assert.match(sentBody(model.requests[0] as RecordedRequest).system, /step 1/);
    const session = startRpc(pi, home, ['--continue']);
    context.after(async () => {
      await session.close();
      await model.close();
      home.remove();
    });
    await session.prompt('with it');
    await session.prompt('/context-discard plan');
    await session.prompt('without the block');
    const [, first, last] = model.requests.map(sentBody);
    assert.equal(first?.messages[0], `user: ${plan}`);
    assert.deepEqual(last?.messages.slice(0, 2), ['user: alone', 'assistant: answer']);
    for (const body of [first, last]) {
      assert.match(body?.system ?? '', /Be nice\./);
      assert.doesNotMatch(body?.system ?? '', /step 1/);
    }
    const [log] = logsIn(home.environment['CONTEXT_LIFECYCLE_HOME'] ?? '');
    assert.equal(dataOf(log as LogOnDisk, 'session/opened')[0]?.['earlierUnknown'], true);
    assert.deepEqual(
      dataOf(log as LogOnDisk, 'request/receipt').map(({ result }) => result),
      ['matched', 'matched'],
    );
  });

  test(`pi ${pi.version}: each session of one process has its own blocks and its own log`, async context => {
    const model = await startScriptedModel(Array.from({ length: 3 }, () => ({ text: 'answer' })));
    const home = makePiHome(model.baseUrl);
    home.write('AGENTS.md', plan);
    const session = startRpc(pi, home);
    context.after(async () => {
      await session.close();
      await model.close();
      home.remove();
    });
    await session.prompt('first');
    await session.prompt('/context-discard plan');
    const { data } = await session.ask({ type: 'get_state' });
    const { sessionFile } = data as { readonly sessionFile: string };
    await session.ask({ type: 'new_session' });
    await session.prompt('other');
    await session.ask({ type: 'switch_session', sessionPath: sessionFile });
    await session.prompt('again');
    assert.deepEqual(
      model.requests.map(request => sentBody(request).messages[0]),
      [`user: ${plan}`, `user: ${plan}`, 'user: first'],
    );
    const logs = logsIn(home.environment['CONTEXT_LIFECYCLE_HOME'] ?? '');
    assert.deepEqual(
      logs.map(log => dataOf(log, 'session/opened').map(({ reason }) => reason)),
      [['new', 'resumed'], ['new']],
    );
    assert.ok(logs.every(log => dataOf(log, 'session/opened').every(opened => opened['earlierUnknown'] === undefined)));
  });

  test(`pi ${pi.version}: a discard by command, then a resumed and a forked session`, async context => {
    const model = await startScriptedModel();
    const home = makePiHome(model.baseUrl);
    const folder = home.environment['CONTEXT_LIFECYCLE_HOME'] ?? '';
    const sent = () => model.requests.map(sentBody);
    const open = (...more: readonly string[]) => {
      const session = startRpc(pi, home, more);
      context.after(() => session.close());
      return session;
    };
    context.after(async () => {
      await model.close();
      home.remove();
    });
    home.write('AGENTS.md', plan + style);
    home.write('eph.txt', ephemeral);

    const first = open();
    model.add({ toolCalls: [{ id: 'call_1', name: 'bash', arguments: { command: 'cat eph.txt' } }] }, { text: 'one' });
    await first.prompt('first');
    assert.deepEqual(
      sent().map(({ messages }) => messages[0]),
      [`user: ${plan}${style}`, `user: ${plan}${style}`],
    );

    await first.prompt('/context-discard no such');
    await first.prompt('/context-discard nothing');
    await first.prompt('/context-discard plan');
    await first.prompt('/context-discard plan');
    await first.prompt('/context-status');
    const notes = first.notes();
    for (const sentence of [
      /^Context Lifecycle: 2 blocks are active: plan, style\.$/,
      /^Say which block/,
      /^There is no block nothing\.$/,
      /^Block plan is discarded: it is in no request from the next one on\.$/,
      /^Block plan was discarded before\.$/,
      /plan: discarded, from .*AGENTS\.md:1\n {2}style: active[^]*Requests: 2; the last one left as the log holds it\./,
    ]) {
      assert.ok(
        notes.some(note => sentence.test(note)),
        `${sentence} in ${JSON.stringify(notes)}`,
      );
    }

    model.add({ text: 'two' });
    await first.prompt('second');
    assert.equal(sent()[2]?.messages[0], `user: ${style}`);
    assert.ok(sent()[2]?.messages.some(message => message.startsWith('tool: [EPHEMERAL:')));
    await first.close();

    const edited = (plan + style).replace('step 1', 'step one');
    home.write('AGENTS.md', `Edited.\n${edited}`);
    const second = open('--continue');
    model.add({ text: 'three' });
    await second.prompt('third');
    assert.ok(second.notes().some(note => /AGENTS\.md is not what this session loaded first/.test(note)));
    assert.match(sent()[3]?.system ?? '', /Edited\./);
    assert.doesNotMatch(sent()[3]?.system ?? '', /step one|BLOCK_ID/);
    assert.equal(sent()[3]?.messages[0], `user: ${style}`);
    assert.doesNotMatch(JSON.stringify(sent()[3]), /SECRET|step 1/);

    const logs = logsIn(folder);
    assert.equal(logs.length, 1);
    const [log] = logs;
    assert.ok(log);
    assert.deepEqual(
      dataOf(log, 'session/opened').map(({ reason }) => reason),
      ['new', 'resumed'],
    );
    assert.equal(dataOf(log, 'ephemeral/consumed').length, 1);
    assert.ok(dataOf(log, 'request/receipt').every(({ result }) => result === 'matched'));
    assertRebuilt(log, piFormat, sent());

    const { data } = await second.ask({ type: 'get_fork_messages' });
    const { messages: candidates } = data as { readonly messages: readonly { entryId: string; text: string }[] };
    const entryId = candidates.find(({ text }) => text === 'third')?.entryId;
    await second.ask({ type: 'fork', entryId });
    model.add({ text: 'four' });
    await second.prompt('other third');
    assert.equal(sent()[4]?.messages[0], `user: ${style}`);
    assert.doesNotMatch(JSON.stringify(sent()[4]), /SECRET|step 1/);
    await second.close();
    const [, forked] = logsIn(folder);
    assert.ok(forked);
    assert.equal(dataOf(forked, 'session/opened').at(-1)?.['reason'], 'forked');
    assert.equal(dataOf(forked, 'ephemeral/consumed').length, 1);
    assert.doesNotMatch(home.transcripts(), /EPHEMERAL:Output/);
  });
}
