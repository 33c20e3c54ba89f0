import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { readLog } from '../../local/logFile.ts';
import { createLog, logName, logPath, resumeLog } from '../../local/openLog.ts';
import { CorruptLogError } from '../../protocol/request/corruptLogError.ts';
import { folderOf, HEADER, noteAt, notes, tornAt } from './kit.ts';

const NAME = logName('test', 's');

// Each is what may stand after the last whole line when a writer dies.
const torn = {
  'a piece of JSON': Buffer.from('{"type":"session/problem","seq":2,'),
  'half a character': Buffer.from(JSON.stringify(noteAt(2))).subarray(0, -12),
  'an event that lacks only its line end': Buffer.from(JSON.stringify(noteAt(2))),
  'zeros, as some disks leave them': Buffer.alloc(4_096),
};
for (const [what, tail] of Object.entries(torn)) {
  test(`log: a torn last line (${what}) is dropped and reported, stays in the file, and the session goes on after it`, async t => {
    const folder = folderOf(t);
    const writer = createLog({ folder, name: NAME, header: HEADER, events: notes(0, 2) });
    writer.close();
    appendFileSync(writer.path, tail);
    const before = readFileSync(writer.path);
    const read = await readLog(writer.path);
    assert.deepEqual([read.events, read.torn, read.fault], [notes(0, 2), { bytes: tail.length }, undefined]);
    const resumed = await resumeLog(writer.path);
    assert.equal(resumed?.writer?.tornBytes, tail.length);
    assert.equal(resumed.writer.nextSeq, 2);
    resumed.writer.append([tornAt(2, tail.length), noteAt(3)]);
    assert.equal(resumed.writer.tornBytes, 0);
    resumed.writer.append([noteAt(4)]);
    resumed.writer.close();
    const after = await readLog(writer.path);
    assert.deepEqual(after.events, [...notes(0, 2), tornAt(2, tail.length), noteAt(3), noteAt(4)]);
    assert.deepEqual([after.torn, after.tornLines, after.fault], [undefined, 1, undefined]);
    assert.deepEqual(readFileSync(writer.path).subarray(0, before.length), before, 'nothing was rewritten');
  });
}

test('log: garbage in the middle: the events before it are read, nothing is written behind it, and it can be copied into a fork', async t => {
  const folder = folderOf(t);
  const writer = createLog({ folder, name: NAME, header: HEADER, events: notes(0, 2) });
  writer.close();
  for (const garbage of [
    'garbage',
    JSON.stringify(noteAt(7)),
    '{"type":"who-knows","seq":2,"time":1,"data":{}}',
    '[]',
  ]) {
    const path = logPath(folder, logName('copy'));
    writeFileSync(path, `${readFileSync(writer.path, 'utf8')}${garbage}\n${JSON.stringify(noteAt(3))}\n`, {
      mode: 0o600,
    });
    const before = readFileSync(path);
    const resumed = await resumeLog(path);
    assert.ok(resumed?.log.fault instanceof CorruptLogError);
    assert.equal(resumed.writer, undefined);
    assert.equal(resumed.log.fault.index, 2);
    assert.match(
      resumed.log.fault.message,
      /^Event 2 of the log.* cannot be used: .*The events before it can still be read\.$/,
    );
    assert.deepEqual(resumed.log.events, notes(0, 2));
    const fork = createLog({ folder, name: logName('fork'), header: HEADER, events: resumed.log.events });
    fork.close();
    assert.deepEqual((await readLog(fork.path)).events, notes(0, 2));
    assert.deepEqual(readFileSync(path), before);
    assert.equal((await resumeLog(path))?.writer, undefined, 'its lock was given back');
  }
});

test('log: bytes that are no UTF-8 in the middle are garbage, not a guess', async t => {
  const folder = folderOf(t);
  const writer = createLog({ folder, name: NAME, header: HEADER, events: notes(0, 2) });
  writer.close();
  const bytes = readFileSync(writer.path);
  bytes[bytes.indexOf('ü', bytes.indexOf('"seq":0'))] = 0xff;
  writeFileSync(writer.path, bytes);
  const { events, fault } = await readLog(writer.path);
  assert.deepEqual(events, []);
  assert.match(String(fault), /Event 0 of the log cannot be used: it is no JSON/);
});

test('log: a log of another version is refused by its number and left alone', async t => {
  const folder = folderOf(t);
  const path = logPath(folder, NAME);
  writeFileSync(path, '{"version":7,"whatever":1}\n{"kind":"new"}\n', { mode: 0o600 });
  const resumed = await resumeLog(path);
  assert.match(String(resumed?.log.fault), /the log is of version 7, and this program reads version 1 only/);
  assert.deepEqual([resumed?.writer, resumed?.log.events], [undefined, []]);
  assert.equal(readFileSync(path, 'utf8'), '{"version":7,"whatever":1}\n{"kind":"new"}\n');
});

test('log: an empty file and a first line without an end are no logs', async t => {
  const path = logPath(folderOf(t), NAME);
  for (const [text, reason] of [
    ['', 'it is not there'],
    ['{"version":1', 'it has no end'],
    ['\n', 'it is no JSON'],
  ] as const) {
    writeFileSync(path, text, { mode: 0o600 });
    assert.match(
      String((await readLog(path)).fault),
      new RegExp(`The first line of this log cannot be used: ${reason}`),
    );
    assert.equal((await resumeLog(path))?.writer, undefined);
  }
});

test('log: a clock that goes back changes no order', async t => {
  const folder = folderOf(t);
  const events = [noteAt(0, 2, 1_000), noteAt(1, 2, 500), noteAt(2, 2, -5)];
  const writer = createLog({ folder, name: NAME, header: HEADER, events });
  writer.close();
  assert.deepEqual((await readLog(writer.path)).events, events);
});
