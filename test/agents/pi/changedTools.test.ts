import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScriptedModel } from '../../scriptedModel/server.ts';
import { dataOf, logsIn } from '../sessionLogs.ts';
import { makePiHome } from './piHome.ts';
import { piVersions, startRpc } from './piProcess.ts';

/** Takes tools away while a turn runs. */
const changer = `export default function changer(pi) {
  pi.on('tool_call', async () => pi.setActiveTools(['bash', 'read']));
}
`;

for (const pi of piVersions) {
  test(`pi ${pi.version}: where an extension changes the tools of a turn, the receipt says whether the log knows it`, async context => {
    const model = await startScriptedModel([
      { toolCalls: [{ id: 'call_1', name: 'bash', arguments: { command: 'true' } }] },
      { text: 'one' },
      { text: 'two' },
    ]);
    const home = makePiHome(model.baseUrl);
    const session = startRpc(pi, home, ['-e', home.write('changer.mjs', changer)]);
    context.after(async () => {
      await session.close();
      await model.close();
      home.remove();
    });
    await session.prompt('first');
    await session.prompt('second');
    const [log] = logsIn(home.environment['CONTEXT_LIFECYCLE_HOME'] ?? '');
    assert.ok(log);
    assert.deepEqual(
      dataOf(log, 'request/receipt').map(({ result }) => result),
      // 0.73 tells extensions of its new system prompt and goes on with the old one until the next prompt.
      ['matched', pi.version.startsWith('0.') ? 'mismatch' : 'matched', 'matched'],
    );
  });
}
