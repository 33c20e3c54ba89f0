import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentTable, testedAgents, versionsOf } from '../../scripts/agents/testedAgents.ts';
import { filesUnder } from '../../scripts/build/paths.ts';

test('every test of a real agent belongs to one that is run', () => {
  const files = filesUnder('test/agents').filter(file => file.endsWith('.test.ts') && !file.includes('node_modules/'));
  const folders = testedAgents.map(({ tests }) => `${tests}/`);
  const lost = files.filter(file => !folders.some(folder => `test/agents/${file}`.startsWith(folder)));
  assert.deepEqual(lost, []);
});

test('every agent is installed in an exact version', () => {
  for (const agent of testedAgents) {
    assert.equal(versionsOf(agent).length, agent.packages.length, agent.name);
    for (const version of versionsOf(agent)) assert.match(version, /^\d+\.\d+\.\d+$/);
  }
});

test('the table has a line for each agent that was run: versions, tests, seconds', () => {
  const finished = [
    { name: 'build', result: { passed: 1, failed: 0, output: '' }, seconds: 3 },
    { name: 'codex', result: { passed: 4, failed: 1, output: '' }, seconds: 12.34 },
  ];
  const [head, ...rows] = agentTable(testedAgents, finished).split('\n');
  assert.match(head ?? '', /^agent +version +tests +seconds$/);
  assert.equal(rows.length, 1);
  assert.match(rows[0] ?? '', /^codex +\d+\.\d+\.\d+ +5 +12\.3$/);
});
