import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inRepository } from '../../../scripts/build/paths.ts';
import { AgentHouse } from '../gateway/agentHouse.ts';
import { claude } from '../gateway/agentPrograms.ts';
import { block, count } from '../gateway/scenarios.ts';
import { dataOf } from '../sessionLogs.ts';

test('Claude Code in a shell of one’s own, with the hook in its settings: the block is in request 1, and once discarded in none', async t => {
  const plan = block('plan', 'step 4711');
  const house = await AgentHouse.open(
    t,
    claude,
    ['one', 'two', 'three'].map(text => ({ text })),
    {
      files: { 'CLAUDE.md': `Be nice.\n\n${plan}Be brief.\n` },
    },
  );
  const command = `sleep 0.3; '${process.execPath}' '${inRepository('dist/cli.js')}' gateway hook claude-instructions`;
  const settings = (hooks: object): string =>
    house.home.writeForUser('.claude/settings.json', JSON.stringify({ hooks }));
  settings({ InstructionsLoaded: [{ hooks: [{ type: 'command', command, timeout: 10 }] }] });
  assert.equal((await house.ask('go')).stdout.trim(), 'one');
  assert.equal(house.shown()[0]?.users[0], plan);
  assert.equal(count('step 4711', house.model.requests[0]?.body ?? ''), 1, 'its own copy is cut');
  assert.equal(await house.discard('plan'), 'discarded');
  await house.restart();
  assert.equal((await house.goOn('more')).stdout.trim(), 'two');
  // what the session knows from its own log is enough
  settings({});
  await house.restart();
  assert.equal((await house.goOn('and more')).stdout.trim(), 'three');
  assert.equal(house.model.requests.length, 3);
  for (const { body } of house.model.requests.slice(1)) {
    assert.match(body, /Be nice\./);
    assert.match(body, /Be brief\./);
    assert.doesNotMatch(body, /step 4711|BLOCK_ID/);
  }
  const log = house.onlyLog();
  assert.equal(dataOf(log, 'source/loaded').length, 1);
  assert.deepEqual(dataOf(log, 'session/problem'), []);
});
