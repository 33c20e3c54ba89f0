import assert from 'node:assert/strict';
import fs, { promises, readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import { LogWriteError } from '../../local/logErrors.ts';
import { readLog } from '../../local/logFile.ts';
import { createLog, logName, resumeLog } from '../../local/openLog.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { diskOf } from './diskKit.ts';
import { folderOf, HEADER, noteAt, notes, tornAt } from './kit.ts';

test('disk full: what was refused can be handed over again, and the file is then as if nothing had happened', async t => {
  const disk = diskOf(t);
  const events = notes(0, 9, 40);
  const lines = events.map(event => `${JSON.stringify(event)}\n`);
  const expected = JSON.stringify(HEADER) + '\n' + lines.join('');
  const total = Buffer.byteLength(lines.slice(3).join(''));
  for (let room = 0; room < total; room++) {
    disk.room = Number.POSITIVE_INFINITY;
    const writer = createLog({ folder: folderOf(t), name: logName('x'), header: HEADER, events: events.slice(0, 3) });
    disk.room = room;
    assert.throws(
      () => writer.append(events.slice(3, 9)),
      (error: unknown) =>
        error instanceof LogWriteError && error.code === 'ENOSPC' && error.written === writer.nextSeq - 3,
    );
    const read = await readLog(writer.path);
    assert.deepEqual(read.events, events.slice(0, writer.nextSeq), 'what is in the file is whole');
    assert.equal(read.torn?.bytes ?? 0, writer.tornBytes);
    assert.throws(() => writer.append(events.slice(3, 9)), LogWriteError, 'there is still no room');
    disk.room = Number.POSITIVE_INFINITY;
    writer.append(events.slice(3, 9));
    assert.equal(writer.nextSeq, 9);
    writer.close();
    assert.equal(readFileSync(writer.path, 'utf8'), expected);
  }
});

test('disk full: other events in place of those that were refused need a log/torn before them', async t => {
  const disk = diskOf(t);
  const writer = createLog({ folder: folderOf(t), name: logName('x'), header: HEADER });
  disk.room = 50;
  assert.throws(() => writer.append([noteAt(0)]), LogWriteError);
  disk.room = Number.POSITIVE_INFINITY;
  assert.throws(() => writer.append([noteAt(0, 10, 7)]), RangeError);
  writer.append([tornAt(0, writer.tornBytes), noteAt(1)]);
  writer.close();
  const { events, tornLines, fault } = await readLog(writer.path);
  assert.deepEqual([events, tornLines, fault], [[tornAt(0, 50), noteAt(1)], 1, undefined]);
});

test('disk full: inside the log/torn itself: until it is finished, the log ends with the last good event, by name', async t => {
  const disk = diskOf(t);
  const writer = createLog({ folder: folderOf(t), name: logName('x'), header: HEADER, events: notes(0, 2) });
  writer.close();
  fs.appendFileSync(writer.path, '{"type":');
  const resumed = await resumeLog(writer.path);
  for (const room of [1, 5, 1, 0]) {
    disk.room = room;
    assert.throws(() => resumed?.writer?.append([tornAt(2, 8), noteAt(3)]), LogWriteError);
    const { events, fault } = await readLog(writer.path);
    assert.deepEqual(events, notes(0, 2));
    assert.equal(fault === undefined || fault.index === 2, true);
  }
  disk.room = Number.POSITIVE_INFINITY;
  resumed?.writer?.append([tornAt(2, 8), noteAt(3)]);
  resumed?.writer?.close();
  const { events, fault } = await readLog(writer.path);
  assert.deepEqual([events, fault], [[...notes(0, 2), tornAt(2, 8), noteAt(3)], undefined]);
});

test('disk full: whatever the disk does, no announced event is lost and none is there twice', async t => {
  const disk = diskOf(t);
  const step = fc.record({ batch: fc.integer({ min: 1, max: 4 }), room: fc.nat(400), restart: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
      disk.room = Number.POSITIVE_INFINITY;
      let writer = createLog({ folder: folderOf(t), name: logName('x'), header: HEADER });
      const announced: LogEvent[] = [];
      let refused: readonly LogEvent[] = [];
      for (const { batch, room, restart } of steps) {
        if (restart) {
          disk.room = Number.POSITIVE_INFINITY;
          writer.close();
          const resumed = await resumeLog(writer.path);
          assert.ok(resumed?.writer, String(resumed?.log.fault));
          writer = resumed.writer;
          // What is in the file and was never announced counts from now on.
          announced.splice(0, Number.POSITIVE_INFINITY, ...resumed.log.events);
          refused = [];
        }
        const isTorn = restart && writer.tornBytes > 0;
        disk.room = isTorn ? room + 200 : room;
        const from = refused.at(-1)?.seq ?? writer.nextSeq - 1;
        const due = isTorn ? [tornAt(writer.nextSeq, writer.tornBytes)] : [];
        const events = [...refused, ...due, ...notes(from + 1 + due.length, from + 1 + due.length + batch)];
        try {
          writer.append(events);
          announced.push(...events);
          refused = [];
        } catch (error) {
          assert.ok(error instanceof LogWriteError, String(error));
          refused = events;
        }
        const read = await readLog(writer.path);
        assert.equal(read.fault?.message, undefined);
        assert.deepEqual(read.events.slice(0, announced.length), announced);
        assert.deepEqual(
          read.events.map(event => event.seq),
          read.events.map((_, index) => index),
        );
      }
      writer.close();
    }),
    { numRuns: 200 },
  );
});

/** As a network drive answers whose file is gone. */
function stale(): never {
  throw Object.assign(new Error('ESTALE: stale file handle'), { code: 'ESTALE', syscall: 'fstat' });
}

test('a file of which the system says nothing more is a named error, and no event counts as written', t => {
  const writer = createLog({ folder: folderOf(t), name: logName('x'), header: HEADER });
  t.mock.method(fs, 'fstatSync', stale);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
    writer.close();
  });
  assert.throws(() => writer.append([noteAt(0)]), { name: 'LogWriteError', code: 'ESTALE', written: 0 });
  assert.equal(writer.nextSeq, 0);
});

test('a log that cannot be read to be gone on with is a named error, and its lock is free again', async t => {
  const writer = createLog({ folder: folderOf(t), name: logName('x'), header: HEADER, events: notes(0, 2) });
  writer.close();
  const { open } = promises;
  t.mock.method(promises, 'open', async (...given: Parameters<typeof open>) => {
    const file = await open(...given);
    t.mock.method(file, 'read', async () => stale());
    return file;
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  await assert.rejects(resumeLog(writer.path), { name: 'LogWriteError', code: 'ESTALE' });
  t.mock.restoreAll();
  syncBuiltinESMExports();
  const resumed = await resumeLog(writer.path);
  resumed?.writer?.close();
  assert.equal(resumed?.log.events.length, 2);
});
