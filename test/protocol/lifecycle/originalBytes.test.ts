import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assistant, Run } from './lifecycleKit.ts';

test('seed 1: an original of 12345 bytes leaves exactly the line of the protocol’s text', () => {
  const line = '<!--ephemeral-->\n';
  const original = {
    role: 'tool',
    toolCallId: 'a',
    name: 'bash',
    content: line + 'é'.repeat((12345 - line.length - 1) / 2),
  };
  original.content += 'x'.repeat(12345 - Buffer.byteLength(original.content));
  assert.equal(Buffer.byteLength(original.content), 12345);
  const calling = { role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'bash', arguments: '{}' }] };
  const run = new Run();
  assert.deepEqual(run.request(calling, original).messages, [calling, original]);
  assert.deepEqual(run.request(calling, original, assistant('seen')).messages[1], {
    ...original,
    content: '[EPHEMERAL:Output omitted after consumption;original_bytes=12345]',
  });
});
