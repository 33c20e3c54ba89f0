import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClientSignals, type LifeClient, type ServerCondition, ServerLife } from '../../client/serverLife.ts';

/** A client whose start and end happen when the test says so. */
class FakeClient implements LifeClient {
  readonly signals: ClientSignals;
  readonly started = deferred();
  readonly ended = deferred();
  starts = 0;
  disposals = 0;

  constructor(signals: ClientSignals) {
    this.signals = signals;
  }

  start(): Promise<void> {
    this.starts++;
    return this.started.promise;
  }

  dispose(): Promise<void> {
    this.disposals++;
    return this.ended.promise;
  }
}

function deferred() {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<void>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

function lifeOf(startDeadline = 60_000) {
  const clients: FakeClient[] = [];
  const reports: ServerCondition[] = [];
  const log: string[] = [];
  const life = new ServerLife<FakeClient>({
    makeClient: signals => {
      const client = new FakeClient(signals);
      clients.push(client);
      return client;
    },
    report: condition => reports.push(condition),
    log: text => log.push(text),
    startDeadline,
  });
  return { life, clients, reports, log, states: () => reports.map(({ state }) => state) };
}

/** Lets every promise that can go on go on. */
const settle = () => new Promise<void>(resolve => setImmediate(resolve));

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
