import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentHouse } from '../gateway/agentHouse.ts';
import { codex, executes } from '../gateway/agentPrograms.ts';
import { assertLogged, block, count, ephemeral, tombstone } from '../gateway/scenarios.ts';
import { proveShipped } from '../gateway/shipped.ts';
import { dataOf } from '../sessionLogs.ts';

const plan = block('plan', 'step 4711');

proveShipped(codex, ['--source', 'AGENTS.md']);

test('agents.md trap: Codex asks for a WebSocket first, gets 426, and falls back at once', async t => {
  const house = await AgentHouse.open(t, codex, [{ text: 'one' }]);
  assert.equal((await house.ask('go')).stdout.trim(), 'one');
  assert.deepEqual(
    house.before.exchanges.map(({ method, headers, status }) => [method, headers.upgrade, status]),
    [
      ['GET', 'websocket', 426],
      ['POST', undefined, 200],
    ],
  );
  assert.deepEqual([house.model.requests.length, house.model.others.length], [1, 0]);
});

function gate() {
  let opens = async (): Promise<void> => {};
  const opened = new Promise<void>(resolve => {
    opens = async () => resolve();
  });
  return { waits: () => opened, opens };
}

test('Codex: a sub-agent is a session of its own, which knows its parent', async t => {
  const spawned = { task_name: 'looker', message: 'Look at it.', fork_turns: 'none' };
  const shows = (id: string) => codex.shows(id, 'eph.txt');
  // Both run at the same time: each pair of answers comes when both have asked.
  const [first, second] = [gate(), gate()];
  const house = await AgentHouse.open(
    t,
    codex,
    [
      { toolCalls: [{ id: 'call_1', name: 'spawn_agent', namespace: 'collaboration', arguments: spawned }] },
      { ...shows('call_2'), released: first.waits },
      { ...shows('call_3'), released: first.opens },
      { text: 'done', released: second.waits },
      { text: 'done', released: second.opens },
    ],
    { files: { 'AGENTS.md': plan, 'eph.txt': ephemeral }, sources: ['AGENTS.md'] },
  );
  const run = await house.ask('go');
  assert.equal(run.stdout.trim(), 'done', run.stderr);
  const [parent, child, ...more] = house.logs();
  assert.ok(parent && child && more.length === 0, `${house.logs().length} logs`);
  assert.equal(child.header.agent, 'codex');
  assert.equal(child.header.parentSession, parent.header.id);
  for (const log of [parent, child]) {
    const own = house.model.requests.filter(({ headers }) => headers['thread-id'] === log.header.id);
    assert.equal(own.length, log === parent ? 3 : 2);
    await assertLogged(house, log, own);
    for (const { body } of own) {
      assert.equal(count('step 4711', body), 1);
    }
  }
});

test('Codex: a notice of a program is one more result of its call, and a result as JSON has no lines', async t => {
  const script = [
    executes('call_1', `notify('half way'); text((await tools.exec_command({ cmd: 'cat eph.txt' })).output)`),
    executes('call_2', `text(await tools.exec_command({ cmd: 'cat eph.txt' }))`),
    executes('call_3', `text('three')`),
    { text: 'one' },
  ];
  const house = await AgentHouse.open(t, codex, script, { files: { 'eph.txt': ephemeral } });
  const run = await house.ask('go');
  assert.equal(run.stdout.trim(), 'one', run.stderr);
  const results = house.shown().at(-1)?.results ?? [];
  assert.equal(results.length, 4);
  const places = ['half way', tombstone, 'SECRET', 'three'].map(text => results.findIndex(each => each.includes(text)));
  assert.deepEqual(
    places.toSorted((one, other) => one - other),
    [0, 1, 2, 3],
    'each is one of them',
  );
  assert.equal(dataOf(house.onlyLog(), 'ephemeral/consumed').length, 1);
  await assertLogged(house, house.onlyLog());
});

test('Codex: a block of a skill is cut where the agent shows the skill, and gone when it is discarded', async t => {
  const skill = '.agents/skills/deploy/SKILL.md';
  const text = block('deploy', 'the body of deploy is 4711');
  const house = await AgentHouse.open(t, codex, [{ text: 'one' }, { text: 'two' }], {
    files: { [skill]: `---\nname: deploy\ndescription: how to deploy\n---\nBe careful.\n${text}` },
    sources: [skill],
  });
  assert.equal((await house.ask('$deploy go')).stdout.trim(), 'one');
  assert.equal(await house.discard('deploy'), 'discarded');
  assert.equal((await house.goOn('more')).stdout.trim(), 'two');
  const [first, second] = house.shown();
  assert.equal(first?.users[0], text);
  for (const shown of [first, second]) {
    const copy = shown?.users.find(user => user.startsWith('<skill>'));
    assert.match(copy ?? '', /Be careful\./);
    assert.doesNotMatch(copy ?? '', /deploy is 4711|BLOCK_ID/);
  }
  assert.doesNotMatch(house.model.requests[1]?.body ?? '', /deploy is 4711|BLOCK_ID/);
});
