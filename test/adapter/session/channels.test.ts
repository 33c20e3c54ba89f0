import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, call, definition, result, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { checkedSession, dataOf } from './sessionKit.ts';

const ASKED = { system: 'be kind', tools: [{ name: 'bash' }] };

test('seed 2: an update on the way goes through inject, the context of a tool or of a prompt: paid once, then part of what stays', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  session.contributePrefix(() => [user('opener')]);
  const history: JsonObject[] = [user('a')];
  session.inject(user('of the prompt'), 'hook', 'prompt-context');
  const requests = [await checked.turn(history, ASKED)];
  history.push(call('c1'), result('c1', 'x'));
  requests.push(await checked.turn(history, ASKED));
  session.inject(user('of the tool'), 'hook', 'tool-context');
  history.push(call('c2'), result('c2', 'y'));
  requests.push(await checked.turn(history, ASKED));
  session.inject(user('AGENTS.md was found'), 'plugin:files');
  history.push(assistant('done'), user('more'));
  requests.push(await checked.turn(history, ASKED));
  for (const [index, { messages }] of requests.slice(1).entries()) {
    const before = requests[index]?.messages ?? [];
    assert.deepEqual(messages.slice(0, before.length), before, 'each request extends the one before');
  }
  assert.deepEqual(requests.at(-1)?.messages, [
    user('opener'),
    user('a'),
    user('of the prompt'),
    call('c1'),
    result('c1', 'x'),
    call('c2'),
    result('c2', 'y'),
    user('of the tool'),
    assistant('done'),
    user('AGENTS.md was found'),
    user('more'),
  ]);
  const { events } = await checked.close();
  assert.deepEqual(
    [...new Set(dataOf(events, 'host/message').flatMap(({ channel }) => channel ?? []))],
    ['prompt-context', 'tool-context', 'inject'],
  );
  assert.equal(dataOf(events, 'request/header').length + dataOf(events, 'request/header-delta').length, 1);
  for (const { requestSequence, changes } of dataOf(events, 'request/sealed')) {
    assert.deepEqual(changes, [], `request ${requestSequence} changes nothing of what was there before`);
  }
});

test('seed 2: what is injected while a request is sealed, and finds its place later, changes nothing of that request', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  const stop = session.onEvent(({ type }) => {
    if (type === 'request/sealed') {
      stop();
    } else if (type === 'step/start') {
      session.inject(user('of the tool'), 'hook', 'tool-context');
    }
  });
  const history = [user('a'), call('c1'), result('c1', 'x')];
  await checked.turn(history);
  history.push(call('c2'), result('c2', 'y'));
  const second = await checked.turn(history);
  assert.deepEqual(second.messages, [...history, user('of the tool')]);
  const [last] = (await checked.logged('request/sealed')).slice(-1);
  assert.deepEqual(last?.changes, []);
  await checked.close();
});

test('seed 2: there is no per-request slot: nothing that is handed over is in one request and gone from the next', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  for (const channel of ['suffix', 'after', 'tail', 'request']) {
    assert.throws(() => session.inject(user('tail'), 'plugin:x', channel as never), { name: 'UnloggableEventError' });
  }
  const more = { messageSuffix: [user('tail')], after: [user('tail')] } as object;
  const first = await checked.request([user('a')], more);
  assert.deepEqual(first.messages, [user('a')]);
  assert.deepEqual((await checked.request([user('a'), assistant('b')])).messages, [user('a'), assistant('b')]);
  const { events } = await checked.close();
  assert.doesNotMatch(JSON.stringify(events), /tail/);
});

test('seed 2: what plug-ins contribute, and the blocks, change neither the system prompt nor the tools', async t => {
  const checked = await checkedSession(t);
  const plain = await checkedSession(t);
  const { system, tools } = await plain.request([user('a')], ASKED);
  checked.session.contributePrefix(() => [user('the workspace is /home/u/project'), { role: 'system', content: 'x' }]);
  checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  const framed = await checked.request([user('a')], ASKED);
  assert.deepEqual([framed.system, framed.tools], [system, tools]);
  assert.equal(framed.messages.length, 4);
  const [header] = await checked.logged('request/header');
  assert.equal(header?.header['system'], 'be kind');
  await checked.close();
  await plain.close();
});

test('seed 2: but for the blocks’ message no delta ever carries messagePrefix', async t => {
  const checked = await checkedSession(t);
  let asked = 0;
  checked.session.contributePrefix(() => [user(`composed ${++asked}`)]);
  const history: JsonObject[] = [];
  for (let turn = 0; turn < 8; turn++) {
    history.push(user(`${turn}`));
    checked.session.inject(user(`note ${turn}`), 'plugin:x');
    await checked.turn(turn === 5 ? history.splice(0, 4) : history, {
      system: `system ${turn % 3}`,
      tools: turn % 2 ? [{ name: 'bash' }] : [],
      config: { model: `m${turn % 4}` },
    });
    history.push(assistant(`yes ${turn}`));
  }
  const deltas = await checked.logged('request/header-delta');
  assert.equal(deltas.length, 7);
  assert.ok(deltas.every(delta => !('messagePrefix' in delta)));
  checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  await checked.turn(history, { config: { model: 'm3' } });
  const [last] = (await checked.logged('request/header-delta')).slice(-1);
  assert.deepEqual(last?.['messagePrefix'], [user('composed 1'), user(definition('plan'))]);
  await checked.close();
});
