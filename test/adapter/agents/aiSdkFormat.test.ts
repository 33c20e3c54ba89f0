import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aiSdkFormat } from '../../../adapter/agents/aiSdk/aiSdkFormat.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';

const toolMessage: JsonObject = {
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId: 'a', toolName: 'cat', output: { type: 'text', value: 'one' } },
    { type: 'tool-approval-response', approvalId: 'p', approved: true },
    {
      type: 'tool-result',
      toolCallId: 'b',
      toolName: 'shot',
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'two' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: { $bytes: 'AAE=' } } },
        ],
      },
      providerOptions: { x: { y: 1 } },
    },
    { type: 'tool-result', toolCallId: 'c', toolName: 'run', output: { type: 'error-text', value: 'three' } },
    { type: 'tool-result', toolCallId: 'd', toolName: 'json', output: { type: 'json', value: { out: 'four' } } },
  ],
  providerOptions: { cache: { control: 'x' } },
};

test('each tool result of a message is a unit of its own', () => {
  const { role, units } = aiSdkFormat.describe(toolMessage);
  assert.equal(role, 'tool');
  assert.deepEqual(
    units.map(({ id, source, texts }) => [id, source, texts]),
    [
      ['a', 'tool:cat', ['one']],
      ['b', 'tool:shot', ['two']],
      ['c', 'tool:run', ['three']],
      // what a model reads of it is JSON, which has no lines
      ['d', 'tool:json', []],
    ],
  );
});

test('one result is replaced and its neighbours, its ids and its options stay', () => {
  const parts = toolMessage['content'] as JsonObject[];
  const changed = aiSdkFormat.withContents(toolMessage, new Map([[1, 'T']]));
  assert.deepEqual(changed, {
    ...toolMessage,
    content: [parts[0], parts[1], { ...parts[2], output: { type: 'text', value: 'T' } }, parts[3], parts[4]],
  });
});

test('an error that is replaced stays an error', () => {
  const changed = aiSdkFormat.withContents(toolMessage, new Map([[2, 'T']]));
  const parts = changed['content'] as JsonObject[];
  assert.deepEqual(parts[3]?.['output'], { type: 'error-text', value: 'T' });
});

test('a call that the provider answered in the same message needs no answer', () => {
  const assistant: JsonObject = {
    role: 'assistant',
    content: [
      { type: 'text', text: 'x' },
      { type: 'tool-call', toolCallId: 'mine', toolName: 't', input: {} },
      { type: 'tool-call', toolCallId: 'theirs', toolName: 'web', input: {}, providerExecuted: true },
      { type: 'tool-call', toolCallId: 'answered', toolName: 'web', input: {} },
      { type: 'tool-result', toolCallId: 'answered', toolName: 'web', output: { type: 'text', value: 'y' } },
    ],
  };
  const { role, calls, units } = aiSdkFormat.describe(assistant);
  assert.equal(role, 'assistant');
  assert.deepEqual(calls, ['mine']);
  assert.deepEqual(units[0]?.texts, ['x']);
});

test('messages of another shape do not make the format throw', () => {
  for (const message of [
    {},
    { role: 'tool' },
    { role: 'tool', content: [{ type: 'tool-result' }, null] },
    { role: 'user', content: 'plain' },
    { role: 'assistant', content: null },
  ] as JsonObject[]) {
    aiSdkFormat.describe(message);
    aiSdkFormat.withContents(message, new Map([[0, 'T']]));
  }
});
