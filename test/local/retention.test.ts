import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSummary, writeSummary } from '../../local/lifecycleSummary.ts';
import { LogInUseError } from '../../local/logErrors.ts';
import { createLog, logPath, resumeLog } from '../../local/openLog.ts';
import { applyRetention, DEFAULT_RETENTION, deleteLog } from '../../local/retention.ts';
import type { Json } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { folderOf, HEADER, noteAt, notes, tornAt } from './kit.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 1);
const SECRET = 'what the block says';

function at(seq: number, type: string, data: Json): LogEvent {
  return { type, seq, time: seq, data };
}

const audit = { trigger: 'load', class: 'context-file', rule: 'rule 1', requestSequence: 1, line: 1 };
const block = { ...audit, endLine: 3, bytes: SECRET.length, sha256: 'a'.repeat(64), text: SECRET };
const consumed = {
  ordinal: 0,
  unit: 'u1',
  source: 'tool',
  class: 'tool-result',
  rule: 'rule 2',
  bytes: 9,
  requestSequence: 2,
};

/** What a session logs that has two blocks, one of them discarded, and an ephemeral unit. */
const session: readonly LogEvent[] = [
  at(0, 'source/loaded', {
    source: 'A.md',
    class: 'context-file',
    sha256: 'a'.repeat(64),
    bytes: 1,
    blocks: ['a', 'b'],
    problems: [],
  }),
  at(1, 'block/activated', { ...block, blockId: 'a', source: 'A.md' }),
  at(2, 'block/activated', { ...block, blockId: 'b', source: 'A.md' }),
  at(3, 'ephemeral/admitted', consumed),
  at(4, 'request/sealed', { requestSequence: 1, text: SECRET }),
  at(5, 'block/discarded', { ...audit, blockId: 'a', source: 'plug' }),
  at(6, 'discard/denied', { ...audit, blockId: 'b', source: 'tool' }),
  at(7, 'ephemeral/consumed', { ...consumed, trigger: 'assistant-response', tombstoneBytes: 3 }),
  at(8, 'request/sealed', { requestSequence: 2 }),
  at(9, 'host/message', { message: { role: 'user', content: `"block/discarded" ${SECRET}` }, units: ['u1'] }),
];

function logOf(folder: string, name: string, age: number, events: readonly LogEvent[] = session): string {
  const writer = createLog({ folder, name, header: HEADER, events });
  writer.close();
  utimesSync(writer.path, (NOW - age) / 1000, (NOW - age) / 1000);
  return writer.path;
}

test('retention: the default is 30 days and 2 GB', () => {
  assert.deepEqual(DEFAULT_RETENTION, { days: 30, bytes: 2_000_000_000 });
});

test('retention: what was not written for longer than the days is removed, and nothing else', async t => {
  const folder = folderOf(t);
  logOf(folder, 'old', 31 * DAY);
  logOf(folder, 'young', 29 * DAY);
  assert.deepEqual(await applyRetention(folder, DEFAULT_RETENTION, NOW), { removed: ['old'], kept: [] });
  assert.deepEqual(readdirSync(folder).sort(), ['summaries', 'young.jsonl']);
});

test('retention: beyond the bytes, the longest not written go first, until the rest is small enough', async t => {
  const folder = folderOf(t);
  for (const [index, name] of ['d', 'c', 'b', 'a'].entries()) {
    // A file with a hole is as large as it says.
    truncateSync(logOf(folder, name, (index + 1) * DAY), 1_000_000);
    utimesSync(logPath(folder, name), (NOW - (index + 1) * DAY) / 1000, (NOW - (index + 1) * DAY) / 1000);
  }
  const { removed } = await applyRetention(folder, { days: 30, bytes: 3_000_000 }, NOW);
  assert.deepEqual(removed, ['a']);
});

test('retention: before a log is removed its lifecycle summary is written, private and without content, and a resume finds it', async t => {
  const folder = folderOf(t);
  logOf(folder, 'old', 31 * DAY);
  await applyRetention(folder, DEFAULT_RETENTION, NOW);
  assert.equal(await resumeLog(logPath(folder, 'old')), undefined);
  const summary = readSummary(folder, 'old');
  assert.ok(summary);
  assert.deepEqual(summary.header, HEADER);
  assert.equal(summary.removed, NOW);
  assert.equal(summary.requests, 2);
  assert.deepEqual(summary.blocks, [
    { id: 'a', status: 'discarded', source: 'A.md' },
    { id: 'b', status: 'active', source: 'A.md' },
  ]);
  assert.deepEqual(
    summary.events.map(({ type, seq }) => `${seq} ${type}`),
    ['1 block/activated', '2 block/activated', '5 block/discarded', '6 discard/denied', '7 ephemeral/consumed'],
  );
  const path = join(folder, 'summaries', 'old.json');
  assert.ok(!readFileSync(path, 'utf8').includes(SECRET));
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder, 'summaries')).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(join(folder, 'summaries')), ['old.json']);
});

test('retention: the summary of a session that went on after its first log was removed knows both', async t => {
  const folder = folderOf(t);
  logOf(folder, 'old', 31 * DAY);
  await applyRetention(folder, DEFAULT_RETENTION, NOW);
  logOf(folder, 'old', 31 * DAY, [at(0, 'block/activated', { ...block, blockId: 'c', source: 'C.md' })]);
  await applyRetention(folder, DEFAULT_RETENTION, NOW);
  assert.deepEqual(
    readSummary(folder, 'old')?.blocks.map(({ id }) => id),
    ['a', 'b', 'c'],
  );
  assert.equal(readSummary(folder, 'old')?.requests, 2);
});

test('retention: an event that a log/torn took back is not in the summary; a torn or damaged rest hinders nothing', async t => {
  const folder = folderOf(t);
  const path = logOf(folder, 'old', 0, session.slice(0, 6));
  const text = readFileSync(path, 'utf8');
  const taken = JSON.stringify(at(6, 'block/discarded', { ...audit, blockId: 'b', source: 'plug' }));
  writeFileSync(path, `${text}${taken}\n${JSON.stringify(tornAt(6, taken.length))}\ngarbage\n{"type":"block/`);
  utimesSync(path, 1, 1);
  assert.deepEqual((await applyRetention(folder, DEFAULT_RETENTION, NOW)).removed, ['old']);
  assert.deepEqual(
    readSummary(folder, 'old')?.blocks.map(({ status }) => status),
    ['discarded', 'active'],
  );
});

test('retention: a log/torn takes nothing back that an earlier log of the session says', async t => {
  const folder = folderOf(t);
  logOf(folder, 'old', 31 * DAY, session.slice(0, 6));
  await applyRetention(folder, DEFAULT_RETENTION, NOW);
  // The log that goes on was torn at the very place that the discard had in the first.
  logOf(folder, 'old', 31 * DAY, [...notes(0, 5), tornAt(5, 3)]);
  await applyRetention(folder, DEFAULT_RETENTION, NOW);
  assert.deepEqual(
    readSummary(folder, 'old')?.blocks.map(({ status }) => status),
    ['discarded', 'active'],
  );
});

test('retention: of a damaged log only what every reader takes is kept, so that a session can go on with it', async t => {
  const folder = folderOf(t);
  const good = at(2, 'discard/denied', { ...audit, blockId: 'b', source: 'tool' });
  const path = logOf(folder, 'old', 0, [
    at(0, 'discard/unknown', {}),
    at(1, 'ephemeral/consumed', { unit: 'u' }),
    good,
  ]);
  const sealed = '{"type":"request/sealed","seq":3,"time":3,"data":{"requestSequence":1e999}}\n';
  writeFileSync(path, readFileSync(path, 'utf8') + sealed);
  utimesSync(path, 1, 1);
  assert.deepEqual((await applyRetention(folder, DEFAULT_RETENTION, NOW)).removed, ['old']);
  const kept = readSummary(folder, 'old');
  assert.deepEqual(kept?.events, [good]);
  assert.equal(kept?.requests, 0);
});

test('retention: a log with a line that is too long to be one is removed too, with what stands before it', async t => {
  const folder = folderOf(t);
  const path = logOf(folder, 'old', 0);
  truncateSync(path, 300_000_000);
  utimesSync(path, 1, 1);
  assert.deepEqual((await applyRetention(folder, DEFAULT_RETENTION, NOW)).removed, ['old']);
  assert.equal(readSummary(folder, 'old')?.blocks.length, 2);
});

test('retention: a log that a living process writes is never removed', async t => {
  const folder = folderOf(t);
  const writer = createLog({ folder, name: 'live', header: HEADER, events: notes(0, 1) });
  utimesSync(writer.path, 1, 1);
  const { removed, kept } = await applyRetention(folder, { days: 0, bytes: 0 }, NOW);
  assert.deepEqual(removed, []);
  assert.deepEqual(kept, [
    { name: 'live', reason: `The session log ${writer.path} is in use: process ${process.pid} writes it.` },
  ]);
  writer.append([noteAt(1)]);
  writer.close();
});

test('retention: a log whose summary cannot be known or written is kept, with the reason', async t => {
  const folder = folderOf(t);
  writeFileSync(logPath(folder, 'newer'), '{"version":2}\n', { mode: 0o600 });
  utimesSync(logPath(folder, 'newer'), 1, 1);
  logOf(folder, 'old', 31 * DAY);
  writeFileSync(join(folder, 'summaries'), 'a file is in the way', { mode: 0o600 });
  const { removed, kept } = await applyRetention(folder, DEFAULT_RETENTION, NOW);
  assert.deepEqual(removed, []);
  assert.deepEqual(
    kept.map(({ name, reason }) => `${name}: ${reason}`),
    [
      'newer: It is kept, for it cannot be read, and what was discarded in it would be forgotten: The first line of this log cannot be used: the log is of version 2, and this program reads version 1 only. Nothing of the log was read.',
      `old: It could not be removed: ${join(folder, 'summaries')} is no folder. Move it away: a folder is made in its place.`,
    ],
  );
  assert.ok(existsSync(logPath(folder, 'old')));
});

test('retention: a summary that is damaged is named, and keeps its log', async t => {
  const folder = folderOf(t);
  logOf(folder, 'old', 31 * DAY);
  await applyRetention(folder, DEFAULT_RETENTION, NOW);
  const path = join(folder, 'summaries', 'old.json');
  for (const [text, reason] of [
    ['{', 'it is of no version that is known here'],
    ['{"version":2}', 'it is of no version that is known here'],
    ['{"version":1}', 'its header is no object'],
  ] as const) {
    writeFileSync(path, text, { mode: 0o600 });
    const message = `The summary ${path} cannot be used, so earlier discards of its session are unknown: ${reason}.`;
    assert.throws(() => readSummary(folder, 'old'), { message });
    logOf(folder, 'old', 31 * DAY);
    const { kept } = await applyRetention(folder, DEFAULT_RETENTION, NOW);
    assert.deepEqual(kept, [{ name: 'old', reason: `It could not be removed: ${message}` }]);
    deleteLog(folder, 'old');
  }
  chmodSync(folder, 0o700);
});

test('retention: what crashes left is tidied up after a day, and no more', async t => {
  const folder = folderOf(t);
  logOf(folder, 'a', DAY);
  const litter = ['a.jsonl.new', 'a.jsonl.lock-00ff', 'gone.jsonl.lock.1'];
  for (const name of [...litter, 'a.jsonl.lock.1', 'notes.txt']) {
    writeFileSync(join(folder, name), '');
    utimesSync(join(folder, name), (NOW - 2 * DAY) / 1000, (NOW - 2 * DAY) / 1000);
  }
  writeFileSync(join(folder, 'b.jsonl.new'), '');
  utimesSync(join(folder, 'b.jsonl.new'), NOW / 1000, NOW / 1000);
  await applyRetention(folder, DEFAULT_RETENTION, NOW);
  assert.deepEqual(readdirSync(folder).sort(), ['a.jsonl', 'a.jsonl.lock.1', 'b.jsonl.new', 'notes.txt']);
});

test('delete: a log goes on request with its summary, but never while a process writes it', async t => {
  const folder = folderOf(t);
  const writer = createLog({ folder, name: 'a', header: HEADER });
  assert.throws(() => deleteLog(folder, 'a'), LogInUseError);
  writer.close();
  assert.equal(deleteLog(folder, 'a'), true);
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(deleteLog(folder, 'a'), false);
  logOf(folder, 'old', 31 * DAY);
  await applyRetention(folder, DEFAULT_RETENTION, NOW);
  assert.equal(deleteLog(folder, 'old'), true, 'what is left of a removed log goes too');
  assert.equal(readSummary(folder, 'old'), undefined);
});

test('summary: it is there whole or not at all, and never follows a link', t => {
  const folder = folderOf(t);
  const content = { version: 1, header: HEADER, removed: 1, requests: 0, blocks: [], events: [] };
  writeSummary(folder, 'a', content);
  writeSummary(folder, 'a', { ...content, removed: 2 });
  assert.equal(readSummary(folder, 'a')?.removed, 2);
  chmodSync(join(folder, 'summaries', 'a.json'), 0o644);
  assert.throws(() => readSummary(folder, 'a'), /Other users have access to the file/);
});
