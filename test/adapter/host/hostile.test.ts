import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_LIMITS } from '../../../adapter/host/hostLimits.ts';
import { proofOf } from '../../../local/wire/proof.ts';
import { LIMITS } from '../../../protocol/wire/messages.ts';
import { inTime } from '../../server/deadline.ts';
import { hostile, seeded, strangeRequest } from './hostileFrames.ts';
import { FakeSession, HandTimers, hosted } from './hostKit.ts';
import { frame, NONCE, RawPeer } from './rawPeer.ts';
import { Recorder } from './watcherKit.ts';

const FRAMES = 100_000;
const SECRET = 'the-secret-sentence';

/** A session whose every answer would show that a peer got what it may not have. */
function guarded(): FakeSession {
  const session = new FakeSession();
  session.append({ type: 'session/problem', seq: 0, time: 0, data: { code: 'note', sentence: SECRET } });
  session.sealed.set(1, { text: SECRET, hash: 'h', content: 'full' });
  return session;
}

/** What a peer that proved nothing got: at most the answer to one hello. */
function assertGotNothing(peer: RawPeer): void {
  assert.ok(peer.received.length <= 1, JSON.stringify(peer.received));
  const [greeting] = peer.received;
  if (greeting) {
    assert.deepEqual(Object.keys(greeting['result'] as object).sort(), ['nonce', 'proof', 'wireVersion']);
  }
}

test('wire: 100,000 malformed or hostile frames: the host lives, nothing is left over, and who proved nothing gets nothing', async t => {
  const session = guarded();
  const { host, announcement } = await hosted(t, session);
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  const handlesBefore = process.getActiveResourcesInfo().length;
  const random = seeded(20_260_101);
  let sent = 0;

  // Peers that prove nothing: some greet first, and each sends until it is closed.
  while (sent < FRAMES / 2) {
    const peers = Array.from({ length: 20 }, () => new RawPeer(announcement.address));
    for (const peer of peers) {
      if (random(3) === 0) {
        peer.send({ jsonrpc: '2.0', id: 77, method: 'hello', params: { wireVersion: 1, nonce: NONCE } });
      }
      const frames = Array.from({ length: 10 }, () => hostile(random));
      sent += frames.length;
      peer.socket.end(Buffer.concat(frames.map(one => Buffer.from(one))));
      peer.socket.resume();
    }
    await Promise.all(peers.map(peer => peer.ended()));
    for (const peer of peers) {
      assertGotNothing(peer);
    }
  }

  // Peers that proved the token and are hostile all the same: well-formed nonsense is answered with errors, the rest ends them.
  while (sent < FRAMES) {
    const peer = new RawPeer(announcement.address);
    await peer.attach(announcement);
    const requests = Array.from({ length: 990 }, (_, index) => strangeRequest(random, 1_000 + index));
    const rest = Array.from({ length: 10 }, () => hostile(random));
    sent += requests.length + rest.length;
    for (const one of [...requests, ...rest]) {
      peer.socket.write(one);
    }
    peer.socket.end();
    await peer.ended();
  }

  assert.ok(sent >= FRAMES);
  // The watcher that was there before is served as ever.
  session.add(3);
  host.push();
  await watcher.until('the events', () => watcher.events.length === 3);
  await untilOnly(host, 1);
  assert.deepEqual(host.load, { connections: 1, watchers: 1, bytesWaiting: 0 });
  assert.ok(process.getActiveResourcesInfo().length <= handlesBefore);
});

test('wire: strange requests of a watcher are each answered, with an error or with something harmless', async t => {
  const { session, announcement } = await hosted(t, guarded());
  const peer = new RawPeer(announcement.address);
  await peer.attach(announcement);
  const random = seeded(7);
  const count = 2_000;
  for (let id = 1_000; id < 1_000 + count; id++) {
    peer.socket.write(strangeRequest(random, id));
  }
  await peer.until('the last answer', message => message['id'] === 1_000 + count - 1);
  const answers = peer.received.filter(({ id }) => Number(id) >= 1_000);
  assert.equal(new Set(answers.map(({ id }) => id)).size, count);
  assert.ok(answers.filter(answer => 'error' in answer).length > count / 2);
  assert.ok(session.discards.every(({ connection }) => connection === 'editor#1'));
  peer.socket.destroy();
});

test('wire: who has not proved the token is closed after 4,096 bytes', async t => {
  const { host, announcement } = await hosted(t);
  const peer = new RawPeer(announcement.address);
  peer.socket.write(`Content-Length: ${LIMITS.unauthenticatedBytes}\r\n\r\n`);
  peer.socket.write('x'.repeat(LIMITS.unauthenticatedBytes));
  await peer.ended();
  assert.equal(peer.bytesReceived, 0);
  await untilOnly(host, 0);

  const greeted = new RawPeer(announcement.address);
  await greeted.hello();
  greeted.socket.write('x'.repeat(LIMITS.unauthenticatedBytes));
  await greeted.ended();
  assertGotNothing(greeted);
});

test('wire: who has not proved the token is closed after five seconds', async t => {
  const timers = new HandTimers();
  const { host, announcement } = await hosted(t, guarded(), { timers });
  const peer = new RawPeer(announcement.address);
  await peer.hello();
  timers.advance(HOST_LIMITS.proofMilliseconds - 1);
  assert.equal(host.load.connections, 1);
  timers.advance(1);
  await peer.ended();
  assertGotNothing(peer);

  const good = new RawPeer(announcement.address);
  await good.attach(announcement);
  timers.advance(HOST_LIMITS.proofMilliseconds * 10);
  assert.equal(host.load.watchers, 1);
  good.socket.destroy();
});

test('wire: a frame above 8 MB closes a watcher as soon as it is announced', async t => {
  const { host, announcement } = await hosted(t);
  const peer = new RawPeer(announcement.address);
  await peer.attach(announcement);
  peer.socket.write(`Content-Length: ${LIMITS.frameBytes + 1}\r\n\r\n`);
  await peer.ended();
  await untilOnly(host, 0);

  const allowed = new RawPeer(announcement.address);
  await allowed.attach(announcement);
  const answer = await allowed.ask('discard', { blockId: 'x'.repeat(LIMITS.frameBytes - 100) });
  assert.ok('result' in answer);
  allowed.socket.destroy();
});

test('wire: a wrong proof, the proof of the other side, and a proof that was seen before are all closed unanswered', async t => {
  const { host, announcement } = await hosted(t, guarded());
  const { token } = announcement;

  const earlier = new RawPeer(announcement.address);
  const first = await earlier.hello();
  const seen = proofOf('watcher', token, { watcher: NONCE, host: String(first['nonce']) });
  earlier.send({ jsonrpc: '2.0', id: 1, method: 'attach', params: { proof: seen } });
  await earlier.until('the answer', ({ id }) => id === 1);
  assert.equal(host.load.watchers, 1);
  earlier.socket.destroy();

  const wrong: ((greeting: Readonly<Record<string, unknown>>) => string)[] = [
    () => seen,
    greeting => String(greeting['proof']),
    greeting => proofOf('host', token, { watcher: NONCE, host: String(greeting['nonce']) }),
    greeting => proofOf('watcher', 'c'.repeat(64), { watcher: NONCE, host: String(greeting['nonce']) }),
    greeting => proofOf('watcher', token, { watcher: String(greeting['nonce']), host: NONCE }),
    greeting => proofOf('watcher', token, { watcher: NONCE, host: String(greeting['nonce']) }).toUpperCase(),
    () => '',
    () => 'ü'.repeat(64),
  ];
  for (const proof of wrong) {
    const peer = new RawPeer(announcement.address);
    const greeting = await peer.hello();
    peer.send({ jsonrpc: '2.0', id: 1, method: 'attach', params: { proof: proof(greeting) } });
    peer.send({ jsonrpc: '2.0', id: 2, method: 'history', params: { from: 0, to: 9 } });
    await peer.ended();
    assertGotNothing(peer);
  }
  await untilOnly(host, 0);
});

test('wire: no host nonce comes twice', async t => {
  const { announcement } = await hosted(t);
  const nonces = new Set<unknown>();
  for (let round = 0; round < 50; round++) {
    const peer = new RawPeer(announcement.address);
    nonces.add((await peer.hello())['nonce']);
    peer.socket.destroy();
  }
  assert.equal(nonces.size, 50);
});

test('wire: nothing but hello and attach comes in before the proof, and each of them once', async t => {
  const session = guarded();
  const { announcement } = await hosted(t, session);
  const hello = { jsonrpc: '2.0', id: 50, method: 'hello', params: { wireVersion: 1, nonce: NONCE } };
  const early: readonly (readonly object[])[] = [
    [{ jsonrpc: '2.0', id: 1, method: 'history', params: { from: 0, to: 9 } }],
    [{ jsonrpc: '2.0', id: 1, method: 'discard', params: { blockId: 'plan' } }],
    [{ jsonrpc: '2.0', method: 'discard', params: { blockId: 'plan' } }],
    [{ jsonrpc: '2.0', id: 1, method: 'nonsense', params: {} }],
    [{ ...hello, params: { wireVersion: 1, nonce: 'watcher:a:b' } }],
    [hello, { ...hello, id: 51 }],
    [hello, { jsonrpc: '2.0', id: 1, method: 'request', params: { requestSequence: 1, offset: 0 } }],
    [hello, { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 50 } }],
    [[hello, hello]],
  ];
  for (const messages of early) {
    const peer = new RawPeer(announcement.address);
    peer.socket.write(messages.map(message => frame(message)).join(''));
    await peer.ended();
    assertGotNothing(peer);
    assert.ok(!JSON.stringify(peer.received).includes(SECRET));
  }
  assert.equal(session.discards.length, 0);
});

test('wire: a flood of connections that prove nothing is cut off, and a watcher that is there stays', async t => {
  const timers = new HandTimers();
  const { session, host, announcement } = await hosted(t, new FakeSession(), { timers });
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  const flood = Array.from({ length: HOST_LIMITS.connections * 2 }, () => new RawPeer(announcement.address));
  const cut = flood.slice(HOST_LIMITS.connections).map(peer => peer.closed);
  await inTime(Promise.any(cut), 'the first refused connection');
  assert.ok(host.load.connections <= HOST_LIMITS.connections);
  session.add(1);
  host.push();
  await watcher.until('the event', () => watcher.events.length === 1);
  let left = flood.length;
  for (const peer of flood) {
    void peer.closed.then(() => {
      left -= 1;
    });
  }
  while (left > 0) {
    timers.advance(HOST_LIMITS.proofMilliseconds);
    await new Promise(resolve => setImmediate(resolve));
  }
  assert.equal(host.load.watchers, 1);
});

async function untilOnly(
  host: { readonly load: { readonly connections: number } },
  connections: number,
): Promise<void> {
  while (host.load.connections > connections) {
    await new Promise(resolve => setImmediate(resolve));
  }
}
