import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { generationName, newestOf } from '../../local/generations.ts';
import { type LifecycleSummary, readSummary, writeSummary } from '../../local/lifecycleSummary.ts';
import { createLog } from '../../local/openLog.ts';
import { applyRetention } from '../../local/retention.ts';
import { summaryEvents } from '../../local/summaryEvents.ts';
import { readEvent } from '../../protocol/log/readEvent.ts';
import { initialState, reduce } from '../../protocol/log/reduce.ts';
import type { Json } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { folderOf, HEADER } from './kit.ts';

function at(seq: number, type: string, data: Json): LogEvent {
  return { type, seq, time: 100 + seq, data };
}

const audit = { source: 'A.md', trigger: 'load', class: 'context-file', rule: 'rule 1', requestSequence: 1, line: 1 };
const definition = { ...audit, endLine: 3, bytes: 1, sha256: 'a'.repeat(64) };
const consumed = {
  source: 'tool',
  class: 'tool-result',
  rule: 'rule 2',
  trigger: 'assistant-response',
  bytes: 9,
  tombstoneBytes: 3,
  requestSequence: 2,
};

const summary: LifecycleSummary = {
  version: 1,
  header: HEADER,
  removed: 1,
  requests: 2,
  blocks: [
    { id: 'gone', status: 'discarded', source: 'A.md' },
    { id: 'active', status: 'active', source: 'A.md' },
  ],
  events: [
    at(1, 'block/activated', { ...definition, blockId: 'gone' }),
    at(2, 'block/activated', { ...definition, blockId: 'active' }),
    at(4, 'block/conflict', { ...audit, blockId: 'active', winner: { source: 'A.md', line: 1 } }),
    at(5, 'block/discarded', { ...audit, blockId: 'gone', unit: 'u0' }),
    at(6, 'ephemeral/consumed', { ...consumed, unit: 'u1', ordinal: 4 }),
    at(7, 'discard/denied', { ...audit, blockId: 'active', unit: 'u2' }),
    at(8, 'ephemeral/consumed', { ...consumed, unit: 'u3', ordinal: 2 }),
    // From a second log of the session, which had begun with what was left of the first.
    at(0, 'block/activated', { ...definition, blockId: 'gone' }),
    at(1, 'block/discarded', { ...audit, blockId: 'gone', unit: 'u0' }),
    at(2, 'ephemeral/consumed', { ...consumed, unit: 'u1', ordinal: 0 }),
  ],
};

test('retention: a new log begins with what was discarded and consumed; active blocks are for their sources to define again', () => {
  const events = summaryEvents(summary);
  const state = events.map((event, index) => readEvent(event, index)).reduce(reduce, initialState);
  assert.deepEqual(
    [...state.lifecycle.blocks.values()].map(({ id, status }) => [id, status]),
    [['gone', 'discarded']],
  );
  assert.deepEqual(
    [...state.lifecycle.ephemerals].map(({ unit, consumed: at }) => [unit, at?.time]),
    [
      ['u1', 106],
      ['u3', 108],
    ],
  );
  assert.deepEqual(
    events.map(({ type }) => type),
    ['block/activated', 'block/discarded', 'ephemeral/consumed', 'discard/denied', 'ephemeral/consumed'],
  );
});

test('retention: a summary does not grow with how often its session goes on', async t => {
  const folder = folderOf(t);
  writeSummary(folder, 'a', summary);
  const sizes = [];
  for (let round = 0; round < 3; round++) {
    const writer = createLog({
      folder,
      name: 'a',
      header: HEADER,
      events: summaryEvents(readSummary(folder, 'a') ?? summary),
    });
    writer.close();
    utimesSync(writer.path, 1, 1);
    assert.deepEqual((await applyRetention(folder)).removed, ['a']);
    sizes.push(readSummary(folder, 'a')?.events.length);
  }
  assert.deepEqual(sizes, [summary.events.length, summary.events.length, summary.events.length]);
});

test('retention: the newest log of a host session is found, also where earlier ones are gone and where only a summary is left', t => {
  const folder = folderOf(t);
  const put = (name: string): void => writeFileSync(join(folder, name), '');
  assert.equal(newestOf(join(folder, 'nowhere'), 'a'), undefined);
  put('ab.jsonl');
  put('a-x.jsonl');
  put('a-1.jsonl.lock.1');
  assert.equal(newestOf(folder, 'a'), undefined);
  put('a.jsonl');
  assert.deepEqual(newestOf(folder, 'a'), { name: 'a', generation: 0, left: 'log' });
  put('a-2.jsonl');
  put('a-10.jsonl');
  assert.deepEqual(newestOf(folder, 'a'), { name: 'a-10', generation: 10, left: 'log' });
  mkdirSync(join(folder, 'summaries'));
  put('summaries/a-10.json');
  put('summaries/a.json');
  assert.deepEqual(newestOf(folder, 'a')?.left, 'log', 'a session that went on has both');
  put('summaries/a-11.json');
  assert.deepEqual(newestOf(folder, 'a'), { name: generationName('a', 11), generation: 11, left: 'summary' });
  assert.equal(generationName('a', 0), 'a');
});
