import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { definition } from '../../../protocol/lifecycle/lifecycleKit.ts';
import { ANTHROPIC, type Dialect, RESPONSES } from './dialects.ts';
import { GatewayHouse } from './gatewayHouse.ts';
import { watch } from './watching.ts';

const RULES = `Before.\n\n${definition('gone', 'Gone one.\n\nGone two.')}Between.\n${definition('stays', 'Stays.')}After.\n`;

/** As Claude Code shows it: without comments that stand alone. */
const STRIPPED = 'Before.\n\nGone one.\n\nGone two.\nBetween.\nStays.\nAfter.\n';

const memory = (path: string, text: string): string =>
  `<system-reminder>\nContents of ${path} (project instructions, checked into the codebase):\n\n${text}</system-reminder>`;

/** One session that loads the file by a hook and discards a block of it; then the gateway is a new one, and nobody says anything to it. */
async function resumed(t: TestContext, dialect: Dialect, shown: (path: string) => string): Promise<GatewayHouse> {
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }, { text: 'c' }], {
    files: { 'CLAUDE.md': RULES },
    config: { announce: true },
    timers: { after: (milliseconds, work) => (milliseconds < 10_000 && setImmediate(work), () => {}) },
  });
  const path = join(house.project, 'CLAUDE.md');
  await house.hook({ session_id: 's-1', file_path: path, memory_type: 'Project', load_reason: 'session_start' });
  await house.ask(dialect, [{ user: shown(path) }, { user: 'go' }]);
  assert.ok(house.lastBody().includes('<!--BLOCK_ID:gone-->'));
  const watcher = await watch(house);
  assert.equal(await watcher.discard('gone'), 'discarded');
  watcher.close();
  await house.restart();
  return house;
}

test('a session that goes on reads again what it has loaded before: no hook is needed for the first request of a new gateway', async t => {
  const shown = (path: string): string => memory(path, STRIPPED);
  const house = await resumed(t, ANTHROPIC, shown);
  const path = join(house.project, 'CLAUDE.md');
  await house.ask(ANTHROPIC, [{ user: shown(path) }, { user: 'go' }, { says: 'a' }, { user: 'more' }]);
  assert.doesNotMatch(house.lastBody(), /Gone/);
  assert.equal(house.lastBody().split('Stays.').length, 2, 'in the blocks’ message alone');
  assert.match(house.lastBody(), /Before\.\\n\\nBetween\.\\nAfter\./);
  await house.gateway.close();
  await house.checkLog();
  assert.deepEqual(await house.logged('session/problem'), []);
  assert.equal((await house.logged('source/loaded')).length, 1);
});

test('one file stays one source when the hook of a later start names it by another path', async t => {
  const house = await resumed(t, ANTHROPIC, path => memory(path, STRIPPED));
  symlinkSync(house.project, join(house.project, 'link'));
  const path = join(house.project, 'link/CLAUDE.md');
  await house.hook({ session_id: 's-1', file_path: path, memory_type: 'Project', load_reason: 'session_start' });
  await house.ask(ANTHROPIC, [{ user: memory(path, STRIPPED) }, { user: 'go' }, { says: 'a' }, { user: 'more' }]);
  await house.gateway.close();
  assert.doesNotMatch(house.lastBody(), /Gone/);
  assert.equal((await house.logged('source/loaded')).length, 1);
  assert.deepEqual(await house.logged('block/conflict'), []);
});

for (const [what, shown] of [
  ['without its comments', (path: string) => memory(path, STRIPPED)],
  ['word for word', () => `Some instructions:\n${RULES}`],
] as const) {
  test(`a file that is gone when its session goes on: its blocks are known from the log, and cut where they are shown ${what}`, async t => {
    const house = await resumed(t, ANTHROPIC, shown);
    const path = join(house.project, 'CLAUDE.md');
    rmSync(path);
    await house.ask(ANTHROPIC, [{ user: shown(path) }, { user: 'go' }, { says: 'a' }, { user: 'more' }]);
    assert.doesNotMatch(house.lastBody(), /Gone/);
    assert.equal(house.bodies.length, 2);
    assert.equal(house.lastBody().split('Stays.').length, 2, house.lastBody());
    assert.match(house.lastBody(), /Between\.\\n/);
    await house.gateway.close();
    await house.checkLog();
    assert.deepEqual(
      (await house.logged('session/problem')).map(({ code, source }) => [code, source]),
      [['source-unreadable', path]],
    );
  });
}

test('a file that is another one when its session goes on: what the agent still shows of the first one is cut', async t => {
  const shown = (path: string): string => memory(path, STRIPPED);
  const house = await resumed(t, ANTHROPIC, shown);
  const path = house.write('CLAUDE.md', `Another.\n${definition('stays', 'Changed.')}`);
  await house.ask(ANTHROPIC, [{ user: shown(path) }, { user: 'go' }, { says: 'a' }, { user: 'more' }]);
  assert.doesNotMatch(house.lastBody(), /Gone|Changed/);
  assert.equal(house.lastBody().split('Stays.').length, 2, 'what is active stays as it was');
});

test('a source that a person named once, and not when its session goes on: it is read again', async t => {
  const sources = ['AGENTS.md'];
  const options = { files: { 'AGENTS.md': RULES }, sources };
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }], options);
  await house.ask(RESPONSES, [{ user: RULES }, { user: 'go' }]);
  sources.pop();
  await house.restart();
  await house.ask(RESPONSES, [{ user: RULES }, { user: 'go' }, { says: 'a' }, { user: 'more' }]);
  for (const body of house.bodies) {
    assert.equal(body.split('Stays.').length, 2, body);
  }
});
