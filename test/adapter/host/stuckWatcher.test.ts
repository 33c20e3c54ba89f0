import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_LIMITS } from '../../../adapter/host/hostLimits.ts';
import { inTime } from '../../server/deadline.ts';
import { FakeSession, HandTimers, hosted } from './hostKit.ts';
import { RawPeer } from './rawPeer.ts';
import { Recorder } from './watcherKit.ts';

/** Events of one request: audit, messages, step, header, seal, receipt, ends. */
const EVENTS_PER_REQUEST = 10;

test('wire: over 10,000 requests a stuck watcher keeps at most one batch waiting, costs a push nothing, and others get everything', async t => {
  const session = new FakeSession();
  let eventsRead = 0;
  const { host, announcement } = await hosted(t, session, {
    events: () => {
      eventsRead += 1;
      return session.list;
    },
  });
  const stuck = new RawPeer(announcement.address);
  await stuck.attach(announcement);
  stuck.socket.pause();
  const good = new Recorder(t, announcement);
  await good.connected();

  let mostWaiting = 0;
  for (let request = 1; request <= 10_000; request++) {
    session.add(EVENTS_PER_REQUEST, 200);
    const before = eventsRead;
    host.push();
    assert.equal(eventsRead, before, 'a push looks at nothing by itself');
    if (request % 50 === 0) {
      await good.until(`request ${request}`, () => good.events.length === session.list.length);
      mostWaiting = Math.max(mostWaiting, host.load.bytesWaiting);
    }
  }
  assert.equal(good.events.length, 10_000 * EVENTS_PER_REQUEST);
  assert.ok(mostWaiting > 0, 'the watcher is really stuck');
  assert.ok(mostWaiting <= HOST_LIMITS.batchBytes + 1_000, `${mostWaiting} bytes waited`);

  // Pushes that find it still stuck ask the session for nothing.
  good.connection.close();
  await good.until('the end of the good one', () => true);
  await untilLoad(() => host.load.connections === 1);
  const before = eventsRead;
  for (let push = 0; push < 1_000; push++) {
    host.push();
  }
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(eventsRead, before);

  // When it reads again it gets all of it, without a gap.
  stuck.socket.resume();
  await stuck.until('the last event', message => lastSeq(message) === session.list.length - 1);
  const seqs = stuck.received.flatMap(message => eventsOf(message).map(({ seq }) => seq));
  assert.equal(seqs.length, session.list.length);
  assert.ok(seqs.every((seq, index) => seq === index));
  stuck.socket.destroy();
});

test('wire: a watcher that sends requests and reads no answers is not read from any more', async t => {
  const session = new FakeSession();
  session.add(2_000, 1_000);
  const { host, announcement } = await hosted(t, session);
  const peer = new RawPeer(announcement.address);
  await peer.attach(announcement);
  peer.socket.pause();
  const requests = 5_000;
  for (let id = 1_000; id < 1_000 + requests; id++) {
    peer.send({ jsonrpc: '2.0', id, method: 'history', params: { from: 0, to: 2_000 } });
  }
  await untilLoad(() => host.load.bytesWaiting > 0);
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  await watcher.connection.history(0, 2_000);
  const most = HOST_LIMITS.unanswered * (HOST_LIMITS.historyBytes + 10_000);
  assert.ok(host.load.bytesWaiting <= most, `${host.load.bytesWaiting} bytes waited`);
  assert.ok(peer.socket.writableLength > 0, 'the requests wait at the watcher');
  peer.socket.destroy();
  await untilLoad(() => host.load.connections === 1);
});

test('wire: at the end a stuck watcher is waited for no longer than the clock says', async t => {
  const session = new FakeSession();
  const timers = new HandTimers();
  const { host, announcement } = await hosted(t, session, { timers });
  const stuck = new RawPeer(announcement.address);
  await stuck.attach(announcement);
  assert.equal(timers.waiting, 0);
  stuck.socket.pause();
  session.add(20_000, 200);
  host.push();
  await untilLoad(() => host.load.bytesWaiting > 0);
  const closed = host.close();
  timers.advance(HOST_LIMITS.closingMilliseconds - 1);
  assert.equal(host.load.connections, 1);
  timers.advance(1);
  await inTime(closed, 'the end of the host');
  assert.deepEqual(host.load, { connections: 0, watchers: 0, bytesWaiting: 0 });
});

async function untilLoad(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await new Promise(resolve => setImmediate(resolve));
  }
}

function eventsOf(message: Readonly<Record<string, unknown>>): readonly { readonly seq: number }[] {
  const params = message['params'] as { readonly events?: readonly { readonly seq: number }[] } | undefined;
  return params?.events ?? [];
}

function lastSeq(message: Readonly<Record<string, unknown>>): number | undefined {
  return eventsOf(message).at(-1)?.seq;
}
