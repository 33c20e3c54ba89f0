import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assistant,
  bytesOf,
  call,
  definition,
  discardLine,
  EPHEMERAL,
  policyOf,
  Run,
  result,
  tombstoneOf,
  user,
} from './lifecycleKit.ts';

const policy = policyOf(
  { class: 'context-file', pattern: '*', may: ['define'] },
  { class: 'user', pattern: '*', may: ['discard', 'ephemeral'] },
);

test('seed 1: step 1: the host’s pending context is taken without mutating it', () => {
  const run = new Run({ policy });
  run.load('AGENTS.md', definition('rules'));
  const pending = [user(`${EPHEMERAL}\n${discardLine('rules')}`), assistant('seen')];
  const before = JSON.stringify(pending);
  run.session.view(pending);
  assert.equal(JSON.stringify(pending), before);
});

test('seed 1: step 2: declarations are parsed from the sources that the trust policy allows', () => {
  const run = new Run({ policy });
  run.load('AGENTS.md', definition('rules'));
  run.load('page', definition('page'), 'web');
  const { blocks } = run.request(user(EPHEMERAL), call('a'), result('a', EPHEMERAL), assistant('seen'));
  assert.equal(blocks, definition('rules'));
  assert.deepEqual(
    run.audits('ephemeral/consumed').map(({ source }) => source),
    ['user'],
  );
});

test('seed 1: step 3 comes before step 5: a directive that is read for a request takes its block out of that request', () => {
  const run = new Run({ policy });
  run.load('AGENTS.md', definition('rules'));
  assert.equal(run.request(user(discardLine('rules'))).blocks, undefined);
});

test('seed 1: step 3 comes before step 4: a consumed message has been obeyed', () => {
  const run = new Run({ policy });
  run.load('AGENTS.md', definition('rules'));
  const text = `${EPHEMERAL}\n${discardLine('rules')}`;
  const { messages, blocks } = run.request(user(text), assistant('seen'));
  assert.deepEqual(messages[0], user(tombstoneOf(bytesOf(text))));
  assert.equal(blocks, undefined);
  assert.deepEqual(
    run.events.map(({ type }) => type).filter(type => type === 'block/discarded' || type === 'ephemeral/consumed'),
    ['block/discarded', 'ephemeral/consumed'],
  );
});

test('seed 1: steps 4 and 6: consumed content is replaced in the request copy, which is what is sent', () => {
  const run = new Run({ policy });
  run.request(user(EPHEMERAL));
  const { messages } = run.request(user(EPHEMERAL), assistant('seen'));
  assert.deepEqual(messages, [user(tombstoneOf(bytesOf(EPHEMERAL))), assistant('seen')]);
});

test('seed 1: step 5: active blocks stand in the request copy and in no message of the host', () => {
  const run = new Run({ policy });
  run.load('AGENTS.md', definition('rules'));
  const { messages, blocks } = run.request(user('hi'));
  assert.equal(blocks, definition('rules'));
  assert.deepEqual(messages, [user('hi')]);
});

test('seed 1: the persistent transcript goes on holding the original messages and artifacts', () => {
  const run = new Run({ policy });
  const transcript = [user(EPHEMERAL), assistant('seen'), user(discardLine('rules'))];
  const before = structuredClone(transcript);
  for (let request = 0; request < 3; request++) {
    run.session.view(transcript);
  }
  assert.deepEqual(transcript, before);
});

test('what the adapter composes is never parsed: tags in a block’s text mean nothing more', () => {
  const run = new Run({ policy });
  const body = `${discardLine('other')}\n<!--ephemeral-->`;
  run.load('AGENTS.md', definition('rules', body) + definition('other'));
  run.request(user('hi'));
  assert.equal(run.request(user('hi'), assistant('yes')).blocks, definition('rules', body) + definition('other'));
  assert.equal(run.audits('discard/denied').length, 1, 'the discard line is one of its source, which may not discard');
});

test('what a full log did not take is done again by the next view', () => {
  const run = new Run({ policy });
  run.load('AGENTS.md', definition('rules'));
  run.request(user(EPHEMERAL));
  const history = [user(EPHEMERAL), assistant('seen'), user(discardLine('rules'))];
  run.isFull = true;
  assert.throws(() => run.request(...history), /the disk is full/);
  run.isFull = false;
  const { messages, blocks } = run.request(...history);
  assert.deepEqual(messages, [user(tombstoneOf(bytesOf(EPHEMERAL))), ...history.slice(1)]);
  assert.equal(blocks, undefined);
  assert.equal(run.audits('ephemeral/consumed').length, 1);
  assert.equal(run.audits('block/discarded').length, 1);
});

test('what a full log did not take is done again when the host rewrote its transcript meanwhile', () => {
  const run = new Run({ policy });
  run.request(user('a'), user('b'));
  const rewritten = [user('summary'), user(discardLine('rules'))];
  run.isFull = true;
  assert.throws(() => run.request(...rewritten), /the disk is full/);
  run.isFull = false;
  assert.deepEqual(run.request(...rewritten).messages, rewritten);
  assert.equal(run.audits('discard/unknown').length, 1);
});

test('a message that cannot be read stops the request before anything happened', () => {
  const run = new Run({ policy });
  run.load('AGENTS.md', definition('rules'));
  const before = run.events.length;
  assert.throws(() => run.session.view([user(discardLine('rules')), { role: 'user', content: [{ data: 1n }] }]), {
    name: 'UnreadableMessageError',
    message:
      'The request was not built, because messages[1].content[0].data is a bigint, which JSON cannot hold. Hand over plain JSON values.',
  });
  assert.equal(run.events.length, before);
  assert.equal(run.request(user(discardLine('rules'))).blocks, undefined);
});
