import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piFormat } from '../../../adapter/agents/pi/piFormat.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';

/** As pi 1.6 hands it over (recorded in a run). */
const toolResult: JsonObject = {
  role: 'toolResult',
  toolCallId: 'call_1',
  toolName: 'bash',
  content: [{ type: 'text', text: '<!--ephemeral-->\nSECRET\n' }],
  details: { truncated: false },
  isError: false,
  timestamp: 1764450000000,
};

const assistant: JsonObject = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'hm', thinkingSignature: 'x' },
    { type: 'text', text: 'I look.' },
    { type: 'toolCall', id: 'call_1', name: 'bash', arguments: { command: 'cat eph.txt' } },
    { type: 'toolCall', id: 'call_2', name: 'read', arguments: { path: 'a' } },
  ],
  api: 'openai-completions',
  provider: 'fake',
  model: 'fake-1',
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 },
  stopReason: 'toolUse',
  timestamp: 1764450000000,
};

test('a tool result is one unit with the id of its call, and only its content changes', () => {
  const { role, units, calls } = piFormat.describe(toolResult);
  assert.equal(role, 'tool');
  assert.deepEqual(calls, []);
  assert.deepEqual(units, [
    {
      id: 'call_1',
      answers: 'call_1',
      class: 'tool-result',
      source: 'tool:bash',
      texts: ['<!--ephemeral-->\nSECRET\n'],
      content: toolResult['content'],
    },
  ]);
  assert.deepEqual(piFormat.withContents(toolResult, new Map([[0, 'T']])), {
    ...toolResult,
    content: [{ type: 'text', text: 'T' }],
  });
});

test('an assistant message names its calls, and an errored, aborted or unfinished one is no answer', () => {
  const { role, calls, failed, units } = piFormat.describe(assistant);
  assert.equal(role, 'assistant');
  assert.deepEqual(calls, ['call_1', 'call_2']);
  assert.equal(failed, undefined);
  assert.deepEqual(units[0]?.texts, ['I look.']);
  for (const stopReason of ['error', 'aborted', 'pending']) {
    assert.equal(piFormat.describe({ ...assistant, stopReason }).failed, true, stopReason);
  }
  assert.equal(piFormat.describe({ ...assistant, stopReason: 'length' }).failed, undefined);
});

test('who can write a message decides its class', () => {
  const classOf = (message: JsonObject): string | undefined => {
    const [unit] = piFormat.describe(message).units;
    return unit && `${unit.class} ${unit.source}`;
  };
  assert.equal(classOf({ role: 'user', content: 'x' }), 'user user');
  assert.equal(classOf({ role: 'custom', customType: 'todo', content: 'x' }), 'plugin plugin:todo');
  assert.equal(classOf({ role: 'bashExecution', command: 'ls', output: 'x' }), 'tool-result tool:bash');
  assert.equal(classOf({ role: 'compactionSummary', summary: 'x' }), 'summary pi:compactionSummary');
  assert.equal(classOf({ role: 'branchSummary', summary: 'x' }), 'summary pi:branchSummary');
});

test('a command that pi keeps from the model has no unit, nor has a role that nobody knows', () => {
  assert.deepEqual(
    piFormat.describe({ role: 'bashExecution', command: 'ls', output: 'x', excludeFromContext: true }).units,
    [],
  );
  assert.deepEqual(piFormat.describe({ role: 'artifact', content: 'x' }).units, []);
  assert.equal(piFormat.describe({ role: 'system', content: 'x' }).role, 'system');
});

test('the content of a bash command, a summary and a plain text are replaced in their own form', () => {
  const with0 = (message: JsonObject): JsonObject => piFormat.withContents(message, new Map([[0, 'T']]));
  assert.deepEqual(with0({ role: 'bashExecution', command: 'ls', output: 'x', exitCode: 0 }), {
    role: 'bashExecution',
    command: 'ls',
    output: 'T',
    exitCode: 0,
  });
  assert.deepEqual(with0({ role: 'branchSummary', summary: 'x', fromId: 'f' }), {
    role: 'branchSummary',
    summary: 'T',
    fromId: 'f',
  });
  assert.deepEqual(with0({ role: 'user', content: 'x' }), { role: 'user', content: 'T' });
});

test('messages of a damaged session do not make the format throw', () => {
  const damaged: readonly JsonObject[] = [
    {},
    { role: 'user' },
    { role: 'assistant', content: null },
    { role: 'assistant', content: [null, 1, { type: 'toolCall' }] },
    { role: 'toolResult', content: [{ type: 'text' }] },
    { role: 'custom', content: 7 },
    { role: 'compactionSummary' },
  ];
  for (const message of damaged) {
    const { units } = piFormat.describe(message);
    assert.ok(units.every(unit => unit.texts.every(text => typeof text === 'string')));
    piFormat.withContents(message, new Map([[0, 'T']]));
  }
});
