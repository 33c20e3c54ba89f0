import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import {
  type ConnectionOptions,
  type ConnectionState,
  connectToSession,
  type SessionConnection,
} from '../../local/sessionConnection.ts';
import { newNonce, proofOf } from '../../local/wire/proof.ts';
import { RpcChannel } from '../../local/wire/rpcChannel.ts';
import { UnansweredError } from '../../local/wire/watcherLink.ts';
import { LIMITS, WIRE_VERSION } from '../../protocol/wire/messages.ts';
import { HandTimers } from '../adapter/host/hostKit.ts';
import { folderOf, HEADER, noteAt, notes } from './kit.ts';

const TOKEN = 'a'.repeat(64);

interface Hosted {
  readonly connection: SessionConnection;
  /** Sends a notification to the watcher. */
  notify(method: string): Promise<void>;
  /** Resolves with the state of this kind, once it is there. */
  until(kind: ConnectionState['kind']): Promise<ConnectionState>;
}

/** What a host answers that likes to answer otherwise. */
interface Answers {
  readonly attach?: object;
  readonly request?: (offset: number) => object;
  readonly whatIf?: () => unknown;
  readonly discard?: () => unknown;
  readonly tier1?: (params: unknown) => unknown;
  readonly updateTier1?: (params: unknown) => unknown;
  readonly rebasePrefix?: (params: unknown) => unknown;
}

/** A watcher of a host that knows the token and answers as it likes. Resolves once it is connected, or is lost. */
async function hosted(
  t: TestContext,
  history: (from: number) => object,
  { attach = {}, request = () => ({}), ...others }: Answers = {},
  options: ConnectionOptions = {},
): Promise<Hosted> {
  const folder = folderOf(t);
  const address = join(folder, 'it.sock');
  let channel: RpcChannel | undefined;
  const server = createServer(socket => {
    channel = new RpcChannel(socket, {
      limits: { untrusted: LIMITS.frameBytes, frame: LIMITS.frameBytes },
      unanswered: 8,
      admit: () => undefined,
      closed: () => undefined,
    });
    const nonce = newNonce();
    const { connection } = channel;
    connection.onRequest('hello', ({ nonce: watcher }: { readonly nonce: string }) => {
      const proof = proofOf('host', TOKEN, { watcher, host: nonce });
      return { wireVersion: WIRE_VERSION, nonce, proof };
    });
    connection.onRequest('attach', () => ({
      header: HEADER,
      policy: { rules: [] },
      mayDiscard: false,
      nextSeq: 0,
      ...attach,
    }));
    connection.onRequest('history', ({ from }: { readonly from: number }) => history(from));
    connection.onRequest('request', ({ offset }: { readonly offset: number }) => request(offset));
    for (const [method, answer] of Object.entries(others)) {
      connection.onRequest(method, answer);
    }
    channel.listen();
  });
  await new Promise<void>(resolve => server.listen(address, resolve));
  const states: ConnectionState[] = [];
  const waiting = new Set<() => void>();
  const announced = { wireVersion: WIRE_VERSION, session: 's', agent: 'test', pid: 1, bootId: 'b', socket: 'it.sock' };
  const connection = connectToSession(
    { ...announced, token: TOKEN, started: 1, address, file: join(folder, 'it.json') },
    {
      state: state => {
        states.push(state);
        waiting.forEach(look => look());
      },
      attached: () => undefined,
      events: () => undefined,
    },
    { find: last => last, ...options },
  );
  t.after(() => {
    connection.close();
    channel?.close();
    server.close();
  });
  const until = (kind: ConnectionState['kind']) =>
    new Promise<ConnectionState>(resolve => {
      const look = () => {
        const state = states.find(one => one.kind === kind);
        if (state) {
          waiting.delete(look);
          resolve(state);
        }
      };
      waiting.add(look);
      look();
    });
  await Promise.race([until('connected'), until('lost')]);
  return { connection, notify: async method => channel?.connection.sendNotification(method, {}), until };
}

test('wire: a host that gives the same page of history for ever is refused', { timeout: 20_000 }, async t => {
  const { connection } = await hosted(t, () => ({ events: notes(0, 3), next: 0 }));
  await assert.rejects(connection.history(0, 1_000_000), { name: 'CorruptLogError', index: 3, seq: 0 });
});

test('wire: pages of history are read to their end, whatever the host says comes next', async t => {
  const { connection } = await hosted(t, from => ({ events: from < 4 ? notes(from, from + 2) : [], next: 0 }));
  assert.deepEqual(await connection.history(0, 9), notes(0, 4));
});

test('wire: a request that a host says is endless is not read to its end', { timeout: 20_000 }, async t => {
  let asked = 0;
  const { connection } = await hosted(t, () => ({}), {
    request: offset => {
      asked += 1;
      return { piece: 'x'.repeat(1_000), length: offset === 0 ? 2_000 : 1e12, hash: 'h', content: 'full' };
    },
  });
  await assert.rejects(connection.readRequest(1), {
    message: 'The session says that request 1 has 1000000000000 characters: too many to read.',
  });
  assert.equal(asked, 2);
});

test('wire: an event of history that no reader takes is refused by its place', async t => {
  const { connection } = await hosted(t, () => ({ events: [noteAt(2), { ...noteAt(3), data: {} }], next: 4 }));
  await assert.rejects(connection.history(2, 9), { name: 'CorruptLogError', index: 3 });
});

test('wire: a notification with the name of a member of every object ends the connection', async t => {
  const { notify, until } = await hosted(t, () => ({}));
  await notify('toString');
  const state = await until('lost');
  assert.ok(state.kind === 'lost' && /something else than events and answers/.test(state.sentence));
});

test('wire: a request in crumbs is not read to its end', { timeout: 20_000 }, async t => {
  let asked = 0;
  const request = () => {
    asked += 1;
    return { piece: 'x', length: 100_000_000, hash: 'h', content: 'full' };
  };
  const { connection } = await hosted(t, () => ({}), { request });
  await assert.rejects(connection.readRequest(1), {
    message: 'The session gave request 1 in pieces that do not fit together.',
  });
  assert.equal(asked, 2_000);
});

for (const policy of [{}, { rules: 5 }, { rules: [null] }, { rules: [{ class: 'user', pattern: '*' }] }]) {
  test(`wire: a session whose policy is ${JSON.stringify(policy)} is not shown`, { timeout: 20_000 }, async t => {
    const { until } = await hosted(t, () => ({}), { attach: { policy } });
    const state = await until('lost');
    assert.ok(state.kind === 'lost' && /answer to attach isn't understood/.test(state.sentence));
  });
}

const tokens = (count: unknown, origin = 'exact') => ({ tokens: count, origin });

for (const price of [
  5,
  {},
  { freed: 1, rewritten: 2 },
  { freed: tokens('a'), rewritten: tokens(1) },
  { freed: tokens(1), rewritten: tokens(1, 'guessed') },
  { freed: tokens(1), rewritten: tokens(1), divergence: { part: 'all', offset: 1 } },
]) {
  test(`wire: ${JSON.stringify(price)} is no price`, { timeout: 20_000 }, async t => {
    const { connection } = await hosted(t, () => ({}), { whatIf: () => ({ price }) });
    await assert.rejects(connection.whatIf('a'), /^Error: The session's answer to whatIf isn't understood/);
  });
}

test('wire: the first tier is read, changed and rebased in questions of their own', { timeout: 20_000 }, async t => {
  const asked: unknown[] = [];
  const answer = (result: object) => (params: unknown) => {
    asked.push(params);
    return result;
  };
  const tier1 = { budget: true, objective: 'Ship it', constraints: [{ id: 'green', text: 'Keep tests green' }] };
  const { connection } = await hosted(t, () => ({}), {
    tier1: answer(tier1),
    updateTier1: answer({ outcome: 'updated' }),
    rebasePrefix: answer({ outcome: 'denied' }),
  });
  assert.deepEqual(await connection.tier1(), tier1);
  assert.equal(await connection.updateTier1('green', 'Keep them all green'), 'updated');
  assert.equal(await connection.updateTier1('green'), 'updated');
  assert.equal(await connection.rebasePrefix(), 'denied');
  assert.deepEqual(asked, [{}, { id: 'green', value: 'Keep them all green' }, { id: 'green' }, {}]);
});

test('wire: a session of before the budget layer is one that has it off', { timeout: 20_000 }, async t => {
  const { connection } = await hosted(t, () => ({}));
  assert.deepEqual(await connection.tier1(), { budget: false, constraints: [] });
});

test('wire: an outcome that nobody knows is no answer', { timeout: 20_000 }, async t => {
  const { connection } = await hosted(t, () => ({}), { updateTier1: () => ({ outcome: 'perhaps' }) });
  await assert.rejects(
    connection.updateTier1('a', 'b'),
    /^Error: The session's answer to updateTier1 isn't understood/,
  );
});

test('wire: a question that is never answered ends, and what was asked for may have been done', {
  timeout: 20_000,
}, async t => {
  const timers = new HandTimers();
  const never = () => new Promise(() => {});
  const connecting = hosted(t, () => ({}), { whatIf: never, discard: never }, { timers });
  await setImmediate();
  while (timers.waiting === 0) {
    await setImmediate();
  }
  timers.advance(0);
  const { connection } = await connecting;
  const answers = [connection.whatIf('a'), connection.discard('a')].map(answer =>
    assert.rejects(answer, (error: Error) => {
      assert.ok(error instanceof UnansweredError);
      return error.message === 'The session did not answer within 10 seconds.';
    }),
  );
  timers.advance(10_000);
  await Promise.all(answers);
  const waiting = timers.waiting;
  assert.deepEqual(await connection.history(0, 1).catch(() => []), [], 'the connection is still there');
  assert.equal(timers.waiting, waiting, 'an answer takes its clock away');
});
