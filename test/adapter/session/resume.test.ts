import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Policy } from '../../../protocol/lifecycle/policy.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import {
  assistant,
  bytesOf,
  call,
  definition,
  discardLine,
  EPHEMERAL,
  result,
  tombstoneOf,
  user,
} from '../../protocol/lifecycle/lifecycleKit.ts';
import { checkedSession, dataOf, homeOf } from './sessionKit.ts';

const SESSION = { sessionId: 'host-1' };

test('seed 1: blocks that were discarded stay discarded after a resume, and active ones are there without being loaded', async t => {
  const folder = homeOf(t);
  const text = definition('plan') + definition('rules');
  const first = await checkedSession(t, { folder, ...SESSION });
  first.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text });
  first.session.control({ source: 'p', class: 'plugin', text: discardLine('plan') });
  await first.turn([user('a')]);
  await first.close();
  const second = await checkedSession(t, { folder, ...SESSION });
  assert.deepEqual(second.session.notices, []);
  assert.deepEqual((await second.turn([user('a')])).messages, [user(definition('rules')), user('a')]);
  assert.deepEqual(second.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text }), []);
  assert.deepEqual((await second.turn([user('a')])).messages, [user(definition('rules')), user('a')]);
  const { events } = await second.close();
  assert.equal(dataOf(events, 'block/activated').length, 2);
  assert.equal(dataOf(events, 'source/loaded').length, 1);
});

test('seed 1: an ephemeral unit is audited once and only once, also after a resume', async t => {
  const folder = homeOf(t);
  const history = [user('a'), call('c1'), result('c1', EPHEMERAL)];
  const later = [...history, assistant('b'), user('c')];
  const consumed = result('c1', tombstoneOf(bytesOf(EPHEMERAL)));
  const first = await checkedSession(t, { folder, ...SESSION });
  await first.turn(history);
  await first.close();
  const second = await checkedSession(t, { folder, ...SESSION });
  assert.deepEqual((await second.turn(history)).messages[2], result('c1', EPHEMERAL));
  assert.deepEqual((await second.turn(later)).messages[2], consumed);
  await second.close();
  const third = await checkedSession(t, { folder, ...SESSION });
  const again = await third.turn(later);
  assert.deepEqual(again.messages[2], consumed);
  const { events } = await third.close();
  assert.equal(dataOf(events, 'ephemeral/admitted').length, 1);
  assert.equal(dataOf(events, 'ephemeral/consumed').length, 1);
});

test('seed 1: a directive in a message is processed once in the life of a session, also after a resume', async t => {
  const folder = homeOf(t);
  const policy: Policy = {
    rules: [
      { class: 'context-file', pattern: '*', may: ['define'] },
      { class: 'user', pattern: '*', may: ['discard', 'ephemeral'] },
    ],
  };
  const history = [user(`please\n${discardLine('plan')}`), user(discardLine('nothing'))];
  const first = await checkedSession(t, { folder, policy, ...SESSION });
  first.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  assert.deepEqual((await first.turn(history)).messages, history);
  await first.close();
  const second = await checkedSession(t, { folder, policy, ...SESSION });
  await second.turn(history);
  const { events } = await second.close();
  assert.deepEqual(
    events.flatMap(({ type }) => (type.startsWith('discard/') || type === 'block/discarded' ? [type] : [])),
    ['block/discarded', 'discard/unknown'],
  );
});

test('DESIGN flow 2: appended messages keep their place after a resume, and after the host compacted what they followed', async t => {
  const folder = homeOf(t);
  const history = [user('a'), assistant('b'), user('c')];
  const first = await checkedSession(t, { folder, ...SESSION });
  await first.turn(history.slice(0, 1));
  first.session.inject(user('after b'), 'plugin:x');
  first.session.inject(user('after that'), 'plugin:y');
  await first.turn(history);
  await first.close();
  const second = await checkedSession(t, { folder, ...SESSION });
  const resumed = await second.turn(history);
  assert.deepEqual(resumed.messages, [user('a'), assistant('b'), user('after b'), user('after that'), user('c')]);
  assert.deepEqual(resumed.origins, [0, 1, undefined, undefined, 2]);
  const compacted = await second.turn([user('summary'), user('c')]);
  assert.deepEqual(compacted.messages, [user('after b'), user('after that'), user('summary'), user('c')]);
  await second.close();
});

test('request-log 2.5: turns, steps and requests are counted on after a resume', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, ...SESSION });
  const history: JsonObject[] = [user('a')];
  await first.turn(history);
  history.push(call('c1'), result('c1', 'x'));
  await first.turn(history);
  history.push(assistant('done'), user('b'));
  await first.turn(history);
  await first.close();
  const second = await checkedSession(t, { folder, ...SESSION });
  assert.equal((await second.turn(history)).requestSequence, 4);
  history.push(call('c2'), result('c2', 'y'));
  await second.turn(history);
  const { events } = await second.close();
  assert.deepEqual(
    dataOf(events, 'step/start').map(({ turn, step, requestSequence }) => [turn, step, requestSequence]),
    [
      [1, 1, 1],
      [1, 2, 2],
      [2, 1, 3],
      [3, 1, 4],
      [3, 2, 5],
    ],
  );
  assert.deepEqual(
    dataOf(events, 'session/opened').map(({ reason }) => reason),
    ['new', 'resumed'],
  );
});

test('DESIGN, The log: a session with a history but no record says that earlier discards are unknown', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, ...SESSION, hasHistory: true });
  await first.turn([user('a')]);
  await first.close();
  const second = await checkedSession(t, { folder, ...SESSION, hasHistory: true });
  const { events } = await second.close();
  assert.deepEqual(
    dataOf(events, 'session/opened').map(({ earlierUnknown }) => earlierUnknown),
    [true, undefined],
  );
});

test('issue 3.1: a source that changed between two instances drifts, and what is active stays', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, ...SESSION });
  first.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan', 'old') });
  await first.turn([user('a')]);
  await first.close();
  const second = await checkedSession(t, { folder, ...SESSION });
  second.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan', 'new') });
  assert.deepEqual((await second.turn([user('a')])).messages[0], user(definition('plan', 'old')));
  const { events } = await second.close();
  assert.equal(dataOf(events, 'source/drifted').length, 1);
});

test('DESIGN flow 2: an answer that failed before a resume consumes nothing after it', async t => {
  const folder = homeOf(t);
  const history = [user(EPHEMERAL)];
  const first = await checkedSession(t, { folder, ...SESSION });
  const { requestSequence } = await first.request(history);
  first.session.response(requestSequence, { outcome: 'failed' });
  await first.close();
  const second = await checkedSession(t, { folder, ...SESSION });
  const sealed = await second.turn([...history, assistant('half'), user('again')]);
  assert.deepEqual(sealed.messages[0], user(EPHEMERAL));
  await second.close();
});

test('DESIGN flow 2: what was appended and shown in no request yet finds its place after a resume as it would have before', async t => {
  const history = [user('a'), call('c1'), result('c1', 'x'), assistant('b'), user('c')];
  for (const isResumed of [false, true]) {
    const folder = homeOf(t);
    let checked = await checkedSession(t, { folder, ...SESSION });
    const again = async (): Promise<void> => {
      if (isResumed) {
        await checked.close();
        checked = await checkedSession(t, { folder, ...SESSION });
      }
    };
    await checked.turn(history.slice(0, 1));
    checked.session.inject(user('context of the tool'), 'plugin:x', 'tool-context');
    await again();
    const second = await checked.turn(history.slice(0, 3));
    assert.deepEqual(second.messages, [...history.slice(0, 3), user('context of the tool')]);
    checked.session.inject(user('while it answered'), 'plugin:x');
    checked.session.inject(user('and more'), 'plugin:x');
    await again();
    const third = await checked.turn(history);
    assert.deepEqual(third.messages, [
      ...history.slice(0, 3),
      user('context of the tool'),
      history[3],
      user('while it answered'),
      user('and more'),
      history[4],
    ]);
    await again();
    assert.deepEqual((await checked.turn(history)).messages, third.messages);
    await checked.close();
  }
});
