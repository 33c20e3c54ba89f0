import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sealed } from '../../../adapter/sessionTypes.ts';
import type { TokenCounter } from '../../../adapter/tokens/tokenCounter.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, definition, discardLine, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { CONFIG, checkedSession, typesOf } from './sessionKit.ts';

test('seed 2: a message that the host adds to its list after the call belongs to the next request', async t => {
  const checked = await checkedSession(t);
  const messages: JsonObject[] = [user('a')];
  const building = checked.session.buildRequest({ messages, config: CONFIG });
  messages.push(user('b'));
  const first = await building;
  await checked.check(first);
  assert.deepEqual(first.messages, [user('a')]);
  assert.deepEqual((await checked.request(messages)).messages, [user('a'), user('b')]);
  await checked.close();
});

test('request-log 2.7: what a listener appends while a request is being sealed is part of the next request', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  for (const type of ['turn/start', 'host/message', 'step/start', 'request/header', 'request/sealed']) {
    const stop = session.onEvent(event => {
      if (event.type === type) {
        stop();
        session.inject(user(`at ${type}`), 'plugin:late');
      }
    });
  }
  const first = await checked.request([user('a')]);
  assert.deepEqual(first.messages, [user('a')]);
  const second = await checked.request([user('a'), assistant('b')]);
  assert.deepEqual(second.messages, [
    user('a'),
    assistant('b'),
    user('at turn/start'),
    user('at host/message'),
    user('at step/start'),
    user('at request/header'),
    user('at request/sealed'),
  ]);
  await checked.close();
});

test('request-log 2.7: a discard by a listener during the seal is absent from the next request, not from this one', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  const stop = session.onEvent(event => {
    if (event.type === 'step/start') {
      stop();
      session.control({ source: 'plugin', class: 'plugin', text: discardLine('plan') });
    }
  });
  const first = await checked.request([user('a')]);
  assert.equal(first.messages.length, 2);
  const [discarded] = await checked.logged('block/discarded');
  assert.equal(discarded?.requestSequence, 2);
  const second = await checked.request([user('a')]);
  assert.deepEqual(second.messages, [user('a')]);
  await checked.close();
});

test('request-log 9: a message that a prefix contributor appends is part of the current request', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  session.contributePrefix(seed => {
    session.inject(user('appended while composing'), 'plugin:early');
    return [...seed, user('prefix')];
  });
  const first = await checked.request([user('a')]);
  assert.deepEqual(first.messages, [user('prefix'), user('appended while composing'), user('a')]);
  await checked.close();
});

test('request-log 2.7: requests that are asked for at the same time are built one after another', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  session.contributePrefix(async () => {
    await new Promise(resolve => setImmediate(resolve));
    return [user('prefix')];
  });
  const history = [user('a'), assistant('b'), user('c'), assistant('d')];
  const building = history.map((_, index) =>
    session.buildRequest({ messages: history.slice(0, index + 1), config: CONFIG }),
  );
  const sealed: Sealed[] = await Promise.all(building);
  assert.deepEqual(
    sealed.map(({ requestSequence, messages }) => [requestSequence, messages.length]),
    [
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ],
  );
  for (const request of sealed) {
    await checked.check(request);
  }
  const { events } = await checked.close();
  const steps = typesOf(events).filter(type => ['step/start', 'request/sealed', 'step/end'].includes(type));
  assert.deepEqual(
    steps,
    Array.from(sealed).flatMap(() => ['step/start', 'request/sealed', 'step/end']),
  );
});

test('request-log 2.7: a request whose tokens are counted for long is built before the one behind it all the same', async t => {
  const counted: (() => void)[] = [];
  const counter: TokenCounter = {
    // The first one waits until the second could be done.
    count: async () => (counted.length === 0 ? new Promise(resolve => counted.push(() => resolve([]))) : []),
    estimate: () => ({ tokens: 1, origin: 'estimated' }),
    close: async () => {},
  };
  const { session } = await checkedSession(t, { counter, config: { countTokens: true } });
  const first = session.buildRequest({ messages: [user('a')], config: CONFIG });
  const second = session.buildRequest({ messages: [user('a'), user('b')], config: CONFIG });
  while (counted.length === 0) {
    await new Promise(resolve => setImmediate(resolve));
  }
  counted.forEach(done => done());
  assert.deepEqual(
    (await Promise.all([first, second])).map(({ requestSequence, messages }) => [requestSequence, messages.length]),
    [
      [1, 1],
      [2, 2],
    ],
  );
  await session.close();
});

test('request-log 2.7: a request that fails lets the ones behind it be built', async t => {
  const checked = await checkedSession(t);
  const bad = checked.session.buildRequest({ messages: [3] as never, config: CONFIG });
  const good = checked.session.buildRequest({ messages: [user('a')], config: CONFIG });
  await assert.rejects(bad, /messages\[0\] is 3/);
  await checked.check(await good);
  await checked.close();
});

test('request-log 2.7: nothing lies between the surface of a request and its step/start', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  const stop = session.onEvent(({ type }) => {
    if (!type.startsWith('discard/')) {
      session.control({ source: 'p', class: 'plugin', text: discardLine('x') });
    }
  });
  await checked.request([user('a')]);
  stop();
  const types = typesOf((await checked.close()).events);
  assert.equal(types[types.indexOf('step/start') - 1], 'host/message');
});
