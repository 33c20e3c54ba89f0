import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PairingError } from '../../../adapter/requestErrors.ts';
import { UnreadableMessageError } from '../../../protocol/lifecycle/messageCopy.ts';
import {
  assistant,
  bytesOf,
  call,
  definition,
  EPHEMERAL,
  result,
  tombstoneOf,
  user,
} from '../../protocol/lifecycle/lifecycleKit.ts';
import { checkedSession, dataOf, typesOf } from './sessionKit.ts';

test('seed 2: a request is the prefix and the messages of the host, with the hash of its sealed text', async t => {
  const checked = await checkedSession(t);
  const sealed = await checked.request([user('hello')], { system: 'be kind', tools: [{ name: 'bash' }] });
  assert.deepEqual(sealed.messages, [user('hello')]);
  assert.deepEqual([sealed.system, sealed.tools, sealed.config], ['be kind', [{ name: 'bash' }], { model: 'm' }]);
  assert.equal(sealed.requestSequence, 1);
  await checked.close();
});

test('issue 4: the log says how many messages of a request are its prefix: what was contributed, then the blocks', async t => {
  const checked = await checkedSession(t);
  await checked.request([user('a')]);
  checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  await checked.turn([user('a'), assistant('b'), user('c')]);
  const { events } = await checked.close();
  const seals = dataOf(events, 'request/sealed');
  assert.deepEqual(
    seals.map(({ messages, prefixMessages }) => [messages, prefixMessages]),
    [
      [1, 0],
      [4, 1],
    ],
  );
});

test('issue 3.2: messages that did not change are the same frozen objects as in the request before', async t => {
  const checked = await checkedSession(t);
  checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  const one = await checked.request([user('a'), assistant('b')]);
  const two = await checked.request([user('a'), assistant('b'), user('c')]);
  assert.deepEqual(
    one.messages.map((message, index) => message === two.messages[index]),
    [true, true, true],
  );
  await checked.close();
});

test('issue 3.2: what the host kept of its messages when it compacted them is the same objects too', async t => {
  const checked = await checkedSession(t);
  const one = await checked.turn([user('a'), assistant('b'), user('c'), assistant('d'), user('e')]);
  const two = await checked.turn([user('summary of a and b'), user('c'), assistant('d'), user('e'), user('f')]);
  assert.deepEqual(
    one.messages.slice(2).map((message, index) => message === two.messages[index + 1]),
    [true, true, true],
  );
  assert.deepEqual(two.origins, [0, 1, 2, 3, 4]);
  await checked.close();
});

test("issue 3.2: origins say which messages are the host's own, unchanged", async t => {
  const checked = await checkedSession(t);
  checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  const history = [user('a'), call('c1'), result('c1', EPHEMERAL)];
  const first = await checked.turn(history);
  assert.deepEqual(first.origins, [undefined, 0, 1, 2]);
  checked.session.inject(user('note'), 'plugin:x');
  const second = await checked.request([...history, assistant('done'), user('next')]);
  assert.deepEqual(second.origins, [undefined, 0, 1, undefined, 3, undefined, 4]);
  assert.deepEqual(second.messages[3], result('c1', tombstoneOf(bytesOf(EPHEMERAL))));
  assert.deepEqual(second.messages[5], user('note'));
  await checked.close();
});

test('seed 2: the events of one request stand in the order that the log promises', async t => {
  const checked = await checkedSession(t);
  checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  const { requestSequence, hash } = await checked.request([user(EPHEMERAL)]);
  checked.session.receipt(requestSequence, hash);
  checked.session.response(requestSequence, { outcome: 'completed', usage: { input: 3, output: 4 } });
  const { events } = await checked.close('done');
  assert.deepEqual(typesOf(events), [
    'session/opened',
    'source/loaded',
    'block/activated',
    'ephemeral/admitted',
    'turn/start',
    'host/message',
    'step/start',
    'request/header',
    'request/sealed',
    'request/receipt',
    'step/end',
    'turn/end',
    'session/closed',
  ]);
});

test('users-ask 55: tool calls that do not pair reject with a sentence, nothing is sealed, and the next request works', async t => {
  const checked = await checkedSession(t);
  await assert.rejects(checked.request([user('a'), result('lost', 'x')]), (error: unknown) => {
    assert.ok(error instanceof PairingError);
    assert.match(
      error.message,
      /^The request was not built, because the tool result for the call "lost" has no such call/,
    );
    return true;
  });
  assert.equal(checked.session.state.requests.length, 0);
  const sealed = await checked.request([user('a')]);
  assert.equal(sealed.requestSequence, 1);
  await checked.close();
});

test('issue 3.2: messages that JSON cannot hold reject by name, and nothing of them is logged', async t => {
  const checked = await checkedSession(t);
  const before = checked.session.state.nextSeq;
  const bad = [user('a'), { role: 'user', content: () => 1 }] as never;
  await assert.rejects(checked.session.buildRequest({ messages: bad, config: { model: 'm' } }), UnreadableMessageError);
  const badTools = { messages: [user('a')], tools: [{ name: 'x', size: 1n }] as never, config: { model: 'm' } };
  await assert.rejects(checked.session.buildRequest(badTools), /tools\[0\]\.size|tools/);
  assert.equal(checked.session.state.nextSeq, before);
  await checked.request([user('a')]);
  await checked.close();
});

test('seed 2: a config that was refused with its request leaves no trace in how a later one is written', async t => {
  const checked = await checkedSession(t);
  await checked.request([user('a')], { config: { a: 1, b: 2 } });
  await assert.rejects(checked.request([user('a'), result('lost', 'x')], { config: { b: 3, a: 1 } }), PairingError);
  // The same as the first, in another order: it is sealed as it was logged.
  const sealed = await checked.request([user('a')], { config: { b: 2, a: 1 } });
  assert.equal(JSON.stringify(sealed.config), '{"a":1,"b":2}');
  await checked.close();
});

test('issue 3.2: what a host changes after the call in a message that was sealed changes nothing', async t => {
  const checked = await checkedSession(t);
  const message = { role: 'user', content: 'first' };
  const tools = [{ name: 'bash', about: { text: 'one' } }];
  const sealed = await checked.session.buildRequest({ messages: [message], tools, config: { model: 'm' } });
  message.content = 'second';
  (tools[0] as { about: { text: string } }).about.text = 'two';
  assert.deepEqual(
    [sealed.messages, sealed.tools],
    [[{ role: 'user', content: 'first' }], [{ name: 'bash', about: { text: 'one' } }]],
  );
  await checked.check(sealed);
  await checked.close();
});
