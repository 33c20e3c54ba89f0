import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AttachedSession } from '../../../client/session/attachedSession.ts';
import { SessionRegistry } from '../../../client/session/sessionRegistry.ts';
import { connectToSession } from '../../../local/sessionConnection.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import { stateToJson } from '../../../protocol/log/stateJson.ts';
import { hosted } from '../../adapter/host/hostKit.ts';
import { inTime } from '../../server/deadline.ts';
import { FakeConnection, FOUND, note } from './fakeConnection.ts';

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

const EVENTS = Array.from({ length: 300 }, (_, seq) => note(seq));

test('a thousand sessions that come and go leave neither connections nor memory behind', async () => {
  let open = 0;
  let last: FakeConnection | undefined;
  const registry = new SessionRegistry({
    connect(announcement, callbacks, options) {
      const connection = new FakeConnection(announcement, callbacks, options);
      open += 1;
      connection.close = () => {
        open -= connection.closed ? 0 : 1;
        connection.closed = true;
      };
      last = connection;
      return connection;
    },
    isGone: () => Promise.resolve(false),
    findLog: () => Promise.resolve(undefined),
    now: () => 1,
    events: () => {},
    refused: () => {},
    workspaceFolders: () => ['/work'],
    autoAttach: () => true,
    remembered: { attached: [] },
    remember: () => {},
    failed: error => {
      throw error;
    },
  });
  const heap: number[] = [];
  let told = 0;
  for (let cycle = 1; cycle <= 1_000; cycle++) {
    const listening = registry.onChange(() => {
      told += registry.all.length;
    });
    const session = `s${cycle}`;
    registry.announcedAre([{ ...FOUND, session, file: `/run/${session}.json` }]);
    const snapshot = stateToJson(EVENTS.slice(0, 100).reduce(reduce, initialState));
    last?.attach({ header: { version: 1, id: session, agent: 'test', created: cycle }, nextSeq: 100, snapshot });
    last?.say.events(EVENTS.slice(100));
    await setImmediate();
    last?.say.state({ kind: 'ended', sentence: 'The session has ended.' });
    registry.announcedAre([]);
    await setImmediate();
    listening.dispose();
    if (cycle === 200 || cycle === 1_000) {
      collect();
      heap.push(process.memoryUsage().heapUsed);
    }
  }
  assert.equal(open, 0);
  assert.ok(told > 1_000);
  assert.equal(registry.all.length, 5);
  const [early = 0, late = 0] = heap;
  assert.ok(late <= early * 1.1, `${early} bytes after 200 cycles, ${late} after 1,000`);
  registry.dispose();
});

test('a thousand connections to a real session leave no socket and no timer behind', async t => {
  const { host, announcement } = await hosted(t);
  const count = (kind: string) => process.getActiveResourcesInfo().filter(name => name === kind).length;
  const before = { pipes: count('PipeWrap'), timers: count('Timeout') };
  for (let cycle = 1; cycle <= 1_000; cycle++) {
    let connected: () => void = () => {};
    const attached = new Promise<void>(resolve => {
      connected = resolve;
    });
    const session: AttachedSession = new AttachedSession(announcement, {
      connect: connectToSession,
      isGone: () => Promise.resolve(false),
      findLog: () => Promise.resolve(undefined),
      now: () => 1,
      changed: () => session.link.kind === 'connected' && connected(),
      events: () => {},
      refused: () => {},
    });
    await inTime(attached, `connection ${cycle}`);
    session.dispose();
  }
  const closed = async () => {
    while (host.load.connections > 0 || count('PipeWrap') > before.pipes) {
      await setImmediate();
    }
  };
  await inTime(closed(), 'the end of the last connections');
  assert.deepEqual({ pipes: count('PipeWrap'), timers: count('Timeout') }, before);
});
