import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../protocol/request/json.ts';
import {
  assistant,
  bytesOf,
  call,
  EPHEMERAL,
  policyOf,
  Run,
  result,
  resultBlock,
  results,
  textBlock,
  tombstoneOf,
  user,
} from './lifecycleKit.ts';

const original = user(EPHEMERAL);
const gone = user(tombstoneOf(bytesOf(EPHEMERAL)));

test('seed 1: an exact ephemeral line marks its whole containing message', () => {
  const run = new Run();
  const text = `before\n${EPHEMERAL}\nafter`;
  run.request(user(text));
  const { messages } = run.request(user(text), assistant('seen'), user('next'));
  assert.deepEqual(messages, [user(tombstoneOf(bytesOf(text))), assistant('seen'), user('next')]);
});

test('seed 1: an exact ephemeral line marks its whole containing tool result', () => {
  const run = new Run();
  run.request(call('a'), result('a', EPHEMERAL));
  const { messages } = run.request(call('a'), result('a', EPHEMERAL), assistant('seen'));
  assert.deepEqual(messages[1], result('a', tombstoneOf(bytesOf(EPHEMERAL))));
});

test('seed 1: a line that is not exactly the ephemeral line marks nothing', () => {
  for (const line of [
    '<!-- ephemeral -->',
    '<!--Ephemeral-->',
    ' <!--ephemeral-->',
    '<!--ephemeral--> ',
    'a <!--ephemeral-->',
  ]) {
    const run = new Run();
    const { messages } = run.request(user(line), assistant('seen'));
    assert.deepEqual(messages[0], user(line));
    assert.equal(run.audits('ephemeral/consumed').length, 0);
  }
});

test('seed 1: the complete original is let into the first applicable model request', () => {
  const run = new Run();
  const { messages, entries } = run.request(original);
  assert.deepEqual(messages, [original]);
  assert.equal(entries[0]?.changed, false);
  assert.deepEqual(
    run
      .audits('ephemeral/admitted')
      .map(({ ordinal, requestSequence, bytes }) => ({ ordinal, requestSequence, bytes })),
    [{ ordinal: 0, requestSequence: 1, bytes: bytesOf(EPHEMERAL) }],
  );
});

test('seed 1: as long as no assistant response exists, requests show the original', () => {
  const run = new Run();
  run.request(original);
  assert.deepEqual(run.request(original, user('and?')).messages, [original, user('and?')]);
  assert.equal(run.audits('ephemeral/admitted').length, 1);
  assert.equal(run.audits('ephemeral/consumed').length, 0);
});

test('seed 1: once a later assistant response exists, every later request view holds the tombstone', () => {
  const run = new Run();
  run.request(original);
  const history = [original, assistant('seen')];
  for (const more of ['one', 'two', 'three']) {
    history.push(user(more));
    const { messages, entries } = run.request(...history);
    assert.deepEqual(messages, [gone, ...history.slice(1)]);
    assert.equal(entries[0]?.changed, true);
  }
});

test('seed 1: an assistant response before the unit does not consume it', () => {
  const run = new Run();
  const { messages } = run.request(user('hello'), assistant('hi'), original);
  assert.deepEqual(messages[2], original);
});

test('seed 1: the number in the tombstone is the size in bytes of a string content', () => {
  const run = new Run();
  const text = '<!--ephemeral-->\né😀';
  const { messages } = run.request({ role: 'user', content: text }, assistant('seen'));
  assert.deepEqual(messages[0], { role: 'user', content: tombstoneOf(16 + 1 + 2 + 4) });
});

test('seed 1: the number in the tombstone is the size of the JSON text of a structured content', () => {
  const run = new Run();
  const content = [textBlock(EPHEMERAL), { type: 'image', data: 'é' }];
  const { messages } = run.request({ role: 'user', content }, assistant('seen'));
  assert.deepEqual(messages[0], user(tombstoneOf(Buffer.byteLength(JSON.stringify(content)))));
});

test('seed 1: message metadata, including tool-call pairing fields, stays intact', () => {
  const run = new Run();
  const block: JsonObject = { meta: { a: 1 }, ...resultBlock('a', EPHEMERAL), isError: true, last: null };
  const message: JsonObject = { id: 'm', role: 'user', content: [block], timestamp: 5 };
  const { messages, entries } = run.request(call('a'), message, assistant('seen'));
  const replaced = { ...block, content: [textBlock(tombstoneOf(bytesOf(EPHEMERAL)))] };
  assert.equal(JSON.stringify(messages[1]), JSON.stringify({ ...message, content: [replaced] }));
  assert.deepEqual(entries[0]?.calls, ['a']);
  assert.deepEqual(entries[1]?.answers, ['a']);
});

test('seed 1: the host transcript and the original content object stay unchanged', () => {
  const run = new Run();
  const transcript = [call('a'), result('a', EPHEMERAL), assistant('seen')];
  const before = structuredClone(transcript);
  // `request` hands over deep-frozen copies: who changed them would throw. Here the host's own objects are handed over.
  const entries = run.session.view(transcript);
  assert.notDeepEqual(entries[1]?.message, transcript[1]);
  assert.deepEqual(transcript, before);
  assert.ok(!Object.isFrozen(transcript[1]), 'not even frozen');
  (transcript[0] as Record<string, unknown>)['role'] = 'changed';
  assert.deepEqual(entries[0]?.message, before[0], 'and the view shares nothing with them');
});

test('seed 1: consume-once replacement is audited as well', () => {
  const run = new Run();
  run.request(call('a'), result('a', EPHEMERAL));
  run.request(call('a'), result('a', EPHEMERAL), assistant('seen'));
  const [audit, ...more] = run.audits('ephemeral/consumed');
  assert.equal(more.length, 0);
  const { time, ...rest } = audit ?? {};
  assert.equal(typeof time, 'number');
  assert.deepEqual(rest, {
    ordinal: 0,
    unit: 'id:a',
    source: 'tool',
    class: 'tool-result',
    rule: 'rule 6: tool-result "*" may be ephemeral',
    trigger: 'assistant-response',
    bytes: bytesOf(EPHEMERAL),
    tombstoneBytes: tombstoneOf(bytesOf(EPHEMERAL)).length,
    requestSequence: 2,
  });
});

test('DESIGN flow 2: several tool results in one message have separate lifetimes', () => {
  const run = new Run();
  const message = results(resultBlock('a', EPHEMERAL), resultBlock('b', 'stays'), resultBlock('c', EPHEMERAL));
  run.request(call('a', 'b', 'c'), message);
  const { messages } = run.request(call('a', 'b', 'c'), message, assistant('seen'));
  const tombstone = tombstoneOf(bytesOf(EPHEMERAL));
  assert.deepEqual(
    messages[1],
    results(resultBlock('a', tombstone), resultBlock('b', 'stays'), resultBlock('c', tombstone)),
  );
  assert.deepEqual(
    run.audits('ephemeral/consumed').map(({ unit }) => unit),
    ['id:a', 'id:c'],
  );
});

test('DESIGN flow 2: text beside tool results has a lifetime of its own', () => {
  const run = new Run();
  const message = results(resultBlock('a', 'stays'), textBlock(EPHEMERAL), textBlock('more'));
  const { messages } = run.request(call('a'), message, assistant('seen'));
  const bytes = Buffer.byteLength(JSON.stringify([textBlock(EPHEMERAL), textBlock('more')]));
  assert.deepEqual(messages[1], results(resultBlock('a', 'stays'), textBlock(tombstoneOf(bytes))));
});

test('seed 1: nothing is ephemeral where the policy does not let it', () => {
  const run = new Run({ policy: policyOf({ class: 'user', pattern: '*', may: ['ephemeral'] }) });
  const { messages } = run.request(
    original,
    call('a'),
    result('a', EPHEMERAL),
    assistant(EPHEMERAL),
    assistant('seen'),
  );
  assert.deepEqual(messages, [gone, call('a'), result('a', EPHEMERAL), assistant(EPHEMERAL), assistant('seen')]);
});

test('DESIGN flow 2: the view follows the transcript: without the answer the original is there again', () => {
  const run = new Run();
  run.request(original);
  run.request(original, assistant('seen'));
  assert.deepEqual(run.request(original).messages, [original]);
  run.request(original, assistant('seen again'));
  assert.equal(run.audits('ephemeral/consumed').length, 1);
  assert.equal(run.audits('ephemeral/admitted').length, 1);
});
