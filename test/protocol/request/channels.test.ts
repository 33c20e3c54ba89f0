import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { vocabulary } from '../../../protocol/log/sessionEvents.ts';
import { CHANNELS, channelTable } from '../../../protocol/request/channels.ts';

test('request-log 10: each append-only channel has its cost, and the log knows each by its name', () => {
  const appendOnly = CHANNELS.filter(({ call }) => call.includes('inject('));
  assert.deepEqual(
    appendOnly.map(({ channel }) => channel),
    ['inject', 'tool-context', 'prompt-context'],
  );
  for (const { channel, logged, cost } of appendOnly) {
    const data = { message: {}, units: ['x'], after: 'y', channel };
    assert.equal(vocabulary['host/message'].fault(data, 'data'), undefined, channel);
    assert.ok(logged.includes(`"${channel}"`));
    assert.match(cost, /^Paid once/);
  }
});

test('seed 2: there is no channel for a tail that is made anew for each request', () => {
  assert.ok(CHANNELS.every(({ channel }) => !/suffix|tail|after/.test(channel)));
});

test('request-log 10: docs/write-an-adapter.md has the table of the channels, a row of five cells for each', () => {
  const table = channelTable();
  const rows = table.split('\n');
  assert.equal(rows.length, CHANNELS.length + 2);
  for (const row of rows) {
    assert.equal(row.split(' | ').length, 5, row);
  }
  const page = readFileSync(new URL('../../../docs/write-an-adapter.md', import.meta.url), 'utf8');
  assert.ok(page.includes(`\n\n${table}\n\n`));
});
