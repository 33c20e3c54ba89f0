import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectToSession } from '../../../local/sessionConnection.ts';
import { FakeSession, HandTimers, HEADER, hosted, relayTo } from '../../adapter/host/hostKit.ts';
import { openWindow } from './registryKit.ts';

test('editor-bugs 69: a connection that is cut is tried again after a while, and goes on from the last event', async t => {
  const { session, host, announcement } = await hosted(t);
  session.add(3);
  const relay = await relayTo(t, announcement);
  const timers = new HandTimers();
  const seqs: number[] = [];
  const { registry, until } = openWindow(t, [], {
    connect: (found, callbacks, options) =>
      connectToSession(found, callbacks, { ...options, timers, random: () => 0, find: last => last }),
    events: (_, events) => seqs.push(...events.map(({ seq }) => seq)),
  });
  registry.announcedAre([relay.announcement]);
  timers.advance(0);
  await until('the session', () => registry.current?.link.kind === 'connected');
  session.add(1);
  host.push();
  await until('an event', () => registry.current?.state.nextSeq === 4);

  relay.cut();
  await until('the loss', () => registry.current?.link.kind === 'lost');
  assert.equal(registry.current?.state.nextSeq, 4);
  session.add(2);
  host.push();
  timers.advance(124);
  assert.equal(registry.current?.link.kind, 'lost');
  timers.advance(1);
  await until('the events that were missed', () => registry.current?.state.nextSeq === 6);
  assert.equal(registry.current?.link.kind, 'connected');
  assert.deepEqual(seqs, [3, 4, 5]);
});

test('a person who asks again does not wait for the next attempt', async t => {
  const { announcement } = await hosted(t);
  const relay = await relayTo(t, announcement);
  const timers = new HandTimers();
  const { registry, until } = openWindow(t, [], {
    connect: (found, callbacks, options) =>
      connectToSession(found, callbacks, { ...options, timers, find: last => last }),
  });
  registry.announcedAre([relay.announcement]);
  timers.advance(0);
  await until('the session', () => registry.current?.link.kind === 'connected');
  relay.cut();
  await until('the loss', () => registry.current?.link.kind === 'lost');
  registry.attach(HEADER.id);
  timers.advance(0);
  await until('the session again', () => registry.current?.link.kind === 'connected');
});

test('editor-bugs 69: at the same socket answers another session, and nothing of the first is left', async t => {
  const first = await hosted(t);
  first.session.add(4);
  const other = new FakeSession({ ...HEADER, id: 'session-2' });
  other.add(2);
  const second = await hosted(t, other);
  const relay = await relayTo(t, first.announcement);
  const timers = new HandTimers();
  const { registry, until } = openWindow(t, [], {
    connect: (found, callbacks, options) =>
      connectToSession(found, callbacks, { ...options, timers, random: () => 0, find: () => second.announcement }),
  });
  registry.announcedAre([relay.announcement]);
  timers.advance(0);
  await until('the first', () => registry.current?.state.nextSeq === 4);
  relay.cut();
  await until('the loss', () => registry.current?.link.kind === 'lost');
  timers.advance(125);
  await until('the other', () => registry.current?.header.id === 'session-2');
  assert.equal(registry.current?.state.nextSeq, 2);
});

test('a window that is closed while it waits leaves no timer', async t => {
  const { announcement } = await hosted(t);
  const relay = await relayTo(t, announcement);
  const timers = new HandTimers();
  const { registry, until, dispose } = openWindow(t, [], {
    connect: (found, callbacks, options) =>
      connectToSession(found, callbacks, { ...options, timers, find: last => last }),
  });
  registry.announcedAre([relay.announcement]);
  assert.equal(timers.waiting, 1);
  timers.advance(0);
  await until('the session', () => registry.current?.link.kind === 'connected');
  relay.cut();
  await until('the loss', () => registry.current?.link.kind === 'lost');
  assert.equal(timers.waiting, 1);
  dispose();
  assert.equal(timers.waiting, 0);
});
