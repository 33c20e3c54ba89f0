import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { HOST_LIMITS } from '../../../adapter/host/hostLimits.ts';
import type { FoundAnnouncement } from '../../../local/announcements.ts';
import { FakeSession, HandTimers, HEADER, hosted, privateFolder, relayTo } from './hostKit.ts';
import { RawPeer } from './rawPeer.ts';
import { Recorder } from './watcherKit.ts';

test('wire: the same session continues from the last event that the watcher has, also at a new socket with a new token', async t => {
  const folder = privateFolder(t);
  const session = new FakeSession();
  session.add(10);
  const first = await hosted(t, session, { folder });
  const relay = await relayTo(t, first.announcement);
  const watcher = new Recorder(t, relay.announcement);
  await watcher.connected();
  session.add(5);
  first.host.push();
  await watcher.until('five events', () => watcher.events.length === 5);

  // The agent dies without a word, goes on with the same session in another process, and meanwhile more happened.
  const second = await hosted(t, session, { folder, now: () => Date.now() + 1_000 });
  session.add(3);
  relay.cut();
  await watcher.until('a loss', () => watcher.states.some(({ kind }) => kind === 'lost'));
  await watcher.connected(2);
  await watcher.until('the rest', () => watcher.events.length === 8);
  assert.equal(watcher.connection.announcement.file, second.announcement.file);
  assert.equal(watcher.attachments[1]?.reset, false);
  assert.equal(watcher.attachments[1]?.snapshot, undefined);
  assert.deepEqual(
    watcher.events.map(({ seq }) => seq),
    [10, 11, 12, 13, 14, 15, 16, 17],
  );
});

test('wire: another session clears what was known', async t => {
  const first = await hosted(t);
  first.session.add(4);
  const other = new FakeSession({ ...HEADER, id: 'session-2' });
  other.add(4);
  const second = await hosted(t, other);
  const relay = await relayTo(t, first.announcement);
  const watcher = new Recorder(t, relay.announcement, { find: () => second.announcement });
  await watcher.connected();
  relay.cut();
  await watcher.connected(2);
  assert.equal(watcher.attachments[1]?.header.id, 'session-2');
  assert.equal(watcher.attachments[1]?.reset, true);
  assert.ok(watcher.attachments[1]?.snapshot);
});

test('wire: the same session with another log clears what was known of the first', async t => {
  const folder = privateFolder(t);
  const first = await hosted(t, new FakeSession(), { folder });
  first.session.add(4);
  const copy = new FakeSession({ ...HEADER, created: 2 });
  copy.add(6);
  const second = await hosted(t, copy, { folder });
  const relay = await relayTo(t, first.announcement);
  const watcher = new Recorder(t, relay.announcement, { find: () => second.announcement });
  await watcher.connected();
  relay.cut();
  await watcher.connected(2);
  assert.equal(watcher.attachments[1]?.reset, true);
  assert.equal(watcher.attachments[1]?.snapshot?.nextSeq, 6);
  assert.equal(watcher.events.length, 0);
});

test('wire: who begins with what an earlier connection knew gets what follows', async t => {
  const { session, host, announcement } = await hosted(t);
  session.add(20);
  const watcher = new Recorder(t, announcement, { known: { session: HEADER.id, nextSeq: 12 } });
  await watcher.until('eight events', () => watcher.events.length === 8);
  assert.equal(watcher.attachments[0]?.reset, false);
  assert.equal(watcher.events[0]?.seq, 12);
  session.add(1);
  host.push();
  await watcher.until('the ninth', () => watcher.events.length === 9);
});

test('wire: a watcher that missed too many events, or knows more than there is, gets a snapshot', async t => {
  const { session, announcement } = await hosted(t);
  session.add(HOST_LIMITS.missedEvents + 100);
  for (const nextSeq of [99, HOST_LIMITS.missedEvents + 101]) {
    const watcher = new Recorder(t, announcement, { known: { session: HEADER.id, nextSeq } });
    await watcher.connected();
    assert.equal(watcher.attachments[0]?.reset, true);
    assert.equal(watcher.attachments[0]?.snapshot?.nextSeq, session.list.length);
  }
});

test('wire: a state that does not fit into a frame is not sent: the events come from the first', async t => {
  const { session, announcement } = await hosted(t);
  session.add(9, 1_000_000);
  const watcher = new Recorder(t, announcement);
  await watcher.until('all events', () => watcher.events.length === 9);
  assert.equal(watcher.attachments[0]?.snapshot, undefined);
  assert.equal(watcher.attachments[0]?.reset, true);
  assert.equal(watcher.attachments[0]?.nextSeq, 0);
});

test('wire: a state that is ahead of the disk is not sent', async t => {
  const session = new FakeSession();
  session.add(6);
  const { announcement } = await hosted(t, session, { events: () => session.list.slice(0, 4) });
  const watcher = new Recorder(t, announcement);
  await watcher.until('what is on disk', () => watcher.events.length === 4);
  assert.equal(watcher.attachments[0]?.snapshot, undefined);
});

test('wire: retries wait longer each time, up to half a minute, spread by chance', async t => {
  const { host, announcement } = await hosted(t);
  await host.close();
  const timers = new HandTimers();
  const watcher = new Recorder(t, announcement, { timers, random: () => 0.5 });
  const delays: number[] = [];
  timers.advance(0);
  for (let round = 1; round <= 9; round++) {
    await watcher.until(`loss ${round}`, () => watcher.states.filter(({ kind }) => kind === 'lost').length === round);
    const state = watcher.states.at(-1);
    assert.ok(state?.kind === 'lost');
    assert.equal(state.sentence, 'Nobody listens at the socket.');
    delays.push(state.retryMilliseconds);
    timers.advance(state.retryMilliseconds);
  }
  assert.deepEqual(delays, [188, 375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500]);
  watcher.connection.close();
  assert.equal(timers.waiting, 0);
});

test('wire: after a connection that lasted, retries begin with short waits again', async t => {
  const { announcement } = await hosted(t);
  const relay = await relayTo(t, announcement);
  const timers = new HandTimers();
  const delays: number[] = [];
  const watcher = new Recorder(t, relay.announcement, { timers, random: () => 0, find: () => relay.announcement });
  for (let round = 1; round <= 3; round++) {
    timers.advance(1_000);
    await watcher.connected(round);
    timers.advance(10_000);
    relay.cut();
    await watcher.until('a loss', () => watcher.state === 'lost');
    const state = watcher.states.at(-1);
    delays.push(state?.kind === 'lost' ? state.retryMilliseconds : 0);
  }
  assert.deepEqual(delays, [125, 125, 125]);
});

test('wire: a host that lets watchers in and drops them at once makes no storm of connections', async t => {
  const { announcement } = await hosted(t);
  const relay = await relayTo(t, announcement);
  const timers = new HandTimers();
  const delays: number[] = [];
  const watcher = new Recorder(t, relay.announcement, { timers, random: () => 0, find: () => relay.announcement });
  timers.advance(0);
  for (let round = 1; round <= 4; round++) {
    await watcher.connected(round);
    relay.cut();
    await watcher.until('a loss', () => watcher.state === 'lost');
    const state = watcher.states.at(-1);
    delays.push(state?.kind === 'lost' ? state.retryMilliseconds : 0);
    timers.advance(delays.at(-1) ?? 0);
  }
  assert.deepEqual(delays, [125, 250, 500, 1_000]);
});

test('wire: retry() does not wait for the next attempt', async t => {
  const folder = privateFolder(t);
  const first = await hosted(t, new FakeSession(), { folder });
  await first.host.close();
  const timers = new HandTimers();
  const watcher = new Recorder(t, first.announcement, { timers });
  timers.advance(0);
  await watcher.until('a loss', () => watcher.state === 'lost');
  await hosted(t, new FakeSession(), { folder });
  watcher.connection.retry();
  timers.advance(0);
  await watcher.connected();
});

test('wire: after close() nothing is told, and questions are refused', async t => {
  const { session, host, announcement } = await hosted(t);
  const watcher = new Recorder(t, announcement);
  const other = new Recorder(t, announcement);
  await Promise.all([watcher.connected(), other.connected()]);
  session.add(50);
  host.push();
  watcher.connection.close();
  const told = [watcher.states.length, watcher.events.length];
  await other.until('the events', () => other.events.length === 50);
  await host.close();
  await other.until('the end', () => other.state === 'ended');
  assert.deepEqual([watcher.states.length, watcher.events.length], told);
  await assert.rejects(watcher.connection.history(0, 1), { message: 'The connection to the session was closed.' });
});

test('wire: a question that is open when the connection is lost is answered with a sentence', async t => {
  const { session, announcement } = await hosted(t);
  const relay = await relayTo(t, announcement);
  const watcher = new Recorder(t, relay.announcement);
  await watcher.connected();
  const asked = watcher.connection.discard('plan');
  relay.cut();
  await assert.rejects(asked, { message: 'The connection to the session was lost before it answered.' });
  await watcher.connected(2);
  assert.ok(session.discards.length <= 1);
});

for (const [which, wireVersion] of [
  ['newer', 2],
  ['older', 0],
] as const) {
  test(`wire: a session of a ${which} version is refused with one sentence, and not tried again`, async t => {
    const { host, announcement } = await hosted(t);
    const timers = new HandTimers();
    const announced = new Recorder(t, { ...announcement, wireVersion }, { timers });
    timers.advance(0);
    assert.deepEqual(
      announced.states.map(({ kind }) => kind),
      ['ended'],
    );
    const state = announced.states[0];
    assert.ok(state?.kind === 'ended');
    assert.match(
      state.sentence,
      new RegExp(`speaks version ${wireVersion} of the connection, and version 1 is needed`),
    );
    assert.equal(timers.waiting, 0);
    assert.equal(host.load.connections, 0);
  });

  test(`wire: a host that turns out to be of a ${which} version only when it answers is refused alike`, async t => {
    const folder = privateFolder(t);
    const { announcement } = await hosted(t, new FakeSession(), { folder });
    const address = `${folder}/other.sock`;
    const server = createServer(socket => {
      socket.on('error', () => {});
      socket.once('data', () => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 0, result: { wireVersion, somethingNew: true } });
        socket.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
      });
    });
    await new Promise<void>(resolve => server.listen(address, resolve));
    t.after(() => server.close());
    const timers = new HandTimers();
    const watcher = new Recorder(t, { ...announcement, address }, { timers });
    timers.advance(0);
    await watcher.until('the end', () => watcher.state === 'ended');
    const state = watcher.states.at(-1);
    assert.ok(state?.kind === 'ended' && /can't be watched/.test(state.sentence));
    assert.equal(timers.waiting, 0);
  });
}

test('wire: a watcher of another version is told the version of the host, and gets nothing else', async t => {
  const { host, announcement } = await hosted(t);
  const peer = new RawPeer(announcement.address);
  const greeting = await peer.hello(2);
  assert.equal(greeting['wireVersion'], 1);
  peer.send({ jsonrpc: '2.0', id: 9, method: 'attach', params: { proof: 'x' } });
  await peer.ended();
  assert.equal(peer.received.length, 1);
  assert.equal(host.load.connections, 0);
});

test('wire: a watcher does not prove the token to somebody who sits at the socket and does not know it', async t => {
  const { announcement } = await hosted(t);
  const timers = new HandTimers();
  const fake = { ...announcement, token: 'b'.repeat(64) } satisfies FoundAnnouncement;
  const watcher = new Recorder(t, fake, { timers });
  timers.advance(0);
  await watcher.until('the end', () => watcher.state === 'ended');
  const state = watcher.states.at(-1);
  assert.ok(state?.kind === 'ended' && /could not prove its token/.test(state.sentence));
  assert.equal(watcher.attachments.length, 0);
  assert.equal(timers.waiting, 0);
});

test('wire: a host that never answers is given up after ten seconds, and tried again', async t => {
  const folder = privateFolder(t);
  const { announcement } = await hosted(t, new FakeSession(), { folder });
  const address = `${folder}/silent.sock`;
  const connections: Promise<void>[] = [];
  const server = createServer(socket => {
    socket.on('error', () => {});
    connections.push(new Promise(resolve => socket.once('close', () => resolve())));
    socket.once('data', () => timers.advance(10_000));
    socket.resume();
  });
  await new Promise<void>(resolve => server.listen(address, resolve));
  t.after(() => server.close());
  const timers = new HandTimers();
  const watcher = new Recorder(t, { ...announcement, address }, { timers });
  timers.advance(0);
  await watcher.until('a loss', () => watcher.state === 'lost');
  const state = watcher.states.at(-1);
  assert.ok(state?.kind === 'lost');
  assert.equal(state.sentence, 'The session did not answer within 10 seconds.');
  await Promise.all(connections);
  assert.equal(connections.length, 1);
});

test('wire: what a callback throws ends the connection with its sentence', async t => {
  const { session, host, announcement } = await hosted(t);
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  watcher.events.push = () => {
    throw new Error('Event 0 contradicts the events before it.');
  };
  session.add(1);
  host.push();
  await watcher.until('the end', () => watcher.state === 'ended');
  assert.deepEqual(watcher.states.at(-1), { kind: 'ended', sentence: 'Event 0 contradicts the events before it.' });
});
