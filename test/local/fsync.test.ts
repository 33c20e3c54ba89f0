import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { type TestContext, test } from 'node:test';
import { LogWriteError } from '../../local/logErrors.ts';
import { readLog } from '../../local/logFile.ts';
import { createLog } from '../../local/openLog.ts';
import { MAX_LINE_LENGTH } from '../../protocol/log/logReader.ts';
import type { Json } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { folderOf, HEADER, noteAt } from './kit.ts';

/** How often the disk was waited for, and a switch that makes it fail. */
function diskOf(t: TestContext): { syncs: number; fails: boolean } {
  const disk = { syncs: 0, fails: false };
  const { fdatasyncSync } = fs;
  t.mock.method(fs, 'fdatasyncSync', (descriptor: number) => {
    disk.syncs++;
    if (disk.fails) {
      throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' });
    }
    fdatasyncSync(descriptor);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return disk;
}

function at(seq: number, type: string, data: Json): LogEvent {
  return { type, seq, time: seq, data };
}

test('fsync: the disk is waited for when a log begins, after the end of a turn and of a session, on request and at close, and never else', t => {
  const disk = diskOf(t);
  const waits = (work: () => void): number => {
    const before = disk.syncs;
    work();
    return disk.syncs - before;
  };
  let writer = createLog({ folder: folderOf(t), name: 'a', header: HEADER });
  assert.equal(disk.syncs, 1);
  assert.equal(
    waits(() => {
      writer.append([noteAt(0), noteAt(1, 100_000)]);
      writer.append([at(2, 'step/end', { turn: 1, step: 1 })]);
    }),
    0,
  );
  const turnEnd = { turn: 1, reason: 'completed' };
  assert.equal(
    waits(() => writer.append([at(3, 'turn/end', turnEnd), noteAt(4)])),
    1,
  );
  assert.equal(
    waits(() => writer.append([at(5, 'session/closed', {})])),
    1,
  );
  assert.equal(
    waits(() => writer.sync()),
    1,
  );
  assert.equal(
    waits(() => writer.close()),
    1,
  );
  assert.equal(
    waits(() => writer.close()),
    0,
  );
  writer = createLog({ folder: folderOf(t), name: 'a', header: HEADER });
  writer.close();
});

test('fsync: a disk that fails is a sentence, and says what is in the file', async t => {
  const disk = diskOf(t);
  const writer = createLog({ folder: folderOf(t), name: 'a', header: HEADER });
  disk.fails = true;
  const events = [noteAt(0), at(1, 'turn/end', { turn: 1, reason: 'completed' })];
  const refused = {
    name: 'LogWriteError',
    code: 'EIO',
    message: `The session log ${writer.path} could not be written: the disk reports an error. Check the disk, or set CONTEXT_LIFECYCLE_HOME to a folder on another disk.`,
  };
  assert.throws(() => writer.append(events), { ...refused, written: 2 });
  assert.equal((await readLog(writer.path)).events.length, 2);
  assert.throws(() => writer.append(events), { ...refused, written: 2 }, 'nothing is written twice');
  assert.throws(() => writer.sync(), refused);
  disk.fails = false;
  writer.append([...events, noteAt(2)]);
  assert.equal((await readLog(writer.path)).events.length, 3);
  disk.fails = true;
  assert.throws(() => writer.close(), refused);
  assert.throws(() => writer.append([noteAt(3)]), { code: 'closed' });
});

test('log: an event that no reader would take is refused before anything of its batch is written', async t => {
  const writer = createLog({ folder: folderOf(t), name: 'a', header: HEADER });
  const huge = at(1, 'session/problem', { code: 'x', sentence: 'x'.repeat(MAX_LINE_LENGTH) });
  assert.throws(
    () => writer.append([noteAt(0), huge]),
    (error: unknown) => error instanceof LogWriteError && error.code === 'too-long' && error.written === 0,
  );
  writer.append([noteAt(0)]);
  writer.close();
  assert.equal((await readLog(writer.path)).events.length, 1);
});
