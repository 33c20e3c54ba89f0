import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import type { Answer } from '../../scriptedModel/answer.ts';
import { dataOf } from '../sessionLogs.ts';
import { AgentHouse } from './agentHouse.ts';
import type { AgentProgram } from './agentPrograms.ts';
import { assertLogged, block, ephemeral, tombstone } from './scenarios.ts';

type Failure = readonly [name: string, answer: (agent: AgentProgram) => Answer];

const failures: readonly Failure[] = [
  ['an error of the server', () => ({ status: 500 })],
  ['a stream that is cut', () => ({ text: 'This never comes to its end.', cut: true })],
  [
    'a stream that is cut behind a whole text',
    agent => ({ text: 'I begin.', ...agent.shows('call_lost', 'long/'.repeat(500)), cut: true }),
  ],
];

/** Only a completed answer consumes: the agent is given the first `survives` failures, and tries again. */
export function proveRetries(agent: AgentProgram, survives = failures.length): void {
  for (const [name, failure] of failures.slice(0, survives)) {
    test(`agents.md trap: ${agent.name} sends its request again after ${name}, and only the completed answer consumes`, async t => {
      const script = [
        agent.shows('call_1', 'eph.txt'),
        failure(agent),
        agent.shows('call_2', 'plain.txt'),
        { text: 'done' },
      ];
      const files = { 'eph.txt': ephemeral, 'plain.txt': 'plain\n' };
      const house = await AgentHouse.open(t, agent, script, { files });
      const run = await house.ask('go');
      assert.equal(run.exitCode, 0, run.stderr);
      assert.equal(run.stdout.trim().split('\n').at(-1), 'done');
      assert.deepEqual(
        house.shown().map(({ results }) => results[0]?.includes(ephemeral) ?? 'none'),
        ['none', true, true, false],
      );
      assert.ok(house.shown()[3]?.results[0]?.startsWith(tombstone));
      const log = house.onlyLog();
      assert.deepEqual(
        dataOf(log, 'step/end').map(step => step['outcome']),
        ['completed', 'failed', 'completed', 'completed'],
      );
      assert.equal(dataOf(log, 'ephemeral/consumed').length, 1);
      assert.doesNotMatch(agent.transcripts(house.home), /EPHEMERAL:Output/);
      await assertLogged(house, log);
    });
  }
}

/** Where a request cannot be built none leaves, and the person reads why. */
export function proveRefusal(agent: AgentProgram, { status }: { readonly status: number }): void {
  test(`${agent.name}: no request leaves when a named file is gone; the agent shows why, and does not ask again`, async t => {
    const house = await AgentHouse.open(t, agent, [{ text: 'must not be asked' }], {
      files: { 'rules.md': block('plan', 'step 1') },
      sources: ['rules.md'],
    });
    rmSync(`${house.home.project}/rules.md`);
    const run = await house.ask('go');
    assert.deepEqual([house.model.requests.length, house.model.others.length], [0, 0]);
    assert.match(`${run.stdout}\n${run.stderr}`, /Context Lifecycle: .*rules\.md/);
    assert.notEqual(run.exitCode, 0);
    const asked = house.before.exchanges.filter(({ method }) => method === 'POST');
    assert.deepEqual(
      asked.map(exchange => exchange.status),
      [status],
    );
    assert.match(asked[0]?.answer().toString() ?? '', /Context Lifecycle: .*rules\.md/);
  });

  test(`${agent.name}: with "pass" such a request goes on as it came, and that is said`, async t => {
    const notices: string[] = [];
    const house = await AgentHouse.open(t, agent, [{ text: 'All done.' }], {
      files: { 'rules.md': block('plan', 'step 1') },
      sources: ['rules.md'],
      gateway: { onFailure: 'pass', notice: sentence => notices.push(sentence) },
    });
    rmSync(`${house.home.project}/rules.md`);
    const run = await house.ask('go');
    assert.equal(run.stdout.trim(), 'All done.', run.stderr);
    const [asked] = house.before.exchanges.filter(({ method }) => method === 'POST');
    assert.ok(asked && house.model.requests[0]?.bytes.equals(asked.sent));
    assert.match(notices.join('\n'), /no declaration counts in it/);
    assert.ok(asked.answerHeaders.some(name => name.toLowerCase() === 'x-context-lifecycle'));
  });
}
