import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definition } from '../../../protocol/lifecycle/lifecycleKit.ts';
import { ANTHROPIC, CHAT, GEMINI, RESPONSES, type Said } from './dialects.ts';
import { GatewayHouse } from './gatewayHouse.ts';

const FIRST: readonly Said[] = [{ user: 'go' }];
const CALL = { toolCalls: [{ id: 'c1', name: 'bash', arguments: {} }] };
const RULES = { 'rules.md': definition('rules', 'Be brief.') };

test('agents.md trap: Gemini sends no session, so the name in the path tells two of them apart', async t => {
  const house = await GatewayHouse.open(t, [CALL, { text: 'a' }, { text: 'b' }]);
  await house.ask(GEMINI, FIRST, { session: 'one' });
  await house.ask(GEMINI, FIRST, { session: 'two' });
  await house.gateway.close();
  assert.deepEqual([...(await house.logs()).keys()].sort(), ['one', 'two']);
});

test('an agent that names no session at all has one for the life of the gateway', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }]);
  const ask = (said: readonly Said[]): Promise<Response> =>
    fetch(`${house.gateway.address}/openai/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(CHAT.body(said)),
    });
  await (await ask(FIRST)).text();
  await (await ask([...FIRST, { says: 'a' }, { user: 'b' }])).text();
  await house.gateway.close();
  const logs = [...(await house.logs()).values()];
  assert.equal(logs.length, 1);
  assert.equal(logs[0]?.header?.agent, 'openai-chat');
  assert.equal(logs[0]?.events.filter(({ type }) => type === 'request/sealed').length, 2);
});

test('agents.md: sub-agents of Claude Code, Codex and opencode are child sessions, each with its own conversation', async t => {
  const house = await GatewayHouse.open(
    t,
    Array.from({ length: 6 }, () => ({ text: 'a' })),
    {
      files: RULES,
      sources: ['rules.md'],
    },
  );
  await house.ask(ANTHROPIC, FIRST, { session: 'claude' });
  await house.ask(ANTHROPIC, FIRST, { session: 'claude', headers: { 'x-claude-code-agent-id': 'helper' } });
  await house.ask(RESPONSES, FIRST, { session: 'codex' });
  await house.ask(RESPONSES, FIRST, { session: 'codex', headers: { 'thread-id': 'codex-helper' } });
  await house.ask(CHAT, FIRST, { session: 'oc' });
  await house.ask(CHAT, FIRST, { session: 'oc-helper', headers: { 'x-parent-session-id': 'oc' } });
  await house.gateway.close();
  const logs = await house.logs();
  const family = [...logs.values()].map(({ header }) => `${header?.agent} ${header?.id} of ${header?.parentSession}`);
  assert.deepEqual(family.sort(), [
    'claude-code claude of undefined',
    'claude-code claude/helper of claude',
    'codex codex of undefined',
    'codex codex-helper of codex',
    'opencode oc of undefined',
    'opencode oc-helper of oc',
  ]);
  for (const { events } of logs.values()) {
    assert.equal(events.filter(({ type }) => type === 'request/sealed').length, 1);
    assert.deepEqual(
      events.flatMap(({ type, data }) => (type === 'session/opened' ? [(data as { reason: string }).reason] : [])),
      ['new'],
      'a child is no fork',
    );
  }
  assert.ok(
    house.bodies.every(body => body.includes('Be brief.')),
    'the blocks count in each of them',
  );
});

test('the same id by another API is another session', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }]);
  const headers = { 'user-agent': 'opencode/1.18.33', 'x-session-id': 'same', originator: 'opencode' };
  await house.ask(CHAT, FIRST, { session: 'same' });
  await house.ask(ANTHROPIC, FIRST, { session: 'same', headers: { ...headers, 'x-claude-code-session-id': '' } });
  await house.gateway.close();
  assert.deepEqual([...(await house.logs()).keys()].sort(), ['same', 'same@anthropic-messages']);
});

test('names that collide over two APIs: nothing is read as what it is not', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }]);
  const headers = { 'user-agent': 'opencode/1.18.33', 'x-claude-code-session-id': 'same' };
  assert.equal((await house.ask(CHAT, FIRST, { headers: { 'x-session-id': 'same@anthropic-messages' } })).status, 200);
  const refused = await house.ask(ANTHROPIC, FIRST, { session: 'same', headers });
  assert.match(refused.text, /is that of one by another API \(openai-chat\)/);
  assert.equal(house.bodies.length, 1);
});

test('session names of any length and any characters are labels, and never names of files', async t => {
  const house = await GatewayHouse.open(t, [{ text: 'a' }, { text: 'b' }, { text: 'c' }, { text: 'd' }]);
  const cacheKeys = ['x'.repeat(1_000_000), '../../etc/passwd', '\u001b[31mred\u202e\n', '__proto__'];
  for (const key of cacheKeys) {
    const answer = await fetch(`${house.gateway.address}/openai/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(CHAT.body(FIRST, { prompt_cache_key: key })),
    });
    assert.equal(answer.status, 200);
    await answer.text();
  }
  await house.gateway.close();
  const ids = [...(await house.logs()).keys()];
  assert.equal(ids.length, cacheKeys.length);
  assert.ok(ids.every(id => id.length <= 200 && !/[\p{Cc}\p{Cf}]/u.test(id)));
  assert.ok(ids.includes('__proto__') && ids.includes('../../etc/passwd'));
});

test('many sessions at once keep apart, and calls that come together open a session once', async t => {
  const house = await GatewayHouse.open(
    t,
    Array.from({ length: 24 }, () => ({ text: 'a' })),
  );
  const names = Array.from({ length: 8 }, (_, place) => `s${place}`);
  await Promise.all(
    names.flatMap(session =>
      [1, 2, 3].map(async () => {
        assert.equal((await house.ask(ANTHROPIC, [{ user: session }], { session })).status, 200);
      }),
    ),
  );
  await house.gateway.close();
  const logs = await house.logs();
  assert.deepEqual([...logs.keys()].sort(), names);
  for (const [session, { events }] of logs) {
    assert.equal(events.filter(({ type }) => type === 'session/opened').length, 1);
    assert.equal(events.filter(({ type }) => type === 'request/sealed').length, 3);
    const text = JSON.stringify(events);
    assert.ok(names.every(name => name === session || !text.includes(`"${name}"`)));
  }
});
