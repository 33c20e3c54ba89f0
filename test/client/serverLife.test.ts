import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ServerCondition, ServerLife } from '../../client/serverLife.ts';
import { type FakeClient, lifeOf, settle } from './fakeLife.ts';

test('a start is reported, then the running client is there', async () => {
  const { life, clients, states } = lifeOf();
  const done = life.restart();
  await settle();
  assert.equal(life.running, undefined);
  clients[0]!.started.resolve();
  await done;
  assert.deepEqual(states(), ['starting', 'running']);
  assert.equal(life.running, clients[0]);
});

test('who waits until all is settled gets the client of the last restart, or none when it failed', async () => {
  const { life, clients } = lifeOf();
  assert.equal(await life.settled(), undefined);
  const first = life.restart();
  await settle();
  const waiting = life.settled();
  const second = life.restart();
  clients[0]!.started.resolve();
  clients[0]!.ended.resolve();
  await first;
  await settle();
  clients[1]!.started.resolve();
  assert.equal(await waiting, clients[1]);
  await second;
  void life.restart();
  const late = life.settled();
  clients[1]!.ended.resolve();
  await settle();
  clients[2]!.started.reject(new Error('no such file'));
  clients[2]!.ended.resolve();
  assert.equal(await late, undefined);
});

test('a restart asked for during a restart runs once more at the end, however often it was asked for', async () => {
  const { life, clients } = lifeOf();
  const first = life.restart();
  await settle();
  const others = [life.restart(), life.restart(), life.restart()];
  clients[0]!.started.resolve();
  clients[0]!.ended.resolve();
  await first;
  await settle();
  clients[1]!.started.resolve();
  await Promise.all(others);
  assert.equal(clients.length, 2);
  assert.equal(clients[0]!.disposals, 1);
  assert.equal(life.running, clients[1]);
});

test('editor-bugs 55: a client is stopped only after its start has ended, and a failed start makes a new client', async () => {
  const { life, clients, reports, log } = lifeOf();
  const first = life.restart();
  await settle();
  const second = life.restart();
  await settle();
  assert.equal(clients[0]!.disposals, 0, 'nobody stops a client that is starting');
  clients[0]!.started.reject(new Error('no such file'));
  clients[0]!.ended.reject(new Error("Client is not running and can't be stopped"));
  await first;
  assert.deepEqual(reports.at(-1), {
    state: 'stopped',
    reason: { template: 'The language server could not start: {0}.', values: ['no such file'] },
  });
  assert.deepEqual(log, [], 'the second error hides nothing');
  await settle();
  clients[1]!.started.resolve();
  await second;
  assert.equal(clients[0]!.starts, 1, 'the failed client is not used again');
  assert.equal(life.running, clients[1]);
});

test('a client that was replaced is not listened to any more', async () => {
  const { life, clients, states } = lifeOf();
  const first = life.restart();
  await settle();
  clients[0]!.started.resolve();
  await first;
  const second = life.restart();
  clients[0]!.ended.resolve();
  await settle();
  clients[1]!.started.resolve();
  await second;
  const before = states();
  clients[0]!.signals.ended();
  clients[0]!.signals.broke(new Error('late'));
  await settle();
  assert.deepEqual(states(), before);
  assert.equal(clients.length, 2);
});

test('a server that does not stop in time is noted in the log, and the new one starts all the same', async () => {
  const { life, clients, log } = lifeOf();
  const first = life.restart();
  await settle();
  clients[0]!.started.resolve();
  await first;
  const second = life.restart();
  clients[0]!.ended.reject(new Error('Stopping the server timed out'));
  await settle();
  clients[1]!.started.resolve();
  await second;
  assert.deepEqual(log, ['The language server did not stop cleanly: Stopping the server timed out']);
  assert.equal(life.running, clients[1]);
});

test('a client that cannot even be made is a reported condition', async () => {
  const reports: ServerCondition[] = [];
  const life = new ServerLife<FakeClient>({
    makeClient: () => {
      throw new Error('too old an editor');
    },
    report: condition => reports.push(condition),
    log: () => undefined,
  });
  await life.restart();
  assert.deepEqual(reports.at(-1)?.reason?.values, ['too old an editor']);
});

test('a start that never answers is given up at its deadline', async () => {
  const { life, clients, reports } = lifeOf(1);
  const done = life.restart();
  await settle();
  clients[0]!.ended.resolve();
  await done;
  assert.equal(reports.at(-1)?.state, 'stopped');
  assert.deepEqual(reports.at(-1)?.reason?.values, ['it gave no answer within 0.001 seconds']);
});

test('switching off does not wait for a start, tells no reason, and nothing starts after it', async () => {
  const { life, clients, reports } = lifeOf();
  void life.restart();
  await settle();
  void life.restart();
  clients[0]!.ended.resolve();
  await life.dispose();
  assert.deepEqual(reports.at(-1), { state: 'stopped' });
  assert.equal(clients.length, 1);
  assert.equal(clients[0]!.disposals, 1);
});

test('switching off waits until the server is gone', async () => {
  const { life, clients } = lifeOf();
  const done = life.restart();
  await settle();
  clients[0]!.started.resolve();
  await done;
  let gone = false;
  const off = life.dispose().then(() => {
    gone = true;
  });
  await settle();
  assert.equal(gone, false);
  clients[0]!.ended.resolve();
  await off;
  assert.equal(gone, true);
});
