import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import { stateToJson } from '../../../protocol/log/stateJson.ts';
import { HEADER } from '../../adapter/host/hostKit.ts';
import { FOUND, faked, note } from './fakeConnection.ts';

const SNAPSHOT = stateToJson([note(0), note(1)].reduce(reduce, initialState));

test('before it is connected, a session is known by its announcement, and answers nothing', async () => {
  const { session } = faked();
  assert.deepEqual(session.link, { kind: 'connecting' });
  assert.deepEqual(session.header, { version: 1, id: HEADER.id, agent: 'test', cwd: '/work', created: 1 });
  assert.equal(session.mayDiscard, false);
  await assert.rejects(session.history(0, 1), { message: 'The session is not connected yet.' });
  await assert.rejects(session.discard('a'), { message: 'The session is not connected yet.' });
  await assert.rejects(session.whatIfCompressed(), { message: 'The session is not connected yet.' });
});

test('a snapshot is the state, events follow it, and questions are asked of the connection', async () => {
  const { session, last, events } = faked();
  last().attach({ nextSeq: 2, snapshot: SNAPSHOT });
  assert.equal(session.state.nextSeq, 2);
  assert.deepEqual(session.link, { kind: 'connected' });
  last().say.events([note(2), note(3)]);
  assert.equal(session.state.nextSeq, 4);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    [2, 3],
  );
  assert.deepEqual(await session.readRequest(1), { text: '{}', hash: 'h', content: 'full' });
  assert.equal((await session.history(0, 3)).length, 3);
  assert.equal(await session.whatIf('a'), undefined);
  assert.equal(await session.whatIfCompressed(), null);
});

test('a connection that is lost keeps the state, since when is that of the first loss, and no attempt shows as another state', async () => {
  const { session, last, turnClock } = faked();
  last().attach({ nextSeq: 2, snapshot: SNAPSHOT });
  last().say.state({ kind: 'lost', sentence: 'The connection to the session was lost.', retryMilliseconds: 250 });
  turnClock(500);
  last().say.state({ kind: 'connecting' });
  last().say.state({ kind: 'lost', sentence: 'It did not answer.', retryMilliseconds: 500 });
  assert.deepEqual(session.link, { kind: 'lost', sentence: 'It did not answer.', since: 1_000 });
  assert.equal(session.state.nextSeq, 2);
  assert.equal(session.mayDiscard, false);
  await assert.rejects(session.readRequest(1), { message: 'It did not answer.' });
  last().attach({ reset: false, nextSeq: 2 });
  last().say.events([note(2)]);
  assert.deepEqual(session.link, { kind: 'connected' });
  assert.equal(session.state.nextSeq, 3);
});

test('a session that is lost and whose process is gone has ended', async () => {
  const { session, last } = faked({ isGone: () => Promise.resolve(true) });
  last().attach({ nextSeq: 2, snapshot: SNAPSHOT });
  last().say.state({ kind: 'lost', sentence: 'The connection to the session was lost.', retryMilliseconds: 250 });
  await setImmediate();
  assert.deepEqual(session.link, { kind: 'ended', sentence: 'The session has ended without a word.', since: 1_000 });
  assert.equal(last().closed, true);
  assert.equal(session.state.nextSeq, 2);
});

test('that a process is gone counts for nothing where the session is connected again', async () => {
  let answer: (gone: boolean) => void = () => {};
  const { session, last } = faked({
    isGone: () =>
      new Promise(resolve => {
        answer = resolve;
      }),
  });
  last().attach({ nextSeq: 2, snapshot: SNAPSHOT });
  last().say.state({ kind: 'lost', sentence: 'The connection to the session was lost.', retryMilliseconds: 250 });
  last().attach({ reset: false, nextSeq: 2 });
  answer(true);
  await setImmediate();
  assert.deepEqual(session.link, { kind: 'connected' });
});

test('editor-bugs 69: what an earlier connection still says is dropped', () => {
  const { session, connections, events, changes } = faked();
  connections[0]!.attach({ nextSeq: 2, snapshot: SNAPSHOT });
  session.reconnect({ ...FOUND, file: '/run/two.json' });
  assert.equal(connections[0]!.closed, true);
  assert.deepEqual(connections[1]!.options.known, { session: HEADER.id, nextSeq: 2 });
  const before = changes();
  connections[0]!.say.events([note(2)]);
  connections[0]!.say.state({ kind: 'ended', sentence: 'Late.' });
  connections[0]!.attach();
  assert.equal(session.state.nextSeq, 2);
  assert.deepEqual(events, []);
  assert.equal(changes(), before);
  connections[1]!.attach({ reset: false, nextSeq: 2 });
  connections[1]!.say.events([note(2)]);
  assert.equal(session.state.nextSeq, 3);
});

test('editor-bugs 69: another session clears what was known of the first', () => {
  const { session, last } = faked();
  last().attach({ nextSeq: 2, snapshot: SNAPSHOT });
  last().attach({ header: { ...HEADER, id: 'another' }, nextSeq: 0 });
  assert.equal(session.state.nextSeq, 0);
  assert.equal(session.header.id, 'another');
  assert.equal(session.key, `session:${HEADER.id}`);
});

test('the same session with another log is read from its start', () => {
  const { session, connections } = faked();
  connections[0]!.attach({ nextSeq: 2, snapshot: SNAPSHOT });
  session.reconnect({ ...FOUND, file: '/run/two.json' });
  connections[1]!.attach({ reset: false, nextSeq: 2, header: { ...HEADER, created: 7 } });
  assert.equal(connections.length, 3);
  assert.equal(connections[1]!.closed, true);
  assert.equal(connections[2]!.options.known, undefined);
  connections[2]!.attach({ header: { ...HEADER, created: 7 } });
  assert.equal(session.header.created, 7);
  assert.equal(session.state.nextSeq, 0);
});

test('editor-bugs 69: a session of another version ends in its sentence, and the person is told', () => {
  const { session, last, refusals } = faked();
  last().say.state({ kind: 'ended', sentence: 'It speaks version 2.', refused: true });
  assert.deepEqual(session.link, { kind: 'ended', sentence: 'It speaks version 2.', since: 1_000 });
  assert.deepEqual(refusals, ['It speaks version 2.']);
  last().say.state({ kind: 'ended', sentence: 'Again.', refused: true });
  assert.equal(refusals.length, 1);
});

test('an event that contradicts those before it is an error with a sentence, and the state before it stays', () => {
  const { session, last } = faked();
  last().attach({ nextSeq: 2, snapshot: SNAPSHOT });
  assert.throws(() => last().say.events([note(2), note(9)]), { name: 'CorruptLogError', message: /cannot be used/ });
  assert.equal(session.state.nextSeq, 3);
});

test('a snapshot that is none is an error with a sentence, and the session is not shown as connected', () => {
  const { session, last } = faked();
  const snapshot = { ...SNAPSHOT, requests: 'many' } as unknown as typeof SNAPSHOT;
  assert.throws(() => last().attach({ nextSeq: 2, snapshot }), { name: 'CorruptLogError' });
  assert.notEqual(session.link.kind, 'connected');
});

test('a discard that was asked for from here is known as such, also where its answer was lost', async () => {
  const { session, last } = faked();
  last().attach({ nextSeq: 2, snapshot: SNAPSHOT });
  assert.equal(await session.discardedHere('a'), false);
  assert.equal(await session.discard('a'), 'discarded');
  last().outcome = Promise.resolve('repeated');
  assert.equal(await session.discard('b'), 'repeated');
  last().outcome = Promise.reject(new Error('The connection to the session was lost.'));
  await assert.rejects(session.discard('c'));
  assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(id => session.discardedHere(id))), [true, false, true]);
});

test('its log is looked for when it is connected', async () => {
  const { session, last } = faked({ findLog: ({ id }) => Promise.resolve(`/logs/${id}.jsonl`) });
  assert.equal(session.logFile, undefined);
  last().attach();
  await setImmediate();
  assert.equal(session.logFile, '/logs/session-1.jsonl');
});

test('a session that was disconnected here keeps its state, and nothing more comes', () => {
  const { session, last } = faked();
  last().attach({ nextSeq: 2, snapshot: SNAPSHOT });
  session.disconnect();
  assert.equal(last().closed, true);
  assert.deepEqual(session.link, { kind: 'ended', sentence: 'It was disconnected here.', since: 1_000 });
  last().say.events([note(2)]);
  assert.equal(session.state.nextSeq, 2);
});

test('issue 4: a block that was discarded from here twice was discarded from here', async () => {
  const { session, last } = faked();
  last().attach();
  await session.discard('a');
  last().outcome = Promise.resolve('repeated');
  await session.discard('a');
  await session.discard('b');
  assert.equal(await session.discardedHere('a'), true);
  assert.equal(await session.discardedHere('b'), false);
});
