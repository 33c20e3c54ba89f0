import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SessionHost } from '../../../adapter/host/sessionHost.ts';
import { listAnnouncements, writeAnnouncement } from '../../../local/announcements.ts';
import { bootId } from '../../../local/bootId.ts';
import { folders } from '../../../local/folders.ts';
import { removeStaleAnnouncements } from '../../../local/staleAnnouncements.ts';
import type { Announcement } from '../../../protocol/wire/messages.ts';
import { FakeSession, HEADER, hosted, privateFolder } from './hostKit.ts';
import { Recorder } from './watcherKit.ts';

const FOREIGN = 12_345;
const isRoot = process.getuid?.() === 0;

function announced(name: string, more: Partial<Announcement> = {}): Announcement {
  return {
    wireVersion: 1,
    session: 's',
    agent: 'test',
    pid: process.pid,
    bootId: bootId(),
    socket: `${name}.sock`,
    token: 'd'.repeat(64),
    started: 1,
    ...more,
  };
}

const NAME = 'aaaaaaaaaaaaaaaa';

/** What is said about the only file of a folder, which must not be found. */
function refusal(folder: string): string {
  const { found, refused } = listAnnouncements(folder);
  assert.deepEqual(found, []);
  assert.equal(refused.length, 1);
  return refused[0]?.sentence ?? '';
}

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

test('discovery: announcements are listed newest first, and hold what is needed to connect', async t => {
  const folder = privateFolder(t);
  const one = await hosted(t, new FakeSession(), { folder, now: () => 100 });
  const two = await hosted(t, new FakeSession({ ...HEADER, id: 'other' }), { folder, now: () => 200 });
  const { found, refused } = listAnnouncements(folder);
  assert.deepEqual(refused, []);
  assert.deepEqual(
    found.map(({ session }) => session),
    ['other', HEADER.id],
  );
  assert.deepEqual(
    found.map(({ file }) => file),
    [two.host.file, one.host.file],
  );
  const [newest] = found;
  assert.ok(newest);
  const { agent, cwd, pid, token } = newest;
  assert.deepEqual(
    { agent, cwd, pid, boot: newest.bootId },
    { agent: 'test', cwd: '/work', pid: process.pid, boot: bootId() },
  );
  assert.match(token, /^[0-9a-f]{64}$/);
  assert.notEqual(token, one.announcement.token);
});

test('discovery: a folder that is not there has no announcements', t => {
  assert.deepEqual(listAnnouncements(join(privateFolder(t), 'missing')), { found: [], refused: [] });
});

test('discovery: an announcement is written whole or not at all, and only its owner can read it', t => {
  const folder = privateFolder(t);
  const file = writeAnnouncement(folder, NAME, announced(NAME));
  assert.deepEqual(readdirSync(folder), [`${NAME}.json`]);
  assert.equal(JSON.parse(readFileSync(file, 'utf8')).token, 'd'.repeat(64));
  // What another program has put in the way is neither followed nor written over.
  const target = join(folder, 'target');
  symlinkSync(target, join(folder, 'bbbbbbbbbbbbbbbb.new'));
  assert.throws(() => writeAnnouncement(folder, 'bbbbbbbbbbbbbbbb', announced('b')), { code: 'EEXIST' });
  assert.ok(!readdirSync(folder).includes('target'));
});

test('discovery: a folder that others can read is refused by name, by watchers and by the host', async t => {
  const folder = privateFolder(t);
  writeAnnouncement(folder, NAME, announced(NAME));
  chmodSync(folder, 0o755);
  const sentence = refusal(folder);
  assert.ok(sentence.includes(folder) && /mode 755/.test(sentence), sentence);
  await assert.rejects(SessionHost.start({ ...new FakeSession(), folder }), { name: 'UnsafeFolderError' });
});

test('discovery: a folder that is a link is refused by name, by watchers and by the host', async t => {
  const real = privateFolder(t);
  writeAnnouncement(real, NAME, announced(NAME));
  const link = join(privateFolder(t), 'link');
  symlinkSync(real, link);
  const sentence = refusal(link);
  assert.ok(sentence.includes(link) && /symbolic link/.test(sentence), sentence);
  await assert.rejects(SessionHost.start({ ...new FakeSession(), folder: link }), { name: 'UnsafeFolderError' });
});

test('discovery: a folder of another user is refused by name, by watchers and by the host', async t => {
  const folder = isRoot ? privateFolder(t) : '/usr';
  if (isRoot) {
    chownSync(folder, FOREIGN, FOREIGN);
  }
  const sentence = refusal(folder);
  assert.ok(sentence.includes(folder) && /belongs to another user/.test(sentence), sentence);
  await assert.rejects(SessionHost.start({ ...new FakeSession(), folder }), { name: 'UnsafeFolderError' });
});

test('discovery: a folder that cannot be made is an error of the start, and nothing is left', async t => {
  const file = join(privateFolder(t), 'file');
  writeFileSync(file, '');
  await assert.rejects(SessionHost.start({ ...new FakeSession(), folder: join(file, 'run') }));
});

for (const [what, spoil, says] of [
  ['that others can read', file => chmodSync(file, 0o644), /mode 644/],
  [
    'that is a link',
    file => {
      renameSync(file, `${file}.real`);
      symlinkSync(`${file}.real`, file);
    },
    /symbolic link/,
  ],
  ['that is a folder', file => (rmSync(file), mkdirSync(file, { mode: 0o700 })), /no ordinary file/],
  ['that is a pipe', file => (rmSync(file), spawnSync('mkfifo', ['-m', '600', file])), /no ordinary file/],
  ['that is too large', file => writeFileSync(file, ' '.repeat(20_000)), /larger than 16384 bytes/],
  ['that is no JSON', file => writeFileSync(file, '{'), /no JSON/],
  ['that is empty', file => writeFileSync(file, ''), /no JSON/],
  ['that is a list', file => writeFileSync(file, '[]'), /no object/],
  ['without a token', file => rewrite(file, { token: undefined }), /token/],
  ['with a pid of 0', file => rewrite(file, { pid: 0 }), /pid/],
  ['of a version that looks otherwise', file => writeFileSync(file, '{"wireVersion":9}'), /version is 9.*version 1/],
  ['whose socket lies elsewhere', file => rewrite(file, { socket: '/tmp/other.sock' }), /socket that is not its own/],
  [
    'whose socket leads out of the folder',
    file => rewrite(file, { socket: `../${NAME}.sock` }),
    /socket that is not its own/,
  ],
  ['whose socket is a link', file => symlinkSync('/tmp/other.sock', socketOf(file)), /is a link/],
  ['whose socket is a file', file => writeFileSync(socketOf(file), ''), /is no socket/],
] as const satisfies readonly (readonly [string, (file: string) => unknown, RegExp])[]) {
  test(`discovery: an announcement ${what} is refused by name`, t => {
    const folder = privateFolder(t);
    const file = writeAnnouncement(folder, NAME, announced(NAME));
    spoil(file);
    const { found, refused } = listAnnouncements(folder);
    assert.deepEqual(found, []);
    assert.deepEqual(
      refused.map(one => basename(one.file)),
      [`${NAME}.json`],
    );
    assert.match(refused[0]?.sentence ?? '', says);
    assert.ok(refused[0]?.sentence.includes(file));
  });
}

function rewrite(file: string, members: Readonly<Record<string, unknown>>): void {
  writeFileSync(file, JSON.stringify({ ...announced(NAME), ...members }));
}

function socketOf(file: string): string {
  return file.replace('.json', '.sock');
}

test('discovery: what is foreign does not hide what is good', async t => {
  const folder = privateFolder(t);
  const { host } = await hosted(t, new FakeSession(), { folder });
  writeFileSync(join(folder, `${NAME}.json`), 'garbage', { mode: 0o600 });
  writeFileSync(join(folder, 'notes.txt'), '');
  const { found, refused } = listAnnouncements(folder);
  assert.deepEqual(
    found.map(({ file }) => file),
    [host.file],
  );
  assert.equal(refused.length, 1);
});

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

test('discovery: without XDG_RUNTIME_DIR sessions announce themselves in the stated fallback, and are found there', async t => {
  const home = privateFolder(t);
  const { run } = folders({ env: {}, platform: 'linux', home, uid: process.getuid?.() ?? 0 });
  assert.equal(run, join(home, '.local', 'state', 'context-lifecycle', 'run'));
  const { host, announcement } = await hosted(t, new FakeSession(), { folder: run });
  assert.ok(host.file.startsWith(run));
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
});

test('discovery: a host whose folder has too long a path for a socket says so by name, and leaves nothing', async t => {
  const folder = join(privateFolder(t), 'x'.repeat(120));
  await assert.rejects(SessionHost.start({ ...new FakeSession(), folder }), {
    name: 'SocketPathError',
    message: /longer than the \d+ bytes/,
  });
  assert.deepEqual(readdirSync(folder), []);
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
