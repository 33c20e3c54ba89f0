import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GivenUpRequestError } from '../../../adapter/requestErrors.ts';
import { assistant, definition, discardLine, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { CONFIG, checkedSession, typesOf } from './sessionKit.ts';

test('a request in two steps is the one that is built in one', async t => {
  const [one, two] = [await checkedSession(t), await checkedSession(t)];
  const header = { config: CONFIG, system: 'be nice', tools: [{ name: 'cat' }] };
  for (const { session } of [one, two]) {
    session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  }
  const messages = [user('<!--ephemeral-->\na'), assistant('b'), user('c')];
  const built = await one.request(messages, header);
  const { seal, ...begun } = await two.session.beginRequest({ messages });
  const sealed = await seal(header);
  await two.check(sealed);
  assert.deepEqual(sealed, built);
  const { messages: view, origins, hosts, requestSequence } = sealed;
  assert.deepEqual(begun, { messages: view, origins, hosts, requestSequence });
  assert.deepEqual(typesOf((await two.close()).events), typesOf((await one.close()).events));
});

test('what happens between the two steps belongs to the next request', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  const begun = await session.beginRequest({ messages: [user('a')] });
  session.control({ source: 'x', class: 'plugin', text: discardLine('plan') });
  session.inject(user('late'), 'plugin:late');
  const sealed = await begun.seal({ config: CONFIG });
  await checked.check(sealed);
  assert.equal(sealed.messages.length, 2);
  assert.equal((await checked.logged('block/discarded'))[0]?.requestSequence, 2);
  session.response(1, { outcome: 'completed' });
  const next = await checked.request([user('a'), assistant('b')]);
  assert.deepEqual(next.messages, [user('a'), assistant('b'), user('late')]);
  const [, second] = await checked.logged('request/sealed');
  assert.deepEqual(
    second?.changes.map(({ part }) => part),
    ['prefix'],
  );
  await checked.close();
});

test('a request that was begun and never sealed was not sent: the next one takes its number', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  const messages = [user('<!--ephemeral-->\nsecret')];
  const begun = await session.beginRequest({ messages });
  const sealed = await (await session.beginRequest({ messages })).seal({ config: CONFIG });
  await checked.check(sealed);
  assert.equal(sealed.requestSequence, 1);
  await assert.rejects(begun.seal({ config: CONFIG }), GivenUpRequestError);
  session.response(1, { outcome: 'completed' });
  const next = await checked.request([...messages, assistant('b')]);
  assert.doesNotMatch(JSON.stringify(next.messages), /secret/);
  const { events } = await checked.close();
  assert.equal(typesOf(events).filter(type => type === 'request/sealed').length, 2);
});

test('a session that is closed seals nothing that was begun, and a resume takes the number again', async t => {
  const checked = await checkedSession(t, { sessionId: 's' });
  const begun = await checked.session.beginRequest({ messages: [user('a')] });
  await checked.close();
  await assert.rejects(begun.seal({ config: CONFIG }), /closed/);
});

test('a request that was sealed is not sealed again, and runs on beside the next one', async t => {
  const checked = await checkedSession(t, { reportsEnds: true });
  const { session } = checked;
  const begun = await session.beginRequest({ messages: [user('a')] });
  await checked.check(await begun.seal({ config: CONFIG }));
  await assert.rejects(begun.seal({ config: CONFIG }), GivenUpRequestError);
  await checked.request([user('a'), user('b')]);
  session.response(1, { outcome: 'completed' });
  session.response(2, { outcome: 'completed' });
  assert.deepEqual(
    session.state.requests.toArray().map(({ ended }) => ended?.outcome),
    ['completed', 'completed'],
  );
  await checked.close();
});
