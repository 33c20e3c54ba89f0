import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedTwoFormat } from '../../../protocol/lifecycle/seedTwoFormat.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { deepFreeze } from '../request/vectorFile.ts';
import { call, resultBlock, results, textBlock, user } from './lifecycleKit.ts';

const { describe, withContents, userMessage } = seedTwoFormat;

test('seed 2: text blocks of a user message are one unit, whose texts are found in order', () => {
  const message = {
    role: 'user',
    content: [textBlock('a'), { type: 'image', text: 'no' }, textBlock('b'), 'stray', null],
  };
  assert.deepEqual(describe(message), {
    role: 'user',
    calls: [],
    units: [{ class: 'user', source: 'user', texts: ['a', 'b'], content: message.content }],
  });
});

test('seed 2: tool results are units of their own, with the call that they answer', () => {
  const { units } = describe(
    results(resultBlock('a', 'x'), { type: 'tool-result', toolCallId: 'b', toolName: 'bash', content: 'y' }),
  );
  assert.deepEqual(units, [
    { class: 'tool-result', source: 'tool', texts: ['x'], content: [textBlock('x')], id: 'a', answers: 'a' },
    { class: 'tool-result', source: 'tool:bash', texts: ['y'], content: 'y', id: 'b', answers: 'b' },
  ]);
});

test('seed 2: an answer is one unit, and its calls are known', () => {
  const { role, calls, units } = describe({
    role: 'assistant',
    content: [textBlock('a'), ...(call('x', 'y')['content'] as JsonObject[])],
  });
  assert.deepEqual([role, calls, units[0]?.class, units[0]?.texts], ['assistant', ['x', 'y'], 'assistant', ['a']]);
});

test('a system message, an unknown role and no role have nothing with a lifetime', () => {
  for (const message of [{ role: 'system', content: 'x' }, { role: 'developer', content: 'x' }, { content: 'x' }, {}]) {
    assert.deepEqual(describe(message), { role: 'system', calls: [], units: [] });
  }
});

test('messages that are not as expected are described all the same', () => {
  for (const content of [
    null,
    5,
    {},
    [[]],
    [null],
    [{ type: 'tool-result' }],
    [{ type: 'text', text: 5 }],
    undefined,
  ]) {
    for (const role of ['user', 'assistant', 'tool']) {
      const message = JSON.parse(JSON.stringify({ role, content })) as JsonObject;
      assert.equal(describe(message).units.length, 1);
      assert.doesNotThrow(() => withContents(message, new Map([[0, 'x']])));
    }
  }
});

test('contents are replaced by place, and nothing else differs', () => {
  const mixed = deepFreeze({
    id: 'm',
    role: 'user',
    content: [textBlock('a'), resultBlock('x', '1'), textBlock('b'), resultBlock('y', '2'), { type: 'image' }],
    last: 1,
  });
  assert.deepEqual(
    describe(mixed).units.map(({ source, texts }) => [source, texts]),
    [
      ['user', ['a', 'b']],
      ['tool', ['1']],
      ['tool', ['2']],
    ],
  );
  assert.deepEqual(withContents(mixed, new Map([[2, 'T']])), {
    ...mixed,
    content: [textBlock('a'), resultBlock('x', '1'), textBlock('b'), resultBlock('y', 'T'), { type: 'image' }],
  });
  assert.deepEqual(
    withContents(
      mixed,
      new Map([
        [0, 'T'],
        [1, 'U'],
      ]),
    ),
    { ...mixed, content: [textBlock('T'), resultBlock('x', 'U'), resultBlock('y', '2')] },
  );
  assert.deepEqual(withContents({ role: 'user', content: 'x' }, new Map([[0, 'T']])), { role: 'user', content: 'T' });
  assert.deepEqual(
    withContents({ role: 'tool', toolCallId: 'a', content: [textBlock('x'), textBlock('y')] }, new Map([[0, 'T']])),
    { role: 'tool', toolCallId: 'a', content: [textBlock('T')] },
  );
  assert.deepEqual(withContents(mixed, new Map()), mixed);
});

test('a message with a text of ours is one of role user', () => {
  assert.deepEqual(userMessage('x'), user('x'));
});
