import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listAnnouncements, writeAnnouncement } from '../../../local/announcements.ts';
import { removeStaleAnnouncements } from '../../../local/staleAnnouncements.ts';
import { announced, FakeSession, hosted, privateFolder } from './hostKit.ts';
import { Recorder } from './watcherKit.ts';

/** A pid that was ours and is dead. */
function deadPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

async function listening(t: TestContext, address: string): Promise<Server> {
  const server = createServer(socket => socket.destroy());
  await new Promise<void>(resolve => server.listen(address, resolve));
  t.after(() => server.close());
  return server;
}

test('discovery: an announcement is stale only when its socket refuses, it is of this boot, and its pid is dead', async t => {
  const folder = privateFolder(t);
  const dead = deadPid();
  const names = {
    stale: 'aaaaaaaaaaaaaaa1',
    alive: 'aaaaaaaaaaaaaaa2',
    otherBoot: 'aaaaaaaaaaaaaaa3',
    listening: 'aaaaaaaaaaaaaaa4',
  } as const;
  writeAnnouncement(folder, names.stale, announced(names.stale, { pid: dead }));
  writeAnnouncement(folder, names.alive, announced(names.alive));
  writeAnnouncement(folder, names.otherBoot, announced(names.otherBoot, { pid: dead, bootId: 'another' }));
  writeAnnouncement(folder, names.listening, announced(names.listening, { pid: dead }));
  await listening(t, join(folder, `${names.listening}.sock`));
  const removed = await removeStaleAnnouncements(folder);
  assert.deepEqual(
    removed.map(({ file }) => basename(file, '.json')),
    [names.stale],
  );
  assert.deepEqual(
    readdirSync(folder).sort(),
    [`${names.alive}.json`, `${names.otherBoot}.json`, `${names.listening}.json`, `${names.listening}.sock`].sort(),
  );
});

test('discovery: what a killed agent left is removed, socket and all, by the next session that starts', async t => {
  const folder = privateFolder(t);
  const program = `
    import { SessionHost } from ${JSON.stringify(new URL('../../../adapter/host/sessionHost.ts', import.meta.url).href)};
    import { FakeSession } from ${JSON.stringify(new URL('./hostKit.ts', import.meta.url).href)};
    await SessionHost.start({ ...new FakeSession(), folder: ${JSON.stringify(folder)} });
    console.log('ready');
    setInterval(() => {}, 60_000);
  `;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise(resolve => child.stdout.once('data', resolve));
  const [left] = listAnnouncements(folder).found;
  assert.ok(left);
  const watcher = new Recorder(t, left);
  await watcher.connected();
  const exited = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
  await watcher.until('a loss', () => watcher.states.some(({ kind }) => kind === 'lost'));
  assert.deepEqual(readdirSync(folder).sort(), [basename(left.file), basename(left.address)].sort());

  const { host } = await hosted(t, new FakeSession(), { folder });
  assert.deepEqual(
    listAnnouncements(folder).found.map(({ file }) => file),
    [host.file],
  );
  assert.equal(readdirSync(folder).length, 2);
  // The watcher of the killed one goes on with the new one by itself.
  await watcher.connected(2);
});

test('discovery: a program that only hosts a session ends by itself', t => {
  const folder = privateFolder(t);
  const program = `
    import { SessionHost } from ${JSON.stringify(new URL('../../../adapter/host/sessionHost.ts', import.meta.url).href)};
    import { FakeSession } from ${JSON.stringify(new URL('./hostKit.ts', import.meta.url).href)};
    const host = await SessionHost.start({ ...new FakeSession(), folder: ${JSON.stringify(folder)} });
    if (process.argv[1] === 'close') {
      await host.close();
      console.log('closed');
    }
  `;
  for (const [how, output] of [
    ['close', 'closed\n'],
    ['leave', ''],
  ] as const) {
    const ended = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', program, how], {
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.deepEqual([ended.status, ended.stdout, ended.stderr], [0, output, '']);
  }
});
