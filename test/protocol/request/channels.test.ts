import assert from 'node:assert/strict';
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

test('request-log 10: the table for the documentation has a row of five cells for each channel', () => {
  const rows = channelTable().split('\n');
  assert.equal(rows.length, CHANNELS.length + 2);
  for (const row of rows) {
    assert.equal(row.split(' | ').length, 5, row);
  }
});
