import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lifeOf, settle } from './fakeLife.ts';

test('editor-bugs 54: after four crashes a new client starts, after the fifth the status says stopped, once', async () => {
  const { life, clients, reports, states } = lifeOf();
  void life.restart();
  for (let crash = 0; crash < 5; crash++) {
    await settle();
    assert.equal(clients.length, crash + 1);
    clients[crash]!.started.resolve();
    await settle();
    assert.equal(life.running, clients[crash]);
    clients[crash]!.signals.ended();
    clients[crash]!.signals.ended();
    assert.equal(life.running, undefined);
  }
  await settle();
  assert.equal(clients.length, 5);
  assert.ok(
    clients.every(({ disposals }) => disposals === 0),
    'no dead server is asked to end',
  );
  assert.equal(states().filter(state => state === 'stopped').length, 1);
  assert.deepEqual(reports.at(-1)?.reason?.template, 'The language server ended five times within three minutes.');
  const again = life.restart();
  await settle();
  clients[5]!.started.resolve();
  await again;
  assert.equal(life.running, clients[5]);
});

test('a server that ends while it starts counts as crashed, and a new client tries again', async () => {
  const { life, clients, states } = lifeOf();
  void life.restart();
  for (let crash = 0; crash < 5; crash++) {
    await settle();
    clients[crash]!.signals.ended();
    clients[crash]!.started.reject(new Error('Pending response rejected since connection got disposed'));
    clients[crash]!.ended.reject(new Error('not running'));
  }
  await settle();
  assert.equal(clients.length, 5);
  assert.deepEqual(states(), ['starting', 'stopped']);
});

test("a person's restart forgets the crashes before it", async () => {
  const { life, clients } = lifeOf();
  void life.restart();
  const crash = async () => {
    await settle();
    const client = clients.at(-1)!;
    client.started.resolve();
    client.ended.resolve();
    await settle();
    client.signals.ended();
  };
  for (let count = 0; count < 4; count++) {
    await crash();
  }
  await settle();
  void life.restart();
  clients.at(-1)!.started.resolve();
  clients.at(-1)!.ended.resolve();
  await settle();
  for (let count = 0; count < 4; count++) {
    await crash();
  }
  await settle();
  clients.at(-1)!.started.resolve();
  await settle();
  assert.equal(life.running, clients.at(-1));
});

test('a broken connection counts as a crash, and its server, which may still run, is ended before the next one starts', async () => {
  const { life, clients, states } = lifeOf();
  void life.restart();
  await settle();
  clients[0]!.started.resolve();
  await settle();
  clients[0]!.signals.broke(new Error('an exception nobody caught'));
  clients[0]!.signals.ended();
  assert.equal(life.running, undefined);
  await settle();
  assert.equal(clients[0]!.disposals, 1);
  assert.equal(clients.length, 1, 'the next one waits for the end of the first');
  clients[0]!.ended.resolve();
  await settle();
  clients[1]!.started.resolve();
  await settle();
  assert.equal(life.running, clients[1]);
  assert.deepEqual(states(), ['starting', 'running', 'starting', 'running']);
});

test('after the fifth broken connection the last server is ended too, and the status says stopped, once', async () => {
  const { life, clients, reports, states } = lifeOf();
  void life.restart();
  for (let crash = 0; crash < 5; crash++) {
    await settle();
    clients[crash]!.started.resolve();
    clients[crash]!.ended.resolve();
    await settle();
    clients[crash]!.signals.broke(new Error('an exception nobody caught'));
  }
  await settle();
  assert.deepEqual(
    clients.map(({ disposals }) => disposals),
    [1, 1, 1, 1, 1],
  );
  assert.equal(states().filter(state => state === 'stopped').length, 1);
  assert.equal(reports.at(-1)?.reason?.template, 'The language server ended five times within three minutes.');
});

test('the last of five servers with a broken connection is ended before a restart that a person asks for', async () => {
  const { life, clients } = lifeOf();
  void life.restart();
  for (let crash = 0; crash < 5; crash++) {
    await settle();
    clients[crash]!.started.resolve();
    if (crash < 4) {
      clients[crash]!.ended.resolve();
    }
    await settle();
    clients[crash]!.signals.broke(new Error('an exception nobody caught'));
  }
  const again = life.restart();
  await settle();
  assert.equal(clients.length, 5);
  clients[4]!.ended.resolve();
  await settle();
  clients[5]!.started.resolve();
  await again;
  assert.equal(life.running, clients[5]);
  assert.equal(clients[5]!.disposals, 0);
});

test('a connection that breaks during the start ends the start at once, and its error is the reason', async () => {
  const { life, clients, reports } = lifeOf();
  const done = life.restart();
  await settle();
  clients[0]!.signals.broke(new Error('no such script'));
  clients[0]!.signals.ended();
  clients[0]!.ended.reject(new Error("Client is not running and can't be stopped"));
  await done;
  assert.deepEqual(reports.at(-1), {
    state: 'stopped',
    reason: { template: 'The language server could not start: {0}.', values: ['no such script'] },
  });
  assert.equal(clients[0]!.disposals, 1);
});

for (const moment of ['before its start has ended', 'when its start has ended'] as const) {
  test(`a server that ends ${moment}, though the start succeeds, counts as crashed, once`, async () => {
    const { life, clients, states } = lifeOf();
    void life.restart();
    for (let crash = 0; crash < 5; crash++) {
      await settle();
      assert.equal(clients.length, crash + 1);
      if (moment === 'before its start has ended') {
        clients[crash]!.signals.ended();
        clients[crash]!.started.resolve();
      } else {
        clients[crash]!.started.resolve();
        clients[crash]!.signals.ended();
      }
    }
    await settle();
    assert.equal(clients.length, 5);
    assert.deepEqual(states(), ['starting', 'stopped']);
  });
}

test('a server that ends while a restart waits for its start is not started twice', async () => {
  const { life, clients } = lifeOf();
  void life.restart();
  await settle();
  void life.restart();
  clients[0]!.signals.ended();
  clients[0]!.started.reject(new Error('Pending response rejected since connection got disposed'));
  clients[0]!.ended.reject(new Error('not running'));
  await settle();
  clients[1]!.started.resolve();
  await settle();
  assert.equal(life.running, clients[1]);
  assert.equal(clients.length, 2);
  assert.equal(clients[1]!.disposals, 0);
});

test('a server that ends while it is being stopped is no crash', async () => {
  const { life, clients, states } = lifeOf();
  void life.restart();
  await settle();
  clients[0]!.started.resolve();
  await settle();
  void life.restart();
  await settle();
  clients[0]!.signals.ended();
  clients[0]!.ended.reject(new Error('Pending response rejected since connection got disposed'));
  await settle();
  clients[1]!.started.resolve();
  await settle();
  assert.equal(life.running, clients[1]);
  assert.deepEqual(states(), ['starting', 'running', 'starting', 'running']);
});
