import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashedHeader, hashedMessage, hashedTool } from '../../../protocol/log/hashedContent.ts';
import { withoutContent } from '../../../protocol/log/withoutContent.ts';
import { deriveMessages } from '../../../protocol/request/deriveMessages.ts';
import { foldRequestHeader } from '../../../protocol/request/foldRequestHeader.ts';
import { canonicalHeader, headerEquals } from '../../../protocol/request/header.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { headers } from '../request/arbitraries.ts';
import { runInstance } from '../request/logKit.ts';
import { HASH, sha256 } from './sessions.ts';

const stripped = (type: string, data: unknown): unknown =>
  withoutContent({ type, seq: 3, time: 4, data } as LogEvent, sha256).data;

const digest = (value: unknown) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { sha256: sha256(text), bytes: Buffer.byteLength(text) };
};

test('a message keeps its role, and the digest is that of the whole message', () => {
  const message = { role: 'tool', content: 'Ünfair', tool_call_id: 'c' };
  assert.deepEqual(hashedMessage(message, sha256), { role: 'tool', content: digest(message) });
  assert.deepEqual(hashedMessage({ text: 'x' }, sha256), { content: digest({ text: 'x' }) });
  const long = { role: 'a role that is a sentence', content: '' };
  assert.deepEqual(hashedMessage(long, sha256), { content: digest(long) });
});

test('what only looks like a digest is content like any other', () => {
  const looks = { name: 'dig', sha256: HASH, bytes: 3 };
  const tool = { ...looks, description: 'secret' };
  assert.deepEqual(hashedTool(looks, sha256), looks);
  assert.deepEqual(hashedTool(tool, sha256), { name: 'dig', ...digest(tool) });
  const message = { role: 'user', content: { sha256: HASH, bytes: 3 }, note: 'secret' };
  assert.deepEqual(hashedMessage(message, sha256), { role: 'user', content: digest(message) });
});

test('a foreign message keeps what the log needs of it beside the message', () => {
  const data = {
    message: { role: 'user', content: 'x' },
    units: ['u1'],
    cause: 'tombstone',
    after: 'u0',
    channel: 'inject',
    source: 'plugin:p',
    failed: true,
  };
  assert.deepEqual(stripped('host/message', data), {
    ...data,
    message: { role: 'user', content: digest(data.message) },
  });
  assert.deepEqual(stripped('host/message', { message: null, units: [] }), { message: null, units: [] });
});

test('of a body its hashes and lengths stay, and nothing of its text', () => {
  const facts = { requestSequence: 2, bytes: 9, sha256: HASH, encoding: 'gzip', decoded: { bytes: 20, sha256: HASH } };
  const pieces = { keepStart: 1, keepEnd: 0, insert: ['secret', { part: 'tools' }] };
  assert.deepEqual(stripped('request/body', { ...facts, pieces, later: 'secret' }), facts);
});

test('the six message types stay messages: what is derived from them has the digest for content', () => {
  const content = [{ type: 'text', text: 'x' }];
  const log = [
    { type: 'host/message', data: { message: { role: 'user', content: 'x' }, units: [] } },
    { type: 'user/message', data: { content, source: { kind: 'user' } } },
    { type: 'assistant/message', data: { turn: 1, step: 1, content } },
    { type: 'assistant/message', data: { turn: 1, step: 1, content: [], usage: { input: 1 } } },
    { type: 'tool/result', data: { turn: 1, step: 1, callId: 'c', content, isError: true, error: 'e', meta: 'm' } },
    { type: 'context/message', data: { content, source: { kind: 'plugin', name: 'n' }, after: 'u' } },
    { type: 'steering/message', data: { turn: 1, content, source: { kind: 'user' } } },
  ].map((event, seq) => withoutContent({ ...event, seq, time: 1, surfaceOp: 'append' }, sha256));
  const hashed = digest(content);
  const wrapped = (tag: string, kind: string) => [
    { type: 'text', text: `<${tag} source="${kind}">` },
    hashed,
    { type: 'text', text: `</${tag}>` },
  ];
  assert.deepEqual(deriveMessages(log), [
    { role: 'user', content: digest({ role: 'user', content: 'x' }) },
    { role: 'user', content: [hashed] },
    { role: 'assistant', content: [hashed] },
    { role: 'user', content: [{ type: 'tool-result', toolCallId: 'c', content: [hashed], isError: true }] },
    { role: 'user', content: wrapped('context', 'plugin') },
    { role: 'user', content: wrapped('steering', 'user') },
  ]);
  assert.deepEqual(log[3]?.data, { content: [], turn: 1, step: 1, usage: { input: 1 } });
});

test('a header keeps the names of its tools and the short texts of its config', () => {
  const long = 'x'.repeat(129);
  const tools = [{ name: 'dig', d: 1 }, { type: 'function', function: { name: 'rake' } }, { type: 'web' }, 'sow'];
  const header = {
    config: { model: 'm', stop: ['a', long], n: 1 },
    system: 's',
    tools,
    messagePrefix: [{ role: 'user' }],
  };
  const expected = {
    config: { model: 'm', stop: ['a', digest(long)], n: 1 },
    system: digest('s'),
    tools: [
      { name: 'dig', ...digest(tools[0]) },
      { function: { name: 'rake' }, ...digest(tools[1]) },
      { type: 'web', ...digest(tools[2]) },
      digest('sow'),
    ],
    messagePrefix: [{ role: 'user', content: digest({ role: 'user' }) }],
  };
  assert.deepEqual(hashedHeader(header, sha256), expected);
  assert.deepEqual(stripped('request/header', { header, reason: 'resume' }), { header: expected, reason: 'resume' });
  assert.deepEqual(hashedHeader({ config: {}, system: '', tools: [] }, sha256), { config: {} });
});

test('the parts of a header that changed are still told, as digests', () => {
  const lines = { system: { keepStart: 1, keepEnd: 2, insert: ['a', 'b'] } };
  assert.deepEqual(stripped('request/header-delta', lines), {
    system: { keepStart: 1, keepEnd: 2, insert: { lines: 2, ...digest('a\nb') } },
  });
  assert.deepEqual(stripped('request/header-delta', { system: { replace: 'x' } }), {
    system: { replace: digest('x') },
  });
  assert.deepEqual(stripped('request/header-delta', { system: { replace: '' }, messagePrefix: [] }), {
    system: { replace: '' },
    messagePrefix: [],
  });
  const tool = { name: 'dig', d: 1 };
  assert.deepEqual(stripped('request/header-delta', { tools: { added: [tool], removed: ['rake'], changed: [] } }), {
    tools: { added: [{ name: 'dig', ...digest(tool) }], removed: ['rake'], changed: [] },
  });
});

test('the other content: a block, an answer in pieces, a call, a refused prompt, a list, an unknown event', () => {
  const block = { blockId: 'a', sha256: HASH, bytes: 1 };
  assert.deepEqual(stripped('block/activated', { ...block, text: 'x' }), block);
  assert.deepEqual(stripped('assistant/chunk', { turn: 1, step: 2, chunk: 'x', more: 'y' }), {
    turn: 1,
    step: 2,
    chunk: digest('x'),
  });
  const call = { turn: 1, step: 2, callId: 'c', name: 'bash' };
  assert.deepEqual(stripped('tool/call', { ...call, arguments: '{}' }), {
    ...call,
    arguments: JSON.stringify(digest('{}')),
  });
  for (const type of ['prompt/blocked', 'todo/write', 'future/thing']) {
    assert.deepEqual(stripped(type, { text: 'x' }), digest({ text: 'x' }), type);
  }
  const reason = { kind: 'error', message: 'x'.repeat(200) };
  assert.deepEqual(stripped('turn/end', { turn: 1, reason }), {
    turn: 1,
    reason: { kind: 'error', message: digest(reason.message) },
  });
});

test('an event without content is handed on as it is', () => {
  const event: LogEvent = { type: 'log/torn', seq: 0, time: 0, data: { bytes: 1 } };
  assert.equal(withoutContent(event, sha256), event);
});

test('law: a log whose headers were hashed before they were recorded folds to each hashed header', () => {
  fc.assert(
    fc.property(fc.array(headers(), { maxLength: 5 }), sent => {
      const hashed = sent.map(header => hashedHeader(header, sha256));
      const { log } = runInstance([], hashed);
      const last = hashed.at(-1);
      assert.ok(last === undefined ? log.length === 0 : headerEquals(foldRequestHeader(log) ?? { config: {} }, last));
      for (const header of hashed) {
        assert.deepEqual(canonicalHeader(header), header);
      }
    }),
    { numRuns: 500 },
  );
});
