import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startScriptedModel } from '../../scriptedModel/server.ts';
import { AgentHouse } from '../gateway/agentHouse.ts';
import { claude } from '../gateway/agentPrograms.ts';
import { block, count } from '../gateway/scenarios.ts';
import { openTerminal } from '../gateway/terminal.ts';

test('agents.md trap: the title that Claude Code asks for in a terminal is left alone', async t => {
  const house = await AgentHouse.open(t, claude, [], {
    files: { 'CLAUDE.md': block('plan', 'step 4711') },
    sources: ['CLAUDE.md'],
    asksOthers: true,
  });
  // It gives titles, too.
  const model = await startScriptedModel([{ text: 'The answer.' }, { text: 'Another answer.' }], { title: 'A title' });
  t.after(() => model.close());
  house.behind.goesTo(model.origin);
  const projects = { [house.home.project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } };
  const answered = { hasCompletedOnboarding: true, theme: 'dark', customApiKeyResponses: { approved: ['sk-dummy'] } };
  house.home.writeForUser('.claude/.claude.json', JSON.stringify({ ...answered, projects }));
  const { env, ...command } = house.command(['--model', 'claude-sonnet-4-5']);
  // Without it titles are asked for.
  const { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: _none, ...asUsual } = env;
  const terminal = openTerminal({
    ...command,
    env: { ...asUsual, DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1' },
  });
  try {
    await terminal.shows('? for shortcuts');
    await terminal.type('Please explain it', 'Please explain it');
    await terminal.type('\r', 'The answer.');
    await terminal.type('And the rest of it', 'And the rest of it');
    await terminal.type('\r', 'Another answer.');
    await terminal.type('/exit', '/exit');
    await terminal.leave('\r');
  } finally {
    await terminal.close();
  }
  const titles = house.before.exchanges.filter(({ method, sent }) => method === 'POST' && !sent.includes('"tools":[{'));
  assert.ok(titles.length > 0);
  assert.deepEqual(
    model.others.filter(({ method }) => method === 'POST').map(({ body }) => body),
    titles.map(({ sent }) => sent.toString()),
  );
  const log = house.onlyLog();
  assert.equal(model.requests.length, 2);
  assert.equal(log.events.filter(({ type }) => type === 'request/sealed').length, 2);
  assert.ok(model.requests.every(({ body }) => count('step 4711', body) === 1));
});
