import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../protocol/request/json.ts';
import {
  assistant,
  bytesOf,
  call,
  definition,
  discardLine,
  EPHEMERAL,
  Run,
  result,
  resultBlock,
  results,
  sha256,
  textBlock,
  tombstoneOf,
  user,
} from './lifecycleKit.ts';

const keysOf = (run: Run, ...messages: readonly JsonObject[]): readonly (readonly string[])[] =>
  run.request(...messages).entries.map(({ keys }) => keys);

const counts = (run: Run): readonly number[] =>
  (['ephemeral/admitted', 'ephemeral/consumed', 'discard/denied'] as const).map(type => run.audits(type).length);

test('DESIGN flow 2: identity is the host’s own id where there is one', () => {
  const run = new Run();
  assert.deepEqual(keysOf(run, call('a', 'b'), results(resultBlock('a', 'x'), resultBlock('b', 'x')))[1], [
    'id:a',
    'id:b',
  ]);
});

test('DESIGN flow 2: identity is else role, hash of the joined text parts, and occurrence', () => {
  const run = new Run();
  const parts: JsonObject = { role: 'user', content: [textBlock('one\n'), { type: 'image' }, textBlock('two')] };
  assert.deepEqual(keysOf(run, parts, assistant('one\ntwo'), user('one\ntwo')), [
    [`user:${sha256('one\ntwo')}`],
    [`assistant:${sha256('one\ntwo')}`],
    [`user:${sha256('one\ntwo')}#1`],
  ]);
});

test('DESIGN flow 2: identity is never the array index alone', () => {
  const [, before] = keysOf(new Run(), user('a'), user('b'));
  const [after] = keysOf(new Run(), user('b'));
  assert.deepEqual(after, before);
});

test('an answer that only calls tools is told apart by its calls', () => {
  assert.notDeepEqual(keysOf(new Run(), call('a')), keysOf(new Run(), call('b')));
});

test('a unit is told apart anew when an equal one comes or goes before it', () => {
  const run = new Run();
  const name = `user:${sha256('x')}`;
  assert.deepEqual(keysOf(run, user('a'), user('b'), user('x'))[2], [name]);
  assert.deepEqual(keysOf(run, { role: 'user', content: 'x' }, user('b'), user('x'))[2], [`${name}#1`]);
  assert.deepEqual(keysOf(run, user('b'), user('x'))[1], [name]);
});

test('a message without units has an identity too, and none is longer than a label', () => {
  const run = new Run();
  const long = 'x'.repeat(10_000);
  const [system, , answer] = keysOf(run, { role: 'system', content: 'rules' }, call(long), result(long, 'x'));
  assert.match(system?.[0] ?? '', /^system:[0-9a-f]{64}$/);
  assert.equal(answer?.[0], `id:${sha256(long)}`);
});

test('an id that looks like the second of two equal ones is another unit, with an audit of its own', () => {
  const run = new Run();
  const history = [
    call('x'),
    result('x', EPHEMERAL),
    call('x'),
    result('x', EPHEMERAL),
    call('x#1'),
    result('x#1', EPHEMERAL),
  ];
  run.request(...history);
  run.request(...history, assistant('seen'));
  assert.equal(run.audits('ephemeral/consumed').length, 3);
});

test('users-ask 35: the same text in another JSON shape is the same unit', () => {
  const run = new Run();
  const text = `${EPHEMERAL}\n${discardLine('rules')}`;
  run.request(user(text));
  run.request({ role: 'user', content: text }, assistant('seen'));
  run.request(user(text), { role: 'assistant', content: 'seen' });
  const resumed = run.resumed();
  resumed.request({ role: 'user', content: text }, assistant('seen'));
  assert.deepEqual(counts(resumed), [1, 1, 1]);
});

test('users-ask 35: the view keeps the shape that the host sends now, not the one it had', () => {
  const run = new Run();
  run.request(user('hi'));
  assert.deepEqual(run.request({ role: 'user', content: 'hi' }).messages, [{ role: 'user', content: 'hi' }]);
  const reordered = { content: [textBlock('hi')], role: 'user' };
  assert.equal(JSON.stringify(run.request(reordered).messages), JSON.stringify([reordered]));
});

test('users-ask 18: identity survives host compaction: nothing is audited twice', () => {
  const run = new Run();
  const tail = [call('a'), result('a', `${EPHEMERAL}\n${discardLine('rules')}`), assistant('seen')];
  run.request(user('long'), assistant('talk'), ...tail.slice(0, 2));
  run.request(user('long'), assistant('talk'), ...tail);
  const { messages } = run.request(user('a summary'), ...tail, user('next'));
  assert.deepEqual(messages[2], result('a', tombstoneOf(bytesOf(`${EPHEMERAL}\n${discardLine('rules')}`))));
  assert.deepEqual(counts(run), [1, 1, 1]);
});

test('users-ask 18: discarded stays discarded when the host compacts the directive away', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules') + definition('style'));
  run.request(user('hi'));
  run.control(discardLine('rules'));
  assert.equal(run.request(user('hi'), assistant('yes')).blocks, definition('style'));
  assert.equal(run.request(user('a summary')).blocks, definition('style'));
  assert.equal(run.resumed().request(user('a summary')).blocks, definition('style'));
});

test('users-ask 18: identity survives a fork: each branch audits its own units, and none of before', () => {
  const run = new Run();
  const shared = [user(EPHEMERAL), assistant('seen')];
  run.request(...shared.slice(0, 1));
  run.request(...shared);
  const fork = run.resumed();
  fork.request(...shared, user('another way'), call('b'), result('b', EPHEMERAL));
  fork.request(...shared, user('another way'), call('b'), result('b', EPHEMERAL), assistant('seen too'));
  assert.deepEqual(counts(fork), [2, 2, 0]);
  run.request(...shared, user('first way'));
  assert.deepEqual(counts(run), [1, 1, 0]);
});

test('issue 3: ephemeral units are audited once and only once, also after resume, fork, compaction and re-serialisation', () => {
  let run = new Run();
  const history = [user(EPHEMERAL), call('a'), result('a', EPHEMERAL)];
  run.request(user(EPHEMERAL));
  run.request(...history);
  history.push(assistant('seen'));
  run.request(...history);
  for (const next of [
    history,
    history.slice(1),
    [user('summary'), ...history.slice(1)],
    history.map(message => JSON.parse(JSON.stringify({ ...message, timestamp: 1 })) as JsonObject),
    history,
  ]) {
    run.request(...next);
    run = run.resumed();
    run.request(...next);
  }
  assert.deepEqual(counts(run), [2, 2, 0]);
});

test('users-ask 55: calls and results of the whole view can be paired, tombstones and mixed messages included', () => {
  const run = new Run();
  const mixed = results(textBlock('look'), resultBlock('a', EPHEMERAL), resultBlock('b', 'x'));
  const { entries } = run.request(call('a', 'b'), mixed, call('c'), result('c', EPHEMERAL), assistant('seen'));
  assert.deepEqual(
    entries.map(({ calls, answers }) => [calls, answers]),
    [
      [['a', 'b'], []],
      [[], ['a', 'b']],
      [['c'], []],
      [[], ['c']],
      [[], []],
    ],
  );
});
