import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LogInUseError, LogWriteError } from '../../local/logErrors.ts';
import { readLog } from '../../local/logFile.ts';
import { createLog, logName, logPath, resumeLog } from '../../local/openLog.ts';
import { UnsafeFolderError } from '../../local/unsafeFolderError.ts';
import { folderOf, HEADER, noteAt, notes } from './kit.ts';

const NAME = logName('test', 's');

test('log: what is appended is read back, also by another session that goes on with it', async t => {
  const folder = folderOf(t);
  const writer = createLog({ folder, name: NAME, header: HEADER });
  assert.equal(writer.path, logPath(folder, NAME));
  writer.append(notes(0, 3));
  writer.append([]);
  writer.append([noteAt(3, 100_000)]);
  assert.equal(writer.nextSeq, 4);
  writer.close();
  writer.close();
  const resumed = await resumeLog(writer.path);
  assert.deepEqual(resumed?.log.events, [...notes(0, 3), noteAt(3, 100_000)]);
  resumed?.writer?.append([noteAt(4)]);
  resumed?.writer?.close();
  const log = await readLog(writer.path);
  assert.deepEqual(log.header, HEADER);
  assert.equal(log.events.length, 5);
  assert.equal(log.size, statSync(writer.path).size);
  assert.equal(log.fault, undefined);
  assert.equal(log.torn, undefined);
});

test('log: lines that are longer than what is read at once come back whole, with characters cut at every place', async t => {
  const folder = folderOf(t);
  const sizes = [3_000_000, 10, 1_048_576, 2_000_001, 1_048_575, 10, 5_000_000, 1_048_577];
  const events = sizes.map((size, seq) => noteAt(seq, size));
  createLog({ folder, name: NAME, header: HEADER, events }).close();
  const log = await readLog(logPath(folder, NAME));
  assert.equal(log.fault, undefined);
  assert.deepEqual(log.events, events);
});

test('log: file and folder are for this user only, and nothing else is left in the folder', t => {
  const folder = join(folderOf(t), 'sessions');
  const writer = createLog({ folder, name: NAME, header: HEADER });
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const file of readdirSync(folder)) {
    assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file);
  }
  writer.close();
  assert.deepEqual(readdirSync(folder), [`${NAME}.jsonl`]);
});

test('log: a host’s id never becomes a part of a path; the same id of the same agent finds the same file', () => {
  for (const id of ['../../etc/passwd', 'a/b', '\0', 'x'.repeat(10_000), '']) {
    assert.match(logName('pi', id), /^[0-9a-f]{32}$/);
    assert.equal(logName('pi', id), logName('pi', id));
  }
  assert.notEqual(logName('pi', 'a'), logName('ai-sdk', 'a'));
  assert.notEqual(logName('pi'), logName('pi'));
});

test('log: one that is there is never begun anew', t => {
  const folder = folderOf(t);
  createLog({ folder, name: NAME, header: HEADER }).close();
  const before = readFileSync(logPath(folder, NAME));
  assert.throws(() => createLog({ folder, name: NAME, header: HEADER }), {
    name: 'LogWriteError',
    code: 'exists',
    message: `The session log ${logPath(folder, NAME)} could not be written: it is there already. Go on with it instead.`,
  });
  assert.deepEqual(readFileSync(logPath(folder, NAME)), before);
});

test('log: a fork appears with all the events that it copies', async t => {
  const folder = folderOf(t);
  const writer = createLog({ folder, name: NAME, header: HEADER, events: notes(0, 1_000) });
  assert.equal(writer.nextSeq, 1_000);
  assert.equal((await readLog(writer.path)).events.length, 1_000);
  writer.append([noteAt(1_000)]);
  writer.close();
  assert.equal((await readLog(writer.path)).events.length, 1_001);
});

test('log: there is nothing to go on with where no log is', async t => {
  assert.equal(await resumeLog(logPath(folderOf(t), NAME)), undefined);
  assert.equal(await resumeLog(logPath(join(folderOf(t), 'nowhere'), NAME)), undefined);
});

test('log: a wrong seq and a forgotten log/torn are mistakes of the caller, and nothing is written', async t => {
  const folder = folderOf(t);
  const writer = createLog({ folder, name: NAME, header: HEADER });
  assert.throws(() => writer.append([noteAt(1)]), RangeError);
  assert.throws(() => writer.append([noteAt(0), noteAt(2)]), RangeError);
  writer.append([noteAt(0)]);
  writer.close();
  appendFileSync(writer.path, '{"type":"x');
  const resumed = await resumeLog(writer.path);
  assert.throws(() => resumed?.writer?.append([noteAt(1)]), RangeError);
  resumed?.writer?.close();
  assert.equal((await readLog(writer.path)).events.length, 1);
});

test('log: a log that others can read, a link, and a folder that others can enter are refused, and nothing is written', async t => {
  const folder = folderOf(t);
  const writer = createLog({ folder, name: NAME, header: HEADER });
  writer.close();
  chmodSync(writer.path, 0o644);
  await assert.rejects(resumeLog(writer.path), UnsafeFolderError);
  const link = logPath(folder, 'link');
  symlinkSync(writer.path, link);
  await assert.rejects(resumeLog(link), /is a symbolic link, and it isn't followed/);
  chmodSync(writer.path, 0o600);
  chmodSync(folder, 0o755);
  await assert.rejects(resumeLog(writer.path), UnsafeFolderError);
  assert.throws(() => createLog({ folder, name: logName('a'), header: HEADER }), UnsafeFolderError);
  chmodSync(folder, 0o700);
  assert.deepEqual(readdirSync(folder).sort(), [`${NAME}.jsonl`, 'link.jsonl'].sort());
});

test('log: reading names what is no file, and waits for nothing', async t => {
  const folder = folderOf(t);
  await assert.rejects(readLog(folder), /no ordinary file|EISDIR/);
  await assert.rejects(readLog(join(folder, 'nowhere')), { code: 'ENOENT' });
  await assert.rejects(readLog('/dev/zero'), /is no ordinary file, so it is no session log/);
  const writer = createLog({ folder, name: NAME, header: HEADER });
  writer.close();
  await assert.rejects(readLog(writer.path, AbortSignal.abort()), { name: 'AbortError' });
});

test('log: when its folder is removed under a running writer, the next append says so, and nothing pretends to be written', async t => {
  const folder = join(folderOf(t), 'sessions');
  const writer = createLog({ folder, name: NAME, header: HEADER });
  writer.append([noteAt(0)]);
  rmSync(folder, { recursive: true });
  for (let again = 0; again < 2; again++) {
    assert.throws(() => writer.append([noteAt(1)]), {
      name: 'LogWriteError',
      code: 'removed',
      written: 0,
      message: `The session log ${writer.path} could not be written: the file was removed while the session was writing it. Start the session again: it gets a new log.`,
    });
  }
  writer.close();
  assert.throws(() => writer.append([noteAt(1)]), { code: 'closed' });
  const next = createLog({ folder, name: NAME, header: HEADER });
  next.close();
});

test('log: when its folder is moved under a running writer, the events are in the moved file', async t => {
  const home = folderOf(t);
  const folder = join(home, 'sessions');
  const writer = createLog({ folder, name: NAME, header: HEADER });
  renameSync(folder, join(home, 'moved'));
  writer.append([noteAt(0)]);
  assert.equal((await readLog(logPath(join(home, 'moved'), NAME))).events.length, 1);
  writer.close();
});

test('log: a second writer that got past the lock is noticed before anything is written', t => {
  const folder = folderOf(t);
  const writer = createLog({ folder, name: NAME, header: HEADER });
  writer.append([noteAt(0)]);
  appendFileSync(writer.path, `${JSON.stringify(noteAt(1))}\n`);
  const before = readFileSync(writer.path);
  assert.throws(() => writer.append([noteAt(1)]), new LogInUseError(writer.path, 'another process has written to it'));
  assert.throws(() => writer.append([noteAt(1)]), LogInUseError);
  assert.deepEqual(readFileSync(writer.path), before);
  writer.close();
});

test('log: a draft that a crash left does not hinder a new log', t => {
  const folder = folderOf(t);
  writeFileSync(`${logPath(folder, NAME)}.new`, '{"vers', { mode: 0o600 });
  createLog({ folder, name: NAME, header: HEADER }).close();
  assert.deepEqual(readdirSync(folder), [`${NAME}.jsonl`]);
});

test('log: a folder that cannot be made is a sentence', t => {
  const home = folderOf(t);
  writeFileSync(join(home, 'file'), '');
  assert.throws(
    () => createLog({ folder: join(home, 'file', 'sessions'), name: NAME, header: HEADER }),
    (error: unknown) =>
      error instanceof LogWriteError && /could not be written: the system says "(EEXIST|ENOTDIR)/.test(error.message),
  );
  mkdirSync(join(home, 'sessions', `${NAME}.jsonl`), { recursive: true, mode: 0o700 });
  assert.throws(() => createLog({ folder: join(home, 'sessions'), name: NAME, header: HEADER }), { code: 'exists' });
});
