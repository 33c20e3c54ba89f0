import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentHouse } from '../../gateway/agentHouse.ts';
import { gemini } from '../../gateway/agentPrograms.ts';
import { block, ephemeral, tombstone } from '../../gateway/scenarios.ts';
import { proveShipped } from '../../gateway/shipped.ts';
import { dataOf } from '../../sessionLogs.ts';

proveShipped(gemini, ['--source', 'GEMINI.md', '--session', 'mine']);

test('agents.md trap: Gemini CLI names no session, so the address tells two of them apart', async t => {
  const house = await AgentHouse.open(t, gemini, [{ text: 'one' }, { text: 'two' }], {
    files: { 'GEMINI.md': block('plan', 'step 4711') },
    sources: ['GEMINI.md'],
  });
  await house.run(gemini.ask('go'), 'first');
  await house.run(gemini.ask('go'), 'second');
  assert.deepEqual(
    house.logs().map(({ header }) => [header.agent, header.id]),
    [
      ['gemini-cli', 'first'],
      ['gemini-cli', 'second'],
    ],
  );
});

test('agents.md trap: the shell of Gemini CLI puts "Output: " before the first line, so a tag there is none', async t => {
  const shell = { toolCalls: [{ id: 'call_1', name: 'run_shell_command', arguments: { command: 'cat eph.txt' } }] };
  const house = await AgentHouse.open(t, gemini, [shell, gemini.shows('call_2', 'plain.txt'), { text: 'one' }], {
    files: { 'eph.txt': ephemeral, 'plain.txt': 'plain\n' },
  });
  const run = await house.ask('go');
  assert.equal(run.stdout.trim(), 'one', run.stderr);
  assert.match(house.shown()[2]?.results[0] ?? '', /Output: <!--ephemeral-->\nSECRET/);
  assert.deepEqual(dataOf(house.onlyLog(), 'ephemeral/admitted'), []);
});

test('Gemini CLI gives up after a stream that is cut, which has consumed nothing', async t => {
  const script = [gemini.shows('call_1', 'eph.txt'), { text: 'This never comes to its end.', cut: true }];
  const house = await AgentHouse.open(t, gemini, script, { files: { 'eph.txt': ephemeral } });
  await house.ask('go');
  const asked = house.model.requests.length;
  house.model.add({ text: 'again' }, { text: 'once more' });
  await house.goOn('again');
  await house.goOn('once more');
  const shown = house.shown();
  assert.equal(shown.length, asked + 2);
  assert.ok(shown[asked]?.results[0]?.includes(ephemeral), 'the original, in the first request that is answered');
  assert.ok(shown[asked + 1]?.results[0]?.startsWith(tombstone));
});
