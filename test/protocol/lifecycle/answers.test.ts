import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MessageFormat } from '../../../protocol/lifecycle/messageFormat.ts';
import { seedTwoFormat } from '../../../protocol/lifecycle/seedTwoFormat.ts';
import { assistant, bytesOf, EPHEMERAL, Run, tombstoneOf, user } from './lifecycleKit.ts';

const original = user(EPHEMERAL);
const gone = user(tombstoneOf(bytesOf(EPHEMERAL)));

for (const outcome of ['failed', 'aborted'] as const) {
  test(`DESIGN flow 2: an answer that the session saw end ${outcome} consumes nothing`, () => {
    const run = new Run();
    run.request(original);
    run.ended(outcome);
    const half = assistant('half an ans');
    const retry = run.request(original, half);
    assert.deepEqual(retry.messages, [original, half]);
    assert.equal(retry.entries[1]?.failed, true);
    run.ended('completed');
    const { messages } = run.request(original, half, assistant('whole'));
    assert.deepEqual(messages, [gone, half, assistant('whole')]);
  });

  test(`DESIGN flow 2: an answer that ended ${outcome} consumes nothing after a resume either`, () => {
    const run = new Run();
    run.request(original);
    run.ended(outcome);
    const half = assistant('half an ans');
    assert.deepEqual(run.resumed().request(original, half).messages, [original, half], 'not seen in any view before');
    run.request(original, half);
    const resumed = run.resumed();
    assert.deepEqual(resumed.request(original, half).messages, [original, half], 'seen in a view before');
  });
}

test('DESIGN flow 2: a message that was injected after a failed answer hides it from no resume', () => {
  const run = new Run();
  run.request(original);
  run.ended('failed');
  run.injected('by the way');
  assert.deepEqual(run.resumed().request(original, assistant('half')).messages[0], original);
});

test('DESIGN flow 2: a session that died while its request was built does not take the next answer for the failed one', () => {
  const run = new Run();
  run.request(original);
  run.ended('failed');
  run.request(original, assistant('half'));
  const events = run.events.filter(({ type, seq }) => type !== 'request/sealed' || seq < 5);
  assert.equal(events.filter(({ type }) => type === 'request/sealed').length, 1);
  const { messages } = new Run({}, events).request(original, assistant('half'), assistant('whole'));
  assert.deepEqual(messages, [gone, assistant('half'), assistant('whole')]);
});

test('DESIGN flow 2: an end that is only written down by the next instance was not seen: the answer consumes', () => {
  const run = new Run();
  run.request(original);
  const next = run.resumed();
  next.ended('aborted');
  assert.deepEqual(next.request(original, assistant('seen')).messages[0], gone);
  const another = run.resumed();
  another.ended('aborted');
  assert.deepEqual(another.resumed().request(original, assistant('seen')).messages[0], gone);
});

test('DESIGN flow 2: where the host kept nothing of a failed request, no answer is taken for its', () => {
  const run = new Run();
  run.request(user('question'));
  run.ended('failed');
  const { messages } = run.request(original, assistant('of another branch'), user('next'));
  assert.deepEqual(messages[0], gone);
});

test('events of types that nobody here knows may hold anything', () => {
  const run = new Run();
  run.request(original);
  const seq = run.events.length;
  const foreign = [null, 5, 'x', [], { unit: 5 }].map((data, place) => ({
    type: 'constructor',
    seq: seq + place,
    time: 0,
    data,
  }));
  assert.deepEqual(new Run({}, [...run.events, ...foreign]).request(original, assistant('seen')).messages[0], gone);
});

test('DESIGN flow 2: how a request ended says nothing once another one was asked', () => {
  const run = new Run();
  run.request(original);
  run.request(original);
  run.session.ended(1, 'failed');
  assert.deepEqual(run.request(original, assistant('seen')).messages[0], gone);
});

test('DESIGN flow 2: a host that drops the failed answer and asks again has its next answer consume', () => {
  const run = new Run();
  run.request(original);
  run.ended('failed');
  run.request(original);
  run.ended('completed');
  assert.deepEqual(run.request(original, assistant('seen')).messages[0], gone);
});

for (const ending of ['failed', 'aborted'] as const) {
  test(`DESIGN flow 2: an answer that ended ${ending} consumes nothing where the person took a completed one back and asked again`, () => {
    const run = new Run();
    run.request(original);
    run.ended('completed');
    run.request(original);
    run.ended(ending);
    const { messages, entries } = run.request(original, assistant('half'));
    assert.deepEqual(messages, [original, assistant('half')]);
    assert.equal(entries[1]?.failed, true);
  });

  test(`DESIGN flow 2: the same holds where the completed one was in a view before it was taken back (${ending})`, () => {
    const run = new Run();
    run.request(original);
    run.ended('completed');
    assert.deepEqual(run.request(original, assistant('whole'), user('next')).messages[0], gone);
    run.ended('completed');
    run.request(original);
    run.ended(ending);
    assert.deepEqual(run.request(original, assistant('half')).messages, [original, assistant('half')]);
  });

  test(`DESIGN flow 2: an answer that ended ${ending} to something else that was said instead consumes nothing`, () => {
    const run = new Run();
    run.request(original);
    run.ended('completed');
    run.request(original, user('rather this'));
    run.ended(ending);
    const half = [original, user('rather this'), assistant('half')];
    assert.deepEqual(run.request(...half).messages, half);
    assert.deepEqual(run.request(...half).messages, half, 'asked again with it');
  });
}

test('DESIGN flow 2: the same words as a failed answer had do not make a completed one fail', () => {
  const run = new Run();
  run.request(original);
  run.ended('failed');
  run.request(original, assistant('ok'));
  run.ended('failed');
  run.request(original);
  run.ended('completed');
  assert.deepEqual(run.request(original, assistant('ok'), user('next')).messages[0], gone);
  assert.deepEqual(run.resumed().request(original, assistant('ok'), user('next')).messages[0], gone);
});

test('DESIGN flow 2: an answer of which the session has no record consumes', () => {
  const late = new Run();
  assert.deepEqual(late.request(original, assistant('from before'), user('next')).messages[0], gone);
  const [audit] = late.audits('ephemeral/consumed');
  assert.equal(audit?.['ordinal'], 0);
  assert.equal(late.audits('ephemeral/admitted').length, 0);
  const died = new Run();
  died.request(original);
  assert.deepEqual(died.resumed().request(original, assistant('seen')).messages[0], gone);
});

test('DESIGN flow 2: an answer that the host marks as failed consumes nothing', () => {
  const format: MessageFormat = {
    ...seedTwoFormat,
    describe: message => ({ ...seedTwoFormat.describe(message), failed: message['stopReason'] === 'error' }),
  };
  const run = new Run({ format });
  const half = { ...assistant('half'), stopReason: 'error' };
  const { messages, entries } = run.request(original, half);
  assert.deepEqual(messages, [original, half]);
  assert.equal(entries[1]?.failed, true);
  assert.deepEqual(run.request(original, half, assistant('whole')).messages[0], gone);
});

for (const ending of ['failed', 'aborted'] as const) {
  test(`DESIGN flow 2: a request beside the conversation that ended ${ending} says nothing of the conversation's answer`, () => {
    const title = user('Give it a title.');
    const during = new Run();
    during.request(original);
    during.request(original, title);
    during.session.ended(1, 'completed');
    during.session.ended(2, ending);
    assert.deepEqual(during.request(original, assistant('seen'), user('next')).messages[0], gone, 'asked meanwhile');
    const after = new Run();
    after.request(original);
    after.ended('completed');
    after.request(original, title);
    after.ended(ending);
    assert.deepEqual(after.request(original, assistant('seen'), user('next')).messages[0], gone, 'asked afterwards');
  });

  test(`DESIGN flow 2: a request beside the conversation that completed saves no answer that ended ${ending}`, () => {
    const run = new Run();
    run.request(original);
    run.request(original, user('Give it a title.'));
    run.session.ended(2, 'completed');
    run.session.ended(1, ending);
    const retry = run.request(original, assistant('half'), user('next'));
    assert.deepEqual(retry.messages[0], original);
    assert.equal(retry.entries[1]?.failed, true);
  });
}
