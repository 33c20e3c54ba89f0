import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, constants, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkPrivateFolder, ensurePrivateFolder, openPrivateFile } from '../../local/privateFolder.ts';
import { UnsafeFolderError } from '../../local/unsafeFolderError.ts';
import { folderOf } from './kit.ts';

const isRoot = process.getuid?.() === 0;

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof UnsafeFolderError, String(error));
    return error.message;
  }
  return assert.fail('it was not refused');
}

test('private folder: it is made with its parents, for this user only, whatever the umask', t => {
  const folder = join(folderOf(t), 'a', 'b', 'c');
  const before = process.umask(0);
  try {
    ensurePrivateFolder(folder);
  } finally {
    process.umask(before);
  }
  ensurePrivateFolder(folder);
  for (const path of [folder, join(folder, '..'), join(folder, '..', '..')]) {
    assert.equal(statSync(path).mode & 0o777, 0o700);
  }
});

test('private folder: one that the group or others can enter is refused by name, and left as it is', t => {
  const folder = join(folderOf(t), 'open');
  mkdirSync(folder);
  for (const mode of [0o755, 0o750, 0o701, 0o777]) {
    chmodSync(folder, mode);
    const text = mode.toString(8);
    assert.equal(
      refusal(() => ensurePrivateFolder(folder)),
      `Other users have access to the folder ${folder} (mode ${text}). Run "chmod 700 ${folder}".`,
    );
    assert.equal(statSync(folder).mode & 0o777, mode);
  }
});

test('private folder: one of another user is refused by name', t => {
  const folder = isRoot ? join(folderOf(t), 'theirs') : '/usr';
  if (isRoot) {
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, 1234, 1234);
  }
  const { uid } = statSync(folder);
  assert.equal(
    refusal(() => checkPrivateFolder(folder)),
    `The folder ${folder} belongs to another user (number ${uid}; you are ${process.getuid?.()}). Move it away, or set CONTEXT_LIFECYCLE_HOME to a folder of your own.`,
  );
});

test('private folder: a symbolic link is refused by name, also to a private folder', t => {
  const home = folderOf(t);
  const target = join(home, 'target');
  mkdirSync(target, { mode: 0o700 });
  const link = join(home, 'link');
  symlinkSync(target, link);
  assert.match(
    refusal(() => ensurePrivateFolder(link)),
    /^The folder .*link is a symbolic link, .* Remove the link, or set CONTEXT_LIFECYCLE_HOME/,
  );
  const dangling = join(home, 'dangling');
  symlinkSync(join(home, 'nowhere'), dangling);
  assert.match(
    refusal(() => ensurePrivateFolder(dangling)),
    /dangling is a symbolic link/,
  );
});

test('private folder: a file in its place is refused by name', t => {
  const file = join(folderOf(t), 'file');
  writeFileSync(file, 'mine');
  assert.equal(
    refusal(() => ensurePrivateFolder(file)),
    `${file} is no folder. Move it away: a folder is made in its place.`,
  );
});

test('private folder: one that any user could replace is refused by name; in a sticky folder such as /tmp nobody can', t => {
  const parent = join(folderOf(t), 'parent');
  mkdirSync(parent);
  const folder = join(parent, 'folder');
  chmodSync(parent, 0o777);
  assert.equal(
    refusal(() => ensurePrivateFolder(folder)),
    `Any user may change what is in ${parent}, and so replace the folder ${folder}. Run "chmod o-w ${parent}".`,
  );
  chmodSync(parent, 0o1777);
  ensurePrivateFolder(folder);
});

test('private folder: a folder that is not there is the system’s error', t => {
  assert.throws(() => checkPrivateFolder(join(folderOf(t), 'nowhere')), { code: 'ENOENT' });
});

const READ = constants.O_RDONLY;

test('private file: it is made for this user only', t => {
  const file = join(folderOf(t), 'file');
  openPrivateFile(file, constants.O_WRONLY | constants.O_CREAT);
  assert.equal(lstatSync(file).mode & 0o777, 0o600);
  openPrivateFile(file, READ);
});

test('private file: wrong mode, wrong owner, links, pipes, sockets and folders are refused by name, and not waited for', async t => {
  const home = folderOf(t);
  const file = join(home, 'file');
  writeFileSync(file, '', { mode: 0o644 });
  assert.equal(
    refusal(() => openPrivateFile(file, READ)),
    `Other users have access to the file ${file} (mode 644). Run "chmod 600 ${file}".`,
  );
  const theirs = isRoot ? join(home, 'theirs') : '/etc/passwd';
  if (isRoot) {
    writeFileSync(theirs, '', { mode: 0o600 });
    chownSync(theirs, 1234, 1234);
  }
  assert.match(
    refusal(() => openPrivateFile(theirs, READ)),
    /belongs to another user/,
  );
  const link = join(home, 'link');
  symlinkSync(file, link);
  assert.equal(
    refusal(() => openPrivateFile(link, READ)),
    `${link} is a symbolic link, and it isn't followed. Remove the link.`,
  );
  const pipe = join(home, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  const socket = join(home, 'socket');
  const server = createServer();
  await new Promise<void>(resolve => server.listen(socket, resolve));
  t.after(() => server.close());
  for (const [other, flags] of [
    [pipe, READ],
    [pipe, constants.O_WRONLY],
    [home, READ],
    [home, constants.O_WRONLY],
    [socket, READ],
  ] as const) {
    assert.equal(
      refusal(() => openPrivateFile(other, flags)),
      `${other} is no ordinary file. Move it away.`,
    );
  }
});

test('private folder: a place where the system makes none is its error, and nobody is kept waiting', t => {
  const folder = folderOf(t);
  symlinkSync(join(folder, 'gone'), join(folder, 'link'));
  const places = [join(folder, 'link', 'a', 'b')];
  if (process.platform === 'linux') {
    places.push('/proc/context-lifecycle/a/b');
  }
  for (const place of places) {
    assert.throws(() => ensurePrivateFolder(place), { code: 'ENOENT' });
  }
});
