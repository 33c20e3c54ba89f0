import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataOf } from '../sessionLogs.ts';
import { AgentHouse } from './agentHouse.ts';
import type { AgentProgram } from './agentPrograms.ts';
import { assertLogged, block, count, ephemeral, tombstone } from './scenarios.ts';

/** The command line that people have: `context-lifecycle gateway run`, with a new gateway for each start of the agent. */
export function proveShipped(agent: AgentProgram, flags: readonly string[]): void {
  test(`${agent.name}: started by the shipped command line, twice, it is one session that goes on`, async t => {
    const plan = block('plan', 'step 4711');
    const script = [
      agent.shows('call_1', 'eph.txt'),
      agent.shows('call_2', 'plain.txt'),
      { text: 'one' },
      { text: 'two' },
    ];
    const house = await AgentHouse.open(t, agent, script, {
      files: { [agent.contextFile]: `Be nice.\n\n${plan}`, 'eph.txt': ephemeral, 'plain.txt': 'plain\n' },
    });
    const first = await house.runShipped(flags, agent.ask('go'));
    assert.equal(first.exitCode, 0, first.stderr);
    assert.equal(first.stdout.trim(), 'one', first.stderr);
    const second = await house.runShipped(flags, agent.goOn('more'));
    assert.equal(second.stdout.trim(), 'two', second.stderr);
    const shown = house.shown();
    assert.equal(shown.length, 4);
    for (const [place, { users }] of shown.entries()) {
      assert.equal(users[0], plan);
      assert.equal(count('step 4711', house.model.requests[place]?.body ?? ''), 1);
    }
    assert.ok(shown[1]?.results[0]?.includes(ephemeral));
    assert.ok(shown[2]?.results[0]?.startsWith(tombstone));
    assert.ok(shown[3]?.results[0]?.startsWith(tombstone));
    assert.doesNotMatch(agent.transcripts(house.home), /EPHEMERAL:Output/);
    const log = house.onlyLog();
    assert.deepEqual(
      dataOf(log, 'session/opened').map(({ reason }) => reason),
      ['new', 'resumed'],
    );
    assert.deepEqual(dataOf(log, 'session/problem'), []);
    await assertLogged(house, log);
  });
}
