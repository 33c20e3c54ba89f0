import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ephemeralRows } from '../../../client/views/ephemeralRows.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { drawingOf, ephemeral, everyRow, outline, request, sessionOf, sessionsOf } from './kit.ts';

const VIEW = 'contextLifecycle.ephemerals';

function rowsOf(events: readonly NewEvent[]) {
  return ephemeralRows(sessionsOf(sessionOf(events)), drawingOf(VIEW));
}

const admitted = ephemeral('admitted', 0, 1);
/** The request's events behind the one that admitted the unit; the opening event is the first of the log. */
const whole = request(1, 2);
const upToSeal = whole.slice(0, 3);

test('it waits while its request is built, is in flight while that is answered, and waits again until it is consumed', () => {
  assert.deepEqual(outline(rowsOf([admitted])), ['Waiting | 1', '  tool:read_file | 632 bytes · for request 1']);
  assert.deepEqual(outline(rowsOf([admitted, ...upToSeal])), [
    'In flight | 1',
    '  tool:read_file | 632 bytes · whole since request 1',
  ]);
  assert.deepEqual(outline(rowsOf([admitted, ...whole])), [
    'Waiting | 1',
    '  tool:read_file | 632 bytes · for request 1',
  ]);
  assert.deepEqual(outline(rowsOf([admitted, ...whole, ephemeral('consumed', 0, 2)])), [
    'Consumed | 1 · 569 bytes freed',
    '  tool:read_file | 632 bytes · 569 bytes freed · since request 2',
  ]);
});

test('what is spoken says where it stands', () => {
  const failed: NewEvent = {
    type: 'step/end',
    data: { turn: 1, step: 1, requestSequence: 1, outcome: 'failed' },
  };
  const spoken = [
    [admitted],
    [admitted, ...upToSeal],
    [admitted, ...whole],
    [admitted, ...upToSeal, failed],
    [admitted, ...whole, ephemeral('consumed', 0, 2)],
  ].map(events => rowsOf(events)[0]?.children?.()[0]?.spoken);
  assert.deepEqual(spoken, [
    'Ephemeral content of tool:read_file, 632 bytes. It goes whole into request 1, which is being built.',
    'Ephemeral content of tool:read_file, 632 bytes. It is whole in request 1, which is being answered.',
    'Ephemeral content of tool:read_file, 632 bytes. Request 1 was answered: a tombstone takes its place in the next request.',
    'Ephemeral content of tool:read_file, 632 bytes. The answer to request 1 did not come to its end, so it is sent whole again.',
    'Ephemeral content of tool:read_file, 632 bytes. A tombstone stands for it since request 2.',
  ]);
});

test('a click shows a request that holds it, and nothing while there is none', () => {
  const commandOf = (events: readonly NewEvent[]) => rowsOf(events)[0]?.children?.()[0]?.command;
  assert.equal(commandOf([admitted]), undefined);
  assert.deepEqual(commandOf([admitted, ...upToSeal])?.arguments?.[0], { session: 'key', request: 1 });
});

test('its row keeps its id when it is consumed', () => {
  const ids = [[admitted], [admitted, ...whole, ephemeral('consumed', 0, 2)]].map(
    events => everyRow(rowsOf(events))[1]?.id,
  );
  assert.equal(ids[0], ids[1]);
});

test('a tombstone that is longer than what it stands for frees nothing', () => {
  const short = ephemeral('admitted', 0, 1) as Extract<NewEvent, { type: 'ephemeral/admitted' }>;
  const gone = ephemeral('consumed', 0, 2) as Extract<NewEvent, { type: 'ephemeral/consumed' }>;
  const rows = rowsOf([
    { ...short, data: { ...short.data, bytes: 5 } },
    ...whole,
    { ...gone, data: { ...gone.data, bytes: 5 } },
  ]);
  assert.equal(rows[0]?.description, '1 · 0 bytes freed');
});
