import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentHouse } from '../gateway/agentHouse.ts';
import { claude, runs } from '../gateway/agentPrograms.ts';
import { assertLogged, block, count, ephemeral, tombstone } from '../gateway/scenarios.ts';
import { dataOf } from '../sessionLogs.ts';

const plan = block('plan', 'step 4711');

test('Claude Code: a sub-agent is a session of its own, which knows its parent', async t => {
  const asked = {
    description: 'Look',
    prompt: 'Look at it.',
    subagent_type: 'general-purpose',
    run_in_background: false,
  };
  const script = [
    { toolCalls: [{ id: 'call_1', name: 'Agent', arguments: asked }] },
    runs('call_2', 'cat eph.txt'),
    runs('call_3', 'echo two'),
    { text: 'The sub-agent is done.' },
    { text: 'All done.' },
  ];
  const house = await AgentHouse.open(t, claude, script, {
    files: { 'CLAUDE.md': plan, 'eph.txt': ephemeral },
    sources: ['CLAUDE.md'],
  });
  const run = await house.ask('go');
  assert.equal(run.stdout.trim(), 'All done.', run.stderr);
  const shown = house.shown();
  assert.deepEqual(
    shown.map(({ results }) => results.length),
    [0, 0, 1, 2, 1],
    'the second to the fourth request are of the sub-agent',
  );
  assert.ok(shown[2]?.results[0]?.startsWith(ephemeral));
  assert.ok(shown[3]?.results[0]?.startsWith(tombstone));
  assert.match(shown[4]?.results[0] ?? '', /The sub-agent is done\./);
  for (const { users } of shown) {
    assert.equal(users[0], plan);
  }
  const [parent, child, ...more] = house.logs();
  assert.ok(parent && child && more.length === 0);
  assert.equal(child.header.agent, 'claude-code');
  assert.ok(child.header.id.startsWith(`${parent.header.id}/`), child.header.id);
  assert.equal(child.header.parentSession, parent.header.id);
  assert.equal(dataOf(parent, 'ephemeral/consumed').length, 0);
  assert.equal(dataOf(child, 'ephemeral/consumed').length, 1);
  const { requests } = house.model;
  await assertLogged(
    house,
    parent,
    requests.filter((_, place) => [0, 4].includes(place)),
  );
  await assertLogged(house, child, requests.slice(1, 4));
  assert.match(claude.transcripts(house.home), /SECRET/);
  assert.doesNotMatch(claude.transcripts(house.home), /EPHEMERAL:Output/);
});

test('agents.md trap: cache marks of Claude Code stay where they are, each of them', async t => {
  const script = [runs('call_1', 'cat eph.txt'), runs('call_2', 'echo two'), { text: 'one' }, { text: 'two' }];
  const house = await AgentHouse.open(t, claude, script, {
    files: { 'CLAUDE.md': plan, 'eph.txt': ephemeral },
    sources: ['CLAUDE.md'],
  });
  await house.ask('go');
  await house.goOn('more');
  assert.equal(house.model.requests.length, 4);
  for (const [place, { body }] of house.model.requests.entries()) {
    const sent = house.before.exchanges[place]?.sent.toString() ?? '';
    assert.ok(count('"cache_control"', sent) > 1, 'the agent marks');
    assert.equal(count('"cache_control"', body), count('"cache_control"', sent));
    assert.notEqual(body, sent);
  }
});
