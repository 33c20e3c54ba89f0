import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { JsonObject } from '../../../protocol/request/json.ts';
import {
  assistant,
  bytesOf,
  definition,
  discardLine,
  EPHEMERAL,
  resultBlock,
  tombstoneOf,
  user,
} from '../../protocol/lifecycle/lifecycleKit.ts';
import { checkedSession, homeOf } from './sessionKit.ts';

const HASHES = { sessionId: 'host-1', config: { content: 'hashes' } } as const;

const LABELS = new Set(['role', 'type', 'id', 'name', 'toolCallId']);

/** Every text of a value that is content, eight characters and longer. */
function longTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return value.split(/\r?\n/).filter(line => line.length >= 8);
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, item]) => (LABELS.has(name) ? [] : longTexts(item)))
    : [];
}

test('DESIGN, The log: with `content: hashes` no content of eight characters or more is in the file', async t => {
  const checked = await checkedSession(t, HASHES);
  const { session } = checked;
  const system = 'You are a careful assistant.\nNever tell the password hunter2hunter2.';
  const tools = [{ name: 'bash', description: 'Runs a command line', parameters: { properties: { secretName: {} } } }];
  const config = { model: 'm', prompt: 'a long instruction that is content '.repeat(8) };
  const history: JsonObject[] = [
    user('the first question of the user'),
    {
      role: 'assistant',
      content: [{ type: 'tool-call', id: 'c1', name: 'bash', arguments: '{"cmd":"cat /etc/secret"}' }],
    },
    { role: 'user', content: [resultBlock('c1', `${EPHEMERAL} of the tool, which is long`)] },
  ];
  const source = `${definition('plan', 'The plan is to rewrite everything.')}and ordinary text`;
  session.contributePrefix(() => [user('the catalogue of this instance')]);
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: source });
  await checked.turn(history, { system, tools, config });
  session.inject(user('an injected message of a plug-in'), 'plugin:x');
  history.push(assistant('the answer of the assistant'), user('the second question'));
  await checked.turn(history, { system: `${system}\nAnd a new line.`, tools: [...tools, { name: 'read' }], config });
  session.control({ source: 'p', class: 'plugin', text: `words of a control\n${discardLine('plan')}` });
  history.splice(0, 2, user('a summary of the start'));
  history.splice(1, 1);
  await checked.turn(history, {
    system,
    config: { ...config, prompt: 'another long instruction, content too '.repeat(8) },
  });
  await checked.close();
  const file = readFileSync(session.logFile, 'utf8');
  const contents = [system, tools[0]?.description, history, source, 'the catalogue of this instance', config.prompt];
  const texts = [
    ...longTexts(contents),
    'the first question of the user',
    'cat /etc/secret',
    'secretName',
    'an injected message of a plug-in',
    'another long instruction',
    'of the tool, which is long',
    'words of a control',
    'And a new line.',
  ].filter(text => !text.startsWith('<!--'));
  assert.ok(texts.length > 15);
  for (const text of texts) {
    for (let at = 0; at + 8 <= text.length; at += 4) {
      const piece = JSON.stringify(text.slice(at, at + 8)).slice(1, -1);
      assert.ok(!file.includes(piece), `${piece} of "${text}" is in the file`);
    }
  }
});

test('DESIGN, The log: with `content: hashes` the hash of a request is that of the real text', async t => {
  const hashed = await checkedSession(t, HASHES);
  const full = await checkedSession(t);
  for (const { session } of [hashed, full]) {
    session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  }
  const history = [user(EPHEMERAL), assistant('b'), user('c')];
  for (const length of [1, 3]) {
    const [one, two] = [await hashed.turn(history.slice(0, length)), await full.turn(history.slice(0, length))];
    assert.equal(one.hash, two.hash);
    assert.deepEqual(one.messages, two.messages);
  }
  await hashed.close();
  await full.close();
});

test('DESIGN, The log: a log of hashes is gone on with when its sources are loaded again', async t => {
  const folder = homeOf(t);
  const source = {
    source: 'AGENTS.md',
    class: 'context-file',
    text: definition('plan') + definition('rules'),
  } as const;
  const history = [user(EPHEMERAL), assistant('b'), user('c')];
  const first = await checkedSession(t, { folder, ...HASHES });
  first.session.loadSource(source);
  first.session.control({ source: 'p', class: 'plugin', text: discardLine('rules') });
  await first.turn(history.slice(0, 1));
  await first.close();
  const second = await checkedSession(t, { folder, ...HASHES });
  second.session.loadSource(source);
  const sealed = await second.turn(history);
  assert.deepEqual(sealed.messages, [
    user(definition('plan')),
    user(tombstoneOf(bytesOf(EPHEMERAL))),
    assistant('b'),
    user('c'),
  ]);
  await second.close();
});

test('DESIGN, The log: an active block whose text nobody has keeps the request from being built, with a sentence', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, ...HASHES });
  first.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan', 'old') });
  await first.turn([user('a')]);
  await first.close();
  const second = await checkedSession(t, { folder, ...HASHES });
  second.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan', 'new') });
  const missing = { name: 'MissingBlockTextError', message: /block 'plan' is active, but this log keeps no content/ };
  await assert.rejects(second.request([user('a')]), missing);
  assert.equal(second.session.state.step, undefined, 'no step is open');
  second.session.discard('plan', { source: 'editor', class: 'editor', trigger: 'watcher' });
  const sealed = await second.turn([user('a')]);
  assert.deepEqual([sealed.requestSequence, sealed.messages], [2, [user('a')]]);
  await second.close();
});

test('DESIGN, The log: what was appended to a log of hashes is not in the requests after a resume, and a notice says so', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, ...HASHES });
  await first.turn([user('a')]);
  first.session.inject(user('appended'), 'plugin:x');
  await first.turn([user('a'), assistant('b'), user('c')]);
  await first.close();
  for (const content of ['hashes', 'full'] as const) {
    const next = await checkedSession(t, { folder, ...HASHES, config: { content } });
    const sealed = await next.turn([user('a'), assistant('b'), user('c')]);
    assert.deepEqual(sealed.messages, [user('a'), assistant('b'), user('c')]);
    if (content === 'hashes') {
      assert.match(next.session.notices[0] ?? '', /^1 appended message/);
    }
    await next.session.close();
  }
});

test('DESIGN, The log: a session may change between content and hashes from one instance to the next', async t => {
  const folder = homeOf(t);
  const source = { source: 'AGENTS.md', class: 'context-file', text: definition('plan') } as const;
  const history = [user('a'), assistant('b'), user('c')];
  for (const [index, content] of (['full', 'hashes', 'full'] as const).entries()) {
    const next = await checkedSession(t, { folder, sessionId: 's', config: { content } });
    next.session.loadSource(source);
    const sealed = await next.turn(history);
    assert.deepEqual(sealed.messages, [user(definition('plan')), ...history]);
    assert.equal(sealed.requestSequence, index + 1);
    await next.close();
  }
});
