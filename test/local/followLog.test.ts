import assert from 'node:assert/strict';
import { appendFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { followLog } from '../../local/followLog.ts';
import { createLog, resumeLog } from '../../local/openLog.ts';
import { CorruptLogError } from '../../protocol/request/corruptLogError.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { inTime } from '../server/deadline.ts';
import { folderOf, HEADER, noteAt, notes, tornAt } from './kit.ts';

async function next(events: AsyncGenerator<LogEvent>): Promise<LogEvent | undefined> {
  const result = await inTime(events.next(), 'the next event');
  return result.done === true ? undefined : result.value;
}

test('follow: first the events that are there, then each new one, until it is ended', async t => {
  const writer = createLog({ folder: folderOf(t), name: 'a', header: HEADER, events: notes(0, 2) });
  const end = new AbortController();
  const events = followLog(writer.path, end.signal);
  assert.deepEqual([await next(events), await next(events)], notes(0, 2));
  for (let seq = 2; seq < 6; seq++) {
    const coming = next(events);
    writer.append([noteAt(seq, 2_000_000)]);
    assert.deepEqual(await coming, noteAt(seq, 2_000_000));
  }
  const coming = next(events);
  end.abort();
  assert.equal(await coming, undefined);
  writer.close();
});

test('follow: from a place on', async t => {
  const writer = createLog({ folder: folderOf(t), name: 'a', header: HEADER, events: notes(0, 9) });
  const events = followLog(writer.path, new AbortController().signal, 7);
  assert.deepEqual([await next(events), await next(events)], notes(7, 9));
  await events.return(undefined);
  writer.close();
});

test('follow: a line that is not whole yet is waited for, and a torn one passed over', async t => {
  const writer = createLog({ folder: folderOf(t), name: 'a', header: HEADER });
  writer.close();
  const events = followLog(writer.path, new AbortController().signal);
  const whole = next(events);
  appendFileSync(writer.path, JSON.stringify(noteAt(0)).slice(0, 20));
  appendFileSync(writer.path, `${JSON.stringify(noteAt(0)).slice(20)}\n`);
  assert.deepEqual(await whole, noteAt(0));
  const afterTorn = next(events);
  appendFileSync(writer.path, '{"type":"half');
  const resumed = await resumeLog(writer.path);
  resumed?.writer?.append([tornAt(1, 13), noteAt(2)]);
  assert.deepEqual([await afterTorn, await next(events)], [tornAt(1, 13), noteAt(2)]);
  await events.return(undefined);
  resumed?.writer?.close();
});

test('follow: it ends by name at garbage, after the events before it', async t => {
  const writer = createLog({ folder: folderOf(t), name: 'a', header: HEADER, events: notes(0, 2) });
  writer.close();
  appendFileSync(writer.path, `garbage\n${JSON.stringify(noteAt(2))}\n`);
  const events = followLog(writer.path, new AbortController().signal);
  assert.deepEqual([await next(events), await next(events)], notes(0, 2));
  await assert.rejects(next(events), CorruptLogError);
});

test('follow: it ends when the log is removed', async t => {
  const writer = createLog({ folder: folderOf(t), name: 'a', header: HEADER, events: notes(0, 1) });
  writer.close();
  const events = followLog(writer.path, new AbortController().signal);
  assert.deepEqual(await next(events), noteAt(0));
  const coming = next(events);
  rmSync(writer.path);
  assert.equal(await coming, undefined);
});
