import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScriptedModel } from '../../scriptedModel/server.ts';
import { sentBody } from '../sentBody.ts';
import { makePiHome } from './piHome.ts';
import { piVersions, startRpc } from './piProcess.ts';

const plan = '<!--BLOCK_ID:plan-->\nstep 1\n<!--/BLOCK_ID:plan-->\n';

/** Starts a turn that no prompt of a person starts. */
const starter = `export default function starter(pi) {
  pi.registerCommand('start', {
    description: 'Starts a turn',
    handler: async () => pi.sendMessage({ customType: 'starter', content: 'begin', display: true }, { triggerTurn: true }),
  });
}
`;

for (const pi of piVersions) {
  test(`pi ${pi.version}: a turn that another extension starts first shows no discarded block`, async context => {
    const model = await startScriptedModel(Array.from({ length: 3 }, () => ({ text: 'answer' })));
    const home = makePiHome(model.baseUrl);
    context.after(async () => {
      await model.close();
      home.remove();
    });
    home.write('AGENTS.md', `Be nice.\n${plan}`);
    const file = home.write('starter.mjs', starter);
    const first = startRpc(pi, home);
    await first.prompt('first');
    await first.prompt('/context-discard plan');
    await first.close();

    const second = startRpc(pi, home, ['--continue', '-e', file]);
    context.after(() => second.close());
    await second.run('/start');
    await second.prompt('second');
    for (const body of model.requests.slice(1).map(sentBody)) {
      assert.doesNotMatch(JSON.stringify(body), /step 1/);
    }
    assert.match(sentBody(model.requests.at(-1) ?? assert.fail('nothing was sent')).system, /Be nice\./);
  });
}
