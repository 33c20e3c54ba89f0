import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTooLong } from '../../../adapter/eventLength.ts';
import { MAX_LINE_LENGTH } from '../../../protocol/log/logReader.ts';
import { definition, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { checkedSession } from './sessionKit.ts';

const REFUSAL = new RegExp(
  `because it is longer than ${MAX_LINE_LENGTH} characters\\. Give the agent less at once\\.$`,
);

test('issue 3.4: what is longer than a line of the log is refused, and the session goes on without it', async t => {
  const checked = await checkedSession(t, { sessionId: 'long' });
  await checked.turn([user('a')]);
  const long = 'x'.repeat(MAX_LINE_LENGTH);
  await assert.rejects(
    checked.session.buildRequest({ config: {}, messages: [user('a'), user('b'), user(long)] }),
    REFUSAL,
  );
  assert.throws(
    () => checked.session.loadSource({ source: 'b.md', class: 'context-file', text: definition('long', long) }),
    REFUSAL,
  );
  assert.throws(() => checked.session.inject(user(long), 'plugin'), REFUSAL);
  await checked.turn([user('a'), user('b')]);
  const { events } = await checked.close();
  assert.equal(events.at(-1)?.type, 'session/closed');
});

test('issue 3.4: the length of an event counts as it is written', () => {
  const of = (text: string) => ({ type: 'x', seq: 0, time: 0, data: { text } });
  const room = MAX_LINE_LENGTH - JSON.stringify(of('')).length;
  assert.equal(isTooLong(of('x'.repeat(room))), false);
  assert.equal(isTooLong(of('x'.repeat(room + 1))), true);
  assert.equal(isTooLong(of('\0'.repeat(Math.floor(room / 6)))), false);
  assert.equal(isTooLong(of('\0'.repeat(Math.floor(room / 6) + 1))), true);
});
