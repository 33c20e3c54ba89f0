import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openSession } from '../../../adapter/openSession.ts';
import type { SessionOptions } from '../../../adapter/sessionTypes.ts';
import { openTokenCounter, type TokenCounterOptions } from '../../../adapter/tokens/openTokenCounter.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';

async function sessionFor(context: TestContext, counting: TokenCounterOptions, options: Partial<SessionOptions> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'counted-session-'));
  const counter = openTokenCounter({ patience: 60_000, ...counting });
  const session = await openSession({ agent: 'test', folder, counter, ...options });
  context.after(async () => {
    await session.close();
    await counter.close();
    rmSync(folder, { recursive: true });
  });
  const sealed = (requestSequence: number) => session.state.requests.get(requestSequence - 1)?.sealed;
  return { session, sealed };
}

const user = (text: string): JsonObject => ({ role: 'user', content: [{ type: 'text', text }] });
const answer = (text: string): JsonObject => ({ role: 'assistant', content: [{ type: 'text', text }] });
const block = (id: string, words: number) =>
  `<!--BLOCK_ID:${id}-->\n${'word '.repeat(words)}\n<!--/BLOCK_ID:${id}-->\n`;
const config = { model: 'gpt-5' };

test('a session’s requests carry their sizes, and a discard its price, before and after', async context => {
  const { session, sealed } = await sessionFor(context, {}, { config: { announce: false } });
  session.loadSource({ source: '/a/AGENTS.md', class: 'context-file', text: block('a', 400) + block('b', 90) });
  const messages = [user('Please look at the tests. '.repeat(50))];
  await session.buildRequest({ messages, config, system: 'You are careful.' });
  const first = sealed(1);
  assert.deepEqual(first?.sizes?.messages, { tokens: 301, origin: 'exact' });
  assert.equal(first?.sizes?.prefix.origin, 'exact', 'the blocks were counted too');
  assert.equal(first?.price, undefined);
  session.response(1, { outcome: 'completed', usage: { input: 900 } });

  messages.push(answer('They pass.'), user('Good.'));
  await session.buildRequest({ messages: structuredClone(messages), config, system: 'You are careful.' });
  const second = sealed(2);
  assert.equal(second?.sizes?.total.origin, 'anchored');
  assert.ok((second?.sizes?.total.tokens ?? 0) > 900 && (second?.sizes?.total.tokens ?? 0) < 920);
  assert.deepEqual(second?.price?.rewritten, { tokens: 0, origin: 'exact' });

  const before = session.whatIf('a');
  assert.equal(before?.divergence?.part, 'prefix');
  assert.ok((before?.freed.tokens ?? 0) >= 400);
  session.control({ source: 'plugin:test', class: 'plugin', text: '<!--DISCARD_BLOCK:a-->' });
  assert.equal(session.whatIf('a'), undefined, 'it is not active any more');
  await session.buildRequest({ messages: [...messages, user('Go on.')], config, system: 'You are careful.' });
  const after = sealed(3)?.price;
  assert.deepEqual(after?.divergence, before?.divergence);
  assert.equal(after?.freed.origin, 'exact');
  // Before it was sent nobody had counted the text that would be left: it was taken for as dense as the whole.
  assert.equal(before?.freed.origin, 'estimated');
  assert.ok(Math.abs((after?.freed.tokens ?? 0) - (before?.freed.tokens ?? 0)) <= 10);
});

test('a session whose worker is missing says so once, and goes on with estimates', async context => {
  const worker = pathToFileURL(path.join(tmpdir(), 'nowhere', 'tokenWorker.js'));
  const { session, sealed } = await sessionFor(context, { worker }, { config: { announce: false } });
  for (const text of ['one', 'two', 'three']) {
    await session.buildRequest({ messages: [user(text)], config });
  }
  assert.equal(sealed(3)?.sizes?.messages.origin, 'estimated');
  const problems = session.state.problems.toArray().map(({ code, sentence }) => [code, sentence.slice(0, 28)]);
  assert.deepEqual(problems, [['token-numbers', 'Token numbers are estimates:']]);
});

test('with countTokens off there are no sizes and no prices', async context => {
  const { session, sealed } = await sessionFor(context, {}, { config: { announce: false, countTokens: false } });
  await session.buildRequest({ messages: [user('one')], config });
  assert.deepEqual([sealed(1)?.sizes, sealed(1)?.price], [undefined, undefined]);
});
