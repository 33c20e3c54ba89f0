import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentsOf, jsonContents } from '../../../adapter/tokens/contents.ts';
import { readsO200k } from '../../../adapter/tokens/knownModels.ts';
import type { Json, JsonObject } from '../../../protocol/request/json.ts';

/** The starts of image files, which say a size. */
function png(width: number, height: number): string {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32BE(0x89_50_4e_47, 0);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

function jpeg(width: number, height: number): string {
  const bytes = Buffer.alloc(64);
  Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]).copy(bytes);
  // After the first segment comes the frame.
  Buffer.from([0xff, 0xc0, 0, 17, 8]).copy(bytes, 20);
  bytes.writeUInt16BE(height, 25);
  bytes.writeUInt16BE(width, 27);
  return bytes.toString('base64');
}

function gif(width: number, height: number): string {
  const bytes = Buffer.alloc(64);
  bytes.write('GIF89a', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes.toString('base64');
}

function webp(width: number, height: number): string {
  const bytes = Buffer.alloc(64);
  bytes.write('RIFF....WEBPVP8X', 'latin1');
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes.toString('base64');
}

const sorted = (value: Json) => [...contentsOf(value).texts].sort();

const TEXTS: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['a string', { role: 'user', content: 'hello' }, ['hello']],
  [
    'seed 2',
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    ['a', 'b'],
  ],
  [
    'pi: an answer, with what only the agent reads',
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', thinkingSignature: 'c2lnbmVk' },
        { type: 'toolCall', id: 'call_1', name: 'bash', arguments: { command: 'ls', timeout: 5 } },
      ],
      api: 'anthropic-messages',
      model: 'claude',
      usage: { input: 1, output: 2 },
      stopReason: 'toolUse',
      timestamp: 1,
    },
    ['bash', 'hm', '{"command":"ls","timeout":5}'],
  ],
  [
    'pi: a tool result, whose details no model reads',
    {
      role: 'toolResult',
      toolCallId: 'call_1',
      toolName: 'bash',
      content: [{ type: 'text', text: 'out' }],
      details: { full: 'x' },
      isError: false,
    },
    ['bash', 'out'],
  ],
  [
    'AI SDK: a tool result as JSON',
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'w', output: { type: 'json', value: { a: [1] } } }],
    },
    ['w', '{"a":[1]}'],
  ],
  [
    'Anthropic: tool use and its result',
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read', input: { path: 'a' } }] },
    ['read', '{"path":"a"}'],
  ],
  [
    'OpenAI: a call in a chat completion',
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }],
    },
    ['f', '{"x":1}'],
  ],
  [
    'a document given as text',
    {
      role: 'user',
      content: [{ type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'words' } }],
    },
    ['T', 'words'],
  ],
  [
    'a resource with text',
    { role: 'user', content: [{ type: 'resource', resource: { mimeType: 'application/json', text: '{}' } }] },
    ['{}'],
  ],
];

for (const [name, message, texts] of TEXTS) {
  test(`what a model reads: ${name}`, () => {
    assert.deepEqual(sorted(message), [...texts].sort());
    assert.equal(contentsOf(message).media, 0);
  });
}

const image = png(750, 100);
const MEDIA: readonly (readonly [string, JsonObject, number])[] = [
  ['pi image', { type: 'image', data: image, mimeType: 'image/png' }, 101],
  ['Anthropic image', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }, 101],
  ['OpenAI image', { type: 'image_url', image_url: { url: `data:image/png;base64,${image}`, detail: 'low' } }, 101],
  ['Responses image', { type: 'input_image', image_url: `data:image/png;base64,${image}` }, 101],
  ['AI SDK file', { type: 'file', mediaType: 'image/png', data: image }, 101],
  ['Gemini image', { inlineData: { mimeType: 'image/png', data: image } }, 101],
  ['JPEG', { type: 'image', data: jpeg(1_500, 300), mimeType: 'image/jpeg' }, 601],
  ['GIF', { type: 'image', data: gif(75, 10), mimeType: 'image/gif' }, 2],
  ['WebP', { type: 'image', data: webp(300, 250), mimeType: 'image/webp' }, 101],
  ['an image larger than any provider takes', { type: 'image', data: png(9_000, 9_000), mimeType: 'image/png' }, 1_600],
  ['an image that cannot be read', { type: 'image', data: 'AAAA', mimeType: 'image/png' }, 1_600],
  ['the address of an image', { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }, 1_600],
  ['the id of a file', { type: 'input_file', file_id: 'file-abc' }, 2_000],
  ['an image of which nothing is said', { type: 'image' }, 1_600],
  ['audio', { type: 'input_audio', input_audio: { data: 'A'.repeat(64_000), format: 'wav' } }, 31],
  ['sealed reasoning', { type: 'redacted_thinking', data: 'A'.repeat(4_000) }, 751],
  ['sealed reasoning of Responses', { type: 'reasoning', encrypted_content: 'A'.repeat(4_000), summary: [] }, 751],
];

for (const [name, block, tokens] of MEDIA) {
  test(`users-ask 54: ${name} is never zero, and no text`, () => {
    const { texts, media } = contentsOf({ role: 'user', content: [block] });
    assert.deepEqual(texts, []);
    assert.equal(media, tokens);
  });
}

test('users-ask 54: an image in a tool result or in the arguments of a call is not counted as text', () => {
  const url = `data:image/png;base64,${image}`;
  const result = {
    type: 'tool-result',
    output: { type: 'content', value: [{ type: 'media', mediaType: 'image/png', data: image }] },
  };
  assert.deepEqual(contentsOf({ role: 'tool', content: [result] }), { texts: [], media: 101 });
  const call = contentsOf({
    role: 'assistant',
    content: [{ type: 'tool_use', name: 'show', input: { picture: url, at: 3 } }],
  });
  assert.deepEqual([...call.texts].sort(), ['show', '{"picture":"","at":3}']);
  assert.equal(call.media, 101);
});

test('users-ask 54: a tool is counted by its whole definition', () => {
  const tool = { name: 'dig', description: 'Digs.', input_schema: { type: 'object', properties: {} } };
  assert.deepEqual(jsonContents(tool), { texts: [JSON.stringify(tool)], media: 0 });
});

test('users-ask 54 law: whatever has a text that is not empty has tokens, and texts add up', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { minLength: 1 }), texts => {
      const usual = texts.filter(text => !text.startsWith('data:'));
      const { texts: found } = contentsOf({ role: 'user', content: usual.map(text => ({ type: 'text', text })) });
      assert.deepEqual([...found].sort(), [...usual].sort());
    }),
  );
});

test('law: any JSON at all is read, and media are whole numbers from 0', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), value => {
      const { texts, media } = contentsOf(value as Json);
      assert.ok(texts.every(text => text !== '') && Number.isSafeInteger(media) && media >= 0);
    }),
  );
});

test('hostile values: nested deeply, or holding themselves', () => {
  let deep: Json = 'x';
  for (let depth = 0; depth < 100_000; depth++) {
    deep = [deep];
  }
  assert.deepEqual(contentsOf(deep).texts, ['x']);
  assert.deepEqual(jsonContents(deep).texts, ['x']);
  assert.deepEqual(contentsOf({ role: 'user', content: [{ type: 'tool_use', input: { deep } }] }).texts, ['x']);
  const round: Record<string, unknown> = { text: 'once' };
  round['again'] = round;
  assert.deepEqual(contentsOf(round as JsonObject).texts, ['once']);
});

test('models of which it is known that they read o200k_base', () => {
  for (const model of [
    'gpt-4o',
    'gpt-4o-mini-2024-07-18',
    'openai/gpt-4.1',
    'gpt-5.1-codex',
    'o3',
    'o4-mini',
    'GPT-5',
    'gpt-oss-120b',
    'chatgpt-4o-latest',
  ]) {
    assert.ok(readsO200k(model), model);
  }
  for (const model of [
    'gpt-4',
    'gpt-4-turbo',
    'gpt-3.5-turbo',
    'gpt-50',
    'claude-opus-5',
    'o200',
    'llama',
    'my-gpt-4o',
    '',
    'gpt-4o/other',
  ]) {
    assert.ok(!readsO200k(model), model);
  }
});
