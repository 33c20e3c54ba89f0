import assert from 'node:assert/strict';
import { lstatSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { HOST_LIMITS } from '../../../adapter/host/hostLimits.ts';
import { reduce } from '../../../protocol/log/reduce.ts';
import { stateFromJson, stateToJson } from '../../../protocol/log/stateJson.ts';
import { FakeSession, hosted } from './hostKit.ts';
import { Recorder } from './watcherKit.ts';

test('wire: a watcher that knows nothing gets the policy and a snapshot, and then every event, in order', async t => {
  const { session, host, announcement } = await hosted(t);
  session.add(3);
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  const [attachment] = watcher.attachments;
  assert.ok(attachment?.snapshot);
  assert.equal(attachment.reset, true);
  assert.equal(attachment.nextSeq, 3);
  assert.deepEqual(attachment.policy, session.policy);
  assert.deepEqual(attachment.header, session.header);
  assert.equal(attachment.mayDiscard, true);

  session.add(5);
  host.push();
  await watcher.until('the events', () => watcher.events.length === 5);
  const state = watcher.events.reduce(reduce, stateFromJson(attachment.snapshot));
  assert.deepEqual(stateToJson(state), stateToJson(session.state()));
});

test('wire: many watchers each get everything, and every one has its own label in a discard', async t => {
  const { session, host, announcement } = await hosted(t);
  const watchers = Array.from({ length: HOST_LIMITS.watchers }, () => new Recorder(t, announcement));
  await Promise.all(watchers.map(watcher => watcher.connected()));
  assert.equal(host.load.watchers, HOST_LIMITS.watchers);
  session.add(100);
  host.push();
  await Promise.all(watchers.map(watcher => watcher.until('100 events', () => watcher.events.length === 100)));
  for (const watcher of watchers) {
    assert.deepEqual(
      watcher.events.map(({ seq }) => seq),
      session.list.map(({ seq }) => seq),
    );
    assert.equal(await watcher.connection.discard('plan'), 'discarded');
  }
  const labels = session.discards.map(({ connection }) => connection);
  assert.equal(new Set(labels).size, HOST_LIMITS.watchers);
  assert.ok(labels.every(label => /^editor#\d+$/.test(label)));
});

test('wire: one watcher too many is told so and may try again', async t => {
  const { announcement } = await hosted(t);
  const watchers = Array.from({ length: HOST_LIMITS.watchers }, () => new Recorder(t, announcement));
  await Promise.all(watchers.map(watcher => watcher.connected()));
  const late = new Recorder(t, announcement);
  await late.until('a refusal', () => late.state === 'lost');
  const state = late.states.at(-1);
  assert.ok(state?.kind === 'lost' && /others watch this session already/.test(state.sentence));
  watchers[0]?.connection.close();
  await late.connected();
});

test('wire: what a watcher asks for: history, a request in pieces, a what-if, a discard that is denied', async t => {
  const { session, announcement } = await hosted(t);
  session.add(2_500, 1_000);
  // A pair of surrogates stands where two pieces meet.
  const text = `${'a'.repeat(HOST_LIMITS.pieceLength - 1)}😀${'"'.repeat(HOST_LIMITS.pieceLength)}`;
  session.sealed.set(7, { text, hash: 'h', content: 'full' });
  const watcher = new Recorder(t, announcement);
  await watcher.connected();

  const history = await watcher.connection.history(3, 2_400);
  assert.deepEqual(history, session.list.slice(3, 2_400));
  assert.deepEqual(await watcher.connection.history(2_490, 9_999), session.list.slice(2_490));

  assert.deepEqual(await watcher.connection.readRequest(7), { text, hash: 'h', content: 'full' });
  assert.equal(session.rebuilds, 1);
  await assert.rejects(watcher.connection.readRequest(8), { message: 'This session has no request 8.' });

  assert.equal(await watcher.connection.whatIf('plan'), null);
  session.outcome = 'denied';
  assert.equal(await watcher.connection.discard('plan'), 'denied');
});

test('wire: an error of the session is one sentence for who asked, and the connection stays', async t => {
  const session = new FakeSession();
  session.sealedText = () => {
    throw new Error('The log is corrupt at event 3.');
  };
  const { announcement } = await hosted(t, session);
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  await assert.rejects(watcher.connection.readRequest(1), { message: 'The log is corrupt at event 3.' });
  assert.equal(await watcher.connection.discard('plan'), 'discarded');
});

test('wire: an event that does not fit into a frame ends the connection with a sentence', async t => {
  const { session, host, announcement } = await hosted(t);
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  session.add(2);
  session.add(1, HOST_LIMITS.payloadBytes);
  host.push();
  await watcher.until('the end', () => watcher.state === 'ended');
  const sentence = "Event 2 of this session is too large to be sent. Read the session's log instead.";
  assert.deepEqual(watcher.states.at(-1), { kind: 'ended', sentence });
  assert.equal(watcher.events.length, 2);

  const other = new Recorder(t, announcement, { known: { session: session.header.id, nextSeq: 3 } });
  await other.connected();
  assert.equal((await other.connection.history(0, 2)).length, 2);
  await assert.rejects(other.connection.history(2, 3), { message: sentence });
});

test('wire: events come without content', async t => {
  const { session, host, announcement } = await hosted(t);
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  session.append({
    type: 'host/message',
    seq: 0,
    time: 0,
    surfaceOp: 'append',
    data: { message: { role: 'user', content: 'the secret plan' }, units: ['u'] },
  });
  host.push();
  await watcher.until('the event', () => watcher.events.length === 1);
  const wire = JSON.stringify(watcher.events);
  assert.ok(!wire.includes('secret'));
  assert.ok(wire.includes('"role":"user"') && wire.includes('sha256'));
  assert.ok(!JSON.stringify(await watcher.connection.history(0, 1)).includes('secret'));
});

test('wire: at the end watchers get the last events and the reason, and neither file nor socket is left', async t => {
  const { session, host, folder, announcement } = await hosted(t);
  assert.equal(lstatSync(announcement.address).mode & 0o777, 0o600);
  assert.equal(lstatSync(announcement.file).mode & 0o777, 0o600);
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  session.add(10_000, 300);
  await host.close('The agent was closed.');
  await watcher.until('the end', () => watcher.state === 'ended');
  assert.equal(watcher.events.length, 10_000);
  assert.deepEqual(watcher.states.at(-1), { kind: 'ended', sentence: 'The agent was closed.' });
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(host.load, { connections: 0, watchers: 0, bytesWaiting: 0 });
  await assert.rejects(watcher.connection.discard('plan'), { message: 'The agent was closed.' });
});
