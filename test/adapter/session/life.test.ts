import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSession } from '../../../adapter/openSession.ts';
import { SessionClosedError } from '../../../adapter/requestErrors.ts';
import { listAnnouncements } from '../../../local/announcements.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { definition, discardLine, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { inTime } from '../../server/deadline.ts';
import { Child } from './childKit.ts';
import { CONFIG, checkedSession, homeOf, typesOf } from './sessionKit.ts';

test('request-log 2.2: a listener that throws hurts nobody: the event is logged, and the others are told', async t => {
  const warnings: Error[] = [];
  const warned = (warning: Error): number => warnings.push(warning);
  process.on('warning', warned);
  const checked = await checkedSession(t);
  const told: LogEvent[] = [];
  checked.session.onEvent(() => {
    throw new Error('a broken listener');
  });
  checked.session.onEvent(() => {
    // As a broken one would: no error at all.
    const thrown: unknown = 'no error at all';
    throw thrown as Error;
  });
  checked.session.onEvent(event => told.push(event));
  await checked.turn([user('a')]);
  const { events } = await checked.close();
  assert.deepEqual(typesOf(told), typesOf(events.slice(1)));
  await new Promise(resolve => setImmediate(resolve));
  process.off('warning', warned);
  assert.equal(warnings.filter(({ message }) => message === 'a broken listener').length, told.length);
  assert.equal(warnings.filter(({ message }) => message === 'no error at all').length, told.length);
});

test('DESIGN, The log: an event is on disk before a listener hears of it, and each hears of every event in order', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  const one: number[] = [];
  const two: number[] = [];
  const onDisk: Promise<boolean>[] = [];
  session.onEvent(({ seq, type }) => {
    one.push(seq);
    onDisk.push(checked.file().then(({ events }) => events.length > seq));
    if (type === 'turn/start') {
      session.inject(user('from a listener'), 'plugin:x');
    }
  });
  session.onEvent(({ seq }) => two.push(seq));
  await checked.turn([user('a')]);
  await checked.turn([user('a')]);
  await checked.close();
  assert.ok((await Promise.all(onDisk)).every(Boolean));
  assert.deepEqual(
    one,
    one.map((_, index) => index + 1),
  );
  assert.deepEqual(two, one);
});

test('issue 3.4: a listener that answers each event with another is stopped, and the session goes on', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  const refused: unknown[] = [];
  const stop = session.onEvent(() => {
    try {
      session.control({ source: 'p', class: 'plugin', text: discardLine('x') });
    } catch (error) {
      refused.push(error);
    }
  });
  await checked.turn([user('a')]);
  stop();
  assert.ok(refused.length > 0);
  assert.match(
    String(refused[0]),
    /UnloggableEventError: Nothing was logged .* because listeners answer each event with another/,
  );
  assert.equal((await checked.turn([user('a'), user('b')])).requestSequence, 2);
  await checked.close();
});

test('issue 3.4: a listener that was taken away hears nothing more', async t => {
  const checked = await checkedSession(t);
  const told: string[] = [];
  const stop = checked.session.onEvent(({ type }) => told.push(type));
  checked.session.control({ source: 'p', class: 'plugin', text: discardLine('x') });
  stop();
  checked.session.control({ source: 'p', class: 'plugin', text: discardLine('x') });
  assert.deepEqual(told, ['discard/unknown']);
  await checked.close();
});

test('issue 3.4: a listener cannot change what the session knows', async t => {
  const checked = await checkedSession(t);
  checked.session.onEvent(event => {
    (event as { seq: number }).seq = 99;
  });
  checked.session.onEvent(({ data }) => {
    (data as { requestSequence: number }).requestSequence = 99;
  });
  await checked.turn([user('a')]);
  assert.equal((await checked.turn([user('a'), user('b')])).requestSequence, 2);
  await checked.close();
});

test('issue 3: everything after close is refused with a sentence, and nothing is logged', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  const { hash } = await checked.turn([user('a')]);
  const { size } = await checked.close('done');
  const closed = {
    name: 'SessionClosedError',
    message: 'The session is closed, so nothing can be built or logged any more. Open it again.',
  };
  await assert.rejects(session.buildRequest({ messages: [user('a')], config: CONFIG }), closed);
  const source = { source: 'p', class: 'plugin', text: discardLine('plan') } as const;
  assert.throws(() => session.loadSource(source), closed);
  assert.throws(() => session.control(source), closed);
  assert.throws(() => session.inject(user('x'), 'plugin:x'), closed);
  assert.throws(() => session.response(1, { outcome: 'completed' }), closed);
  assert.throws(() => session.receipt(1, hash), closed);
  assert.throws(() => session.discard('plan', { source: 'editor', class: 'editor', trigger: 'watcher' }), closed);
  assert.equal(session.withoutDefinitions(definition('plan')), '');
  assert.equal(session.state.closed, true);
  assert.equal((await checked.file()).size, size);
});

test('issue 3: close is idempotent, also from a listener of the end, and requests that wait are refused', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  const again: Promise<void>[] = [];
  session.onEvent(({ type }) => {
    if (type === 'session/closed') {
      again.push(session.close('once more'));
      assert.throws(() => session.inject(user('x'), 'plugin:x'), SessionClosedError);
    }
  });
  await checked.turn([user('a')]);
  const waiting = session.buildRequest({ messages: [user('a')], config: CONFIG });
  const closing = session.close('the first reason');
  assert.equal(session.close(), closing);
  await assert.rejects(waiting, SessionClosedError);
  await closing;
  assert.equal(again.length, 1);
  const closed = await checked.logged('session/closed');
  assert.deepEqual(closed, [{ reason: 'the first reason' }]);
  await checked.close();
});

test('request-log 2.5: what is open when a session is closed is ended as disposed', async t => {
  const checked = await checkedSession(t);
  await checked.request([user('a')]);
  const { events } = await checked.close();
  assert.deepEqual(
    events.slice(-3).map(({ type, data }) => [type, data]),
    [
      ['step/end', { turn: 1, step: 1, requestSequence: 1, outcome: 'aborted' }],
      ['turn/end', { turn: 1, reason: { kind: 'disposed' } }],
      ['session/closed', {}],
    ],
  );
});

test('issue 3: after close no lock, no socket and no announcement is left', async t => {
  const folder = homeOf(t);
  const session = await openSession({ agent: 'test', folder, sessionId: 's' });
  assert.deepEqual(session.notices, []);
  assert.equal(listAnnouncements(join(folder, 'run')).found.length, 1);
  await session.buildRequest({ messages: [user('a')], config: CONFIG });
  await session.close();
  assert.deepEqual(readdirSync(join(folder, 'run')), []);
  assert.equal(readdirSync(join(folder, 'sessions')).length, 1);
});

for (const what of ['close', 'forget']) {
  test(`issue 3: a program that opens, builds and does ${what === 'close' ? '' : 'not '}close ends by itself`, async t => {
    const child = new Child(t, what, homeOf(t), 'host-1');
    assert.equal(await inTime(child.ended, 'the end of the program'), 0);
    assert.equal(await child.line(), 'id host-1');
    assert.equal(await child.line(), 'built 1');
    assert.equal(await child.line(), what === 'close' ? 'closed' : undefined);
  });
}
