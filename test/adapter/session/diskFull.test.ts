import assert from 'node:assert/strict';
import fs, { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openSession } from '../../../adapter/openSession.ts';
import { LogWriteError } from '../../../local/logErrors.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { diskOf } from '../../local/diskKit.ts';
import { assistant, call, definition, EPHEMERAL, result, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { CONFIG, checkedSession, dataOf, homeOf, typesOf } from './sessionKit.ts';

test('issue 3.4: disk full: the request rejects with a sentence, nobody is told, and when there is room again the log is whole', async t => {
  const disk = diskOf(t);
  const checked = await checkedSession(t);
  const { session } = checked;
  const told: LogEvent[] = [];
  session.onEvent(event => told.push(event));
  await checked.turn([user('a')]);
  const before = told.length;
  disk.room = 100;
  const messages = [user('a'), assistant('b'), user('c')];
  for (let tries = 0; tries < 2; tries++) {
    await assert.rejects(session.buildRequest({ messages, config: CONFIG }), (error: unknown) => {
      assert.ok(error instanceof LogWriteError);
      assert.match(error.message, /^The session log .* could not be written: the disk is full\. Free some space on it/);
      return true;
    });
    assert.equal(told.length, before);
    disk.room = 0;
  }
  disk.room = Number.POSITIVE_INFINITY;
  const sealed = await checked.turn(messages);
  const { events, tornLines, fault } = await checked.close();
  assert.deepEqual([tornLines, fault], [0, undefined]);
  assert.deepEqual(
    told,
    events.slice(events.length - told.length).map((event, index) => ({ ...told[index], ...event })),
    'everybody is told of every event, once and in order',
  );
  assert.equal(dataOf(events, 'request/sealed').at(-1)?.requestSequence, sealed.requestSequence);
});

test('issue 3.4: disk full at any byte of a request: it rejects or is whole, and the file is always read to its end', async t => {
  const disk = diskOf(t);
  const history = [user('a'), call('c1'), result('c1', EPHEMERAL)];
  const block = { source: 'AGENTS.md', class: 'context-file', text: definition('plan') } as const;
  const whole = await checkedSession(t, { now: () => 1 });
  whole.session.loadSource(block);
  const start = readFileSync(whole.session.logFile).length;
  await whole.request(history);
  const size = readFileSync(whole.session.logFile).length - start;
  await whole.close();
  for (let room = 0; room < size; room += 23) {
    const checked = await checkedSession(t, { now: () => 1 });
    checked.session.loadSource(block);
    disk.room = room;
    await assert.rejects(checked.session.buildRequest({ messages: history, config: CONFIG }), LogWriteError);
    await checked.file();
    disk.room = Number.POSITIVE_INFINITY;
    const sealed = await checked.turn(history);
    assert.deepEqual(sealed.messages.slice(1), history);
    await checked.turn([...history, assistant('b'), user('c')]);
    const { tornLines } = await checked.close();
    assert.equal(tornLines, 0);
  }
});

test('issue 3.4: disk full: what was handed over meanwhile is not forgotten', async t => {
  const disk = diskOf(t);
  const checked = await checkedSession(t);
  const { session } = checked;
  await checked.turn([user('a')]);
  disk.room = 10;
  assert.throws(
    () => session.loadSource({ source: 'A.md', class: 'context-file', text: definition('plan') }),
    LogWriteError,
  );
  assert.throws(() => session.inject(user('not appended'), 'plugin:x'), LogWriteError);
  assert.throws(() => session.response(1, { outcome: 'completed' }), LogWriteError);
  assert.throws(() => session.receipt(1, 'a'.repeat(64)), LogWriteError);
  disk.room = Number.POSITIVE_INFINITY;
  const sealed = await checked.turn([user('a')]);
  assert.deepEqual(sealed.messages, [user(definition('plan')), user('a')]);
  await checked.close();
});

test('issue 3.4: disk full: a session that is closed without room says so, and lets go of its log', async t => {
  const disk = diskOf(t);
  const folder = homeOf(t);
  const checked = await checkedSession(t, { folder, sessionId: 's' });
  await checked.turn([user('a')]);
  disk.room = 30;
  await assert.rejects(checked.session.close(), LogWriteError);
  disk.room = Number.POSITIVE_INFINITY;
  const again = await checkedSession(t, { folder, sessionId: 's' });
  assert.deepEqual([again.session.id, again.session.notices], ['s', []]);
  await again.turn([user('a')]);
  const { tornLines, events } = await again.close();
  assert.equal(tornLines, 1);
  assert.ok(typesOf(events).includes('log/torn'));
});

test('issue 3.4: a disk that becomes read-only: the request rejects with a sentence', async t => {
  const disk = diskOf(t);
  const checked = await checkedSession(t);
  await checked.turn([user('a')]);
  Object.assign(disk, { room: 0, code: 'EROFS' });
  await assert.rejects(
    checked.session.buildRequest({ messages: [user('a')], config: CONFIG }),
    /could not be written: the disk is read-only\. Make it writable/,
  );
  disk.room = Number.POSITIVE_INFINITY;
  await checked.turn([user('a')]);
  await checked.close();
});

test('issue 3.4: without a place for its log there is no session, and the sentence says what to do', async t => {
  const disk = diskOf(t);
  disk.room = 0;
  const options = { agent: 'test', folder: homeOf(t), sessionId: 's', config: { announce: false } };
  await assert.rejects(openSession(options), /could not be written: the disk is full\. Free some space/);
  disk.room = Number.POSITIVE_INFINITY;
  const session = await openSession(options);
  assert.equal(session.id, 's');
  await session.close();
});

test('issue 3.4: a log that was removed under its session: the request rejects, and says to start again', async t => {
  const checked = await checkedSession(t);
  await checked.turn([user('a')]);
  fs.rmSync(checked.session.logFile);
  await assert.rejects(
    checked.session.buildRequest({ messages: [user('a')], config: CONFIG }),
    /the file was removed while the session was writing it\. Start the session again/,
  );
});
