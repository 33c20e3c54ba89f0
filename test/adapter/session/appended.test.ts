import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedSession, homeOf } from './sessionKit.ts';

const text = (value: string) => ({ type: 'text', text: value });
const user = (value: string) => ({ role: 'user', content: [text(value)] });
const answer = (value: string) => ({ role: 'assistant', content: [text(value)] });
const call = (id: string) => ({
  role: 'assistant',
  content: [{ type: 'tool-call', id, name: 'bash', arguments: '{}' }],
});
const result = (id: string) => ({
  role: 'user',
  content: [{ type: 'tool-result', toolCallId: id, content: [text(`result ${id}`)], isError: false }],
});

const shown = (messages: readonly object[]) => messages.map(message => JSON.stringify(message));
const placesOf = (messages: readonly object[], ...wanted: readonly object[]) =>
  wanted.map(message => shown(messages).indexOf(JSON.stringify(message)));

test('DESIGN flow 2: an injection follows the answer that was on its way when it came', async t => {
  const checked = await checkedSession(t, { folder: homeOf(t) });
  const [one, two, three] = [user('one'), answer('two'), user('three')];
  await checked.request([one]);
  checked.session.inject(user('while it streams'), 'plugin:x');
  checked.session.response(1, { outcome: 'completed', callsTools: false });
  checked.session.inject(user('after it'), 'plugin:x');
  const { messages } = await checked.request([one, two, three]);
  assert.deepEqual(shown(messages), shown([one, two, user('while it streams'), user('after it'), three]));
  const later = await checked.request([one, two, three, answer('four')]);
  assert.deepEqual(shown(later.messages).slice(0, 5), shown(messages));
});

test('request-log 10: an injection between a call and its result stands behind the result', async t => {
  const checked = await checkedSession(t, { folder: homeOf(t) });
  await checked.request([user('go')]);
  checked.session.inject(user('note'), 'plugin:x');
  const { messages } = await checked.request([user('go'), call('c'), result('c')]);
  assert.deepEqual(shown(messages), shown([user('go'), call('c'), result('c'), user('note')]));
});

test('request-log 10: context of a tool stands behind all results of its step, and stays there', async t => {
  const checked = await checkedSession(t, { folder: homeOf(t) });
  const history = [user('go'), call('c'), result('c')];
  await checked.request(history.slice(0, 1));
  checked.session.response(1, { outcome: 'completed', callsTools: true });
  checked.session.inject(user('context of c'), 'plugin:x', 'tool-context');
  const { messages } = await checked.request(history);
  assert.deepEqual(placesOf(messages, result('c'), user('context of c')), [2, 3]);
  const later = await checked.request([...history, answer('done'), user('more')]);
  assert.deepEqual(placesOf(later.messages, user('context of c'), answer('done')), [3, 4]);
});

test('request-log 10: context of a prompt stands right behind the prompt, and stays there', async t => {
  const checked = await checkedSession(t, { folder: homeOf(t) });
  checked.session.inject(user('context of the prompt'), 'plugin:x', 'prompt-context');
  const { messages } = await checked.request([user('go')]);
  assert.deepEqual(shown(messages), shown([user('go'), user('context of the prompt')]));
  const later = await checked.request([user('go'), answer('done'), user('more')]);
  assert.deepEqual(placesOf(later.messages, user('context of the prompt'), answer('done')), [1, 2]);
});

test('request-log 2.5: an answer that calls no tool ends its turn, where the host says so', async t => {
  const checked = await checkedSession(t, { folder: homeOf(t) });
  await checked.request([user('go')]);
  checked.session.response(1, { outcome: 'completed', callsTools: true });
  assert.equal(checked.session.state.turn?.turn, 1);
  await checked.request([user('go'), call('c'), result('c')]);
  checked.session.response(2, { outcome: 'completed', callsTools: false });
  assert.equal(checked.session.state.turn, undefined);
});
