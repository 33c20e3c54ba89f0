import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LogWriteError, writeFaultOf } from '../../local/logErrors.ts';
import { readLog } from '../../local/logFile.ts';
import { createLog, logName, logPath, resumeLog } from '../../local/openLog.ts';
import { folderOf, HEADER, noteAt, run, tornAt } from './kit.ts';

const NAME = logName('test', 's');
const PROGRAM = new URL('logProgram.ts', import.meta.url);
const isRoot = process.getuid?.() === 0;

test('disk full: a real refusal in the middle of a line keeps every event before it, and the session goes on after a log/torn', async t => {
  const folder = folderOf(t);
  const path = logPath(folder, NAME);
  // In POSIX shells the limit counts blocks of 512 bytes. Node then gets an error in place of a signal.
  const { lines, errors } = await run(PROGRAM, ['fill', folder, NAME], { shell: 'ulimit -f 100' });
  assert.equal(errors, '');
  const { size } = statSync(path);
  assert.equal(size, 51_200, 'up to the limit');
  const announced = lines.filter(line => line.startsWith('wrote ')).map(line => Number(line.slice(6)));
  const refused = lines.filter(line => line.startsWith('EFBIG'));
  const [next] = lines.filter(line => line.startsWith('next '));
  const { events, torn, fault } = await readLog(path);
  assert.equal(fault, undefined);
  assert.ok(announced.length > 3);
  assert.ok((announced.at(-1) ?? Number.POSITIVE_INFINITY) < events.length, 'no announced event is missing');
  const extra = events.length - 1 - (announced.at(-1) ?? 0);
  assert.equal(
    refused[0],
    `EFBIG written ${extra}: LogWriteError: The session log ${path} could not be written: the file has reached the largest size that is allowed. Raise the limit, or start a new session.`,
  );
  assert.equal(refused.length, 2, 'it was tried again, and nothing could be written');
  assert.ok(torn);
  assert.equal(next, `next ${events.length} torn ${torn.bytes}`);
  const before = readFileSync(path);
  const resumed = await resumeLog(path);
  const seq = resumed?.writer?.nextSeq ?? 0;
  resumed?.writer?.append([tornAt(seq, torn.bytes), noteAt(seq + 1)]);
  resumed?.writer?.close();
  const after = await readLog(path);
  assert.deepEqual(after.events, [...events, tornAt(seq, torn.bytes), noteAt(seq + 1)]);
  assert.deepEqual(readFileSync(path).subarray(0, size), before);
});

test('disk full: the same writer goes on when there is room again', async t => {
  const folder = folderOf(t);
  const path = logPath(folder, NAME);
  const shell = 'ulimit -S -f 100';
  const { lines, errors } = await run(PROGRAM, ['fill', folder, NAME], { shell });
  assert.equal(errors, '');
  // A second process with a higher limit: what it finds is what the first would have found.
  const higher = await run(PROGRAM, ['fill', folder, NAME], { shell: 'ulimit -S -f 200' });
  assert.equal(higher.errors, '');
  assert.ok(lines.length > 0 && higher.lines.filter(line => line.startsWith('wrote')).length > 3);
  const { events, tornLines, fault, torn } = await readLog(path);
  assert.deepEqual([tornLines, fault], [1, undefined]);
  assert.ok(torn);
  assert.equal(events.filter(event => event.type === 'log/torn').length, 1);
});

test('disk full: a log that cannot even begin is not there', async t => {
  const folder = folderOf(t);
  const { lines } = await run(PROGRAM, ['fill', folder, NAME], { shell: 'ulimit -f 0' });
  assert.match(
    lines.join('\n'),
    /^EFBIG written 0: LogWriteError: The session log .* could not be written: the file has reached/,
  );
  assert.equal(await resumeLog(logPath(folder, NAME)), undefined);
});

test('read-only folder: a sentence says what to do, and nothing is written', async t => {
  const home = folderOf(t);
  const folder = join(home, 'sessions');
  mkdirSync(folder, { mode: 0o700 });
  const writer = createLog({ folder, name: NAME, header: HEADER, events: [noteAt(0)] });
  writer.close();
  chmodSync(folder, 0o500);
  // Root may write anywhere, so the session is another user's.
  const uid = isRoot ? 65_534 : undefined;
  if (uid !== undefined) {
    for (const path of [home, folder, writer.path]) {
      chownSync(path, uid, uid);
    }
  }
  const before = readFileSync(writer.path);
  try {
    for (const name of [NAME, logName('test', 'other')]) {
      const { lines } = await run(PROGRAM, ['fill', folder, name], uid === undefined ? {} : { uid });
      assert.deepEqual(lines, [
        `EACCES written 0: LogWriteError: The session log ${logPath(folder, name)} could not be written: you may not write there. Give yourself the right to, or set CONTEXT_LIFECYCLE_HOME to a folder of your own.`,
      ]);
    }
  } finally {
    chmodSync(folder, 0o700);
  }
  assert.deepEqual(readFileSync(writer.path), before);
});

test('disk full and read-only: each error of the system has a sentence that says what to do', () => {
  const sentence = (code: string) =>
    new LogWriteError('/l', writeFaultOf(Object.assign(new Error(`${code}: no`), { code }))).message;
  assert.deepEqual(['ENOSPC', 'EDQUOT', 'EROFS', 'ENOENT', 'EIO', 'EXXX'].map(sentence), [
    'The session log /l could not be written: the disk is full. Free some space on it, or set CONTEXT_LIFECYCLE_HOME to a folder on another disk.',
    'The session log /l could not be written: your share of the disk is used up. Free some space on it, or set CONTEXT_LIFECYCLE_HOME to a folder on another disk.',
    'The session log /l could not be written: the disk is read-only. Make it writable, or set CONTEXT_LIFECYCLE_HOME to a folder on another disk.',
    'The session log /l could not be written: its folder is gone. Start the session again.',
    'The session log /l could not be written: the disk reports an error. Check the disk, or set CONTEXT_LIFECYCLE_HOME to a folder on another disk.',
    'The session log /l could not be written: the system says "EXXX: no". Mend that, and start the session again.',
  ]);
  assert.throws(() => writeFaultOf(new TypeError('a mistake')), TypeError);
});
