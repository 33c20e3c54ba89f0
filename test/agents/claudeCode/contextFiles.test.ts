import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentHouse } from '../gateway/agentHouse.ts';
import { claude, runs } from '../gateway/agentPrograms.ts';
import { block, count } from '../gateway/scenarios.ts';
import { proveShipped } from '../gateway/shipped.ts';
import { dataOf } from '../sessionLogs.ts';

// its own hook names the files
proveShipped(claude, []);

/** A text that stands nowhere else. */
const body = (id: string): string => `the body of ${id} is 4711`;
const of = (id: string): string => block(id, body(id));

test('agents.md trap: Claude Code takes the comments out of CLAUDE.md, imports and rules and leaves the body; all are cut', async t => {
  const house = await AgentHouse.open(t, claude, [{ text: 'one' }], {
    files: {
      'CLAUDE.md': `# Rules\n\n${of('plan')}\nKept one. <!-- inline -->\n\n\`\`\`md\n<!-- fenced -->\n\`\`\`\n\n@more.md\n`,
      'more.md': `Kept two.\n${of('imported')}`,
      '.claude/rules/style.md': `${of('rule')}Kept three.\n`,
    },
  });
  house.home.writeForUser('.claude/CLAUDE.md', `Kept four.\n${of('mine')}`);
  const run = await house.runShipped([], claude.ask('go'));
  assert.equal(run.stdout.trim(), 'one', run.stderr);
  const [request] = house.model.requests;
  const [shown] = house.shown();
  assert.ok(request && shown);
  const [first = ''] = shown.users;
  const ids = ['mine', 'plan', 'imported', 'rule'];
  assert.ok(first.startsWith(of('mine')), 'the files of the person come first');
  assert.deepEqual([...first].sort(), [...ids.map(of).join('')].sort(), first);
  for (const id of ids) {
    assert.equal(count(body(id), request.body), 1, id);
    assert.equal(count(`BLOCK_ID:${id}-->`, request.body), 2, id);
  }
  for (const kept of ['Kept one. <!-- inline -->', '<!-- fenced -->', 'Kept two.', 'Kept three.', 'Kept four.']) {
    assert.equal(count(kept, request.body), 1, kept);
  }
  const log = house.onlyLog();
  assert.deepEqual(dataOf(log, 'session/problem'), []);
  assert.match(String(dataOf(log, 'session/opened')[0]?.['transcript']), /\.claude\/projects\/.*\.jsonl$/);
});

test('Claude Code: a block of a SKILL.md is cut where the agent shows the skill, and gone when it is discarded', async t => {
  const skill = '.claude/skills/deploy/SKILL.md';
  const script = [
    { toolCalls: [{ id: 'call_1', name: 'Skill', arguments: { skill: 'deploy' } }] },
    { text: 'one' },
    { text: 'two' },
  ];
  const house = await AgentHouse.open(t, claude, script, {
    files: { [skill]: `---\nname: deploy\ndescription: how to deploy\n---\nBe careful.\n${of('deploy')}` },
    sources: [skill],
  });
  assert.equal((await house.ask('go')).stdout.trim(), 'one');
  assert.equal(await house.discard('deploy'), 'discarded');
  assert.equal((await house.goOn('more')).stdout.trim(), 'two');
  const [first, second, third] = house.shown();
  assert.equal(first?.users[0], of('deploy'), 'it is active before the skill is read');
  for (const shown of [second, third]) {
    const text = shown?.users.find(user => user.startsWith('Base directory for this skill: '));
    assert.match(text ?? '', /Be careful\./);
    assert.doesNotMatch(text ?? '', /deploy is 4711|BLOCK_ID/);
  }
  assert.equal(second?.users[0], of('deploy'));
  assert.doesNotMatch(house.model.requests[2]?.body ?? '', /deploy is 4711|BLOCK_ID/);
  assert.match(house.before.exchanges[2]?.sent.toString() ?? '', /deploy is 4711/, 'the agent itself still has it');
});

test('agents.md trap: Claude Code puts a number before each line of a file that it reads, so no tag counts there', async t => {
  const script = [
    { toolCalls: [{ id: 'call_1', name: 'Read', arguments: { file_path: 'eph.txt' } }] },
    runs('call_2', 'echo two'),
    { text: 'one' },
  ];
  const house = await AgentHouse.open(t, claude, script, { files: { 'eph.txt': '<!--ephemeral-->\nSECRET\n' } });
  assert.equal((await house.ask('go')).stdout.trim(), 'one');
  const [, , last] = house.shown();
  assert.match(last?.results[0] ?? '', /^1\t<!--ephemeral-->\n2\tSECRET/);
  assert.deepEqual(dataOf(house.onlyLog(), 'ephemeral/admitted'), []);
});

test('Claude Code: a block of a file for its system prompt is cut there, and gone when it is discarded', async t => {
  const house = await AgentHouse.open(t, claude, [{ text: 'one' }, { text: 'two' }], {
    files: { 'system.md': `Be careful.\n\n${of('system')}` },
    sources: ['system.md'],
  });
  const appended = ['--append-system-prompt-file', 'system.md'];
  assert.equal((await house.run([...appended, ...claude.ask('go')])).stdout.trim(), 'one');
  assert.equal(await house.discard('system'), 'discarded');
  assert.equal((await house.run([...appended, ...claude.goOn('more')])).stdout.trim(), 'two');
  const [first, second] = house.model.requests;
  assert.ok(first && second);
  assert.equal(house.shown()[0]?.users[0], of('system'));
  for (const request of [first, second]) {
    const { system } = JSON.parse(request.body) as { readonly system: unknown };
    assert.match(JSON.stringify(system), /Be careful\./);
    assert.doesNotMatch(JSON.stringify(system), /system is 4711|BLOCK_ID/);
  }
  assert.doesNotMatch(second.body, /system is 4711|BLOCK_ID/);
});

test('agents.md trap: what a SessionStart hook adds arrives with its comments, and defines no block', async t => {
  const house = await AgentHouse.open(t, claude, [{ text: 'one' }]);
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext: `\n${of('hooked')}` };
  const output = house.home.writeForUser('hook.json', JSON.stringify({ hookSpecificOutput }));
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `cat '${output}'` }] }] };
  house.home.writeForUser('.claude/settings.json', JSON.stringify({ hooks }));
  assert.equal((await house.ask('go')).stdout.trim(), 'one');
  const shown = house.shown()[0]?.users.find(text => text.includes(body('hooked')));
  assert.match(shown ?? '', /^<!--BLOCK_ID:hooked-->$/m);
  assert.deepEqual(dataOf(house.onlyLog(), 'block/activated'), []);
});
