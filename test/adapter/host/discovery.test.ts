import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { SessionHost } from '../../../adapter/host/sessionHost.ts';
import { listAnnouncements, writeAnnouncement } from '../../../local/announcements.ts';
import { bootId } from '../../../local/bootId.ts';
import { folders } from '../../../local/folders.ts';
import { announced, FakeSession, HEADER, hosted, privateFolder } from './hostKit.ts';
import { Recorder } from './watcherKit.ts';

const FOREIGN = 12_345;
const isRoot = process.getuid?.() === 0;

const NAME = 'aaaaaaaaaaaaaaaa';

/** What is said about the only file of a folder, which must not be found. */
function refusal(folder: string): string {
  const { found, refused } = listAnnouncements(folder);
  assert.deepEqual(found, []);
  assert.equal(refused.length, 1);
  return refused[0]?.sentence ?? '';
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

test('discovery: of a folder that is full of announcements only so many are read, and that is said', t => {
  const folder = privateFolder(t);
  for (let index = 0; index < 1_001; index++) {
    const name = index.toString(16).padStart(16, '0');
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(announced(name)), { mode: 0o600 });
  }
  const { found, refused } = listAnnouncements(folder);
  assert.equal(found.length, 1_000);
  assert.match(refused[0]?.sentence ?? '', /There are 1001 announcements/);
});

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
