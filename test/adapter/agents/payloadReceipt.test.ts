import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payloadReceipt } from '../../../adapter/agents/payloadReceipt.ts';

const part = (name: string, ...texts: readonly string[]) => ({ name, texts });
const block = { id: 'plan', text: '<!--BLOCK_ID:plan-->\nstep 1\n' };

/** The same request in the four kinds of API. */
const payloads: Readonly<Record<string, unknown>> = {
  chat: {
    model: 'm',
    messages: [
      { role: 'system', content: 'SYS' },
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
      { role: 'tool', tool_call_id: 'c', content: 'result' },
    ],
  },
  responses: {
    instructions: 'SYS',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
      { type: 'function_call_output', call_id: 'c', output: 'result' },
    ],
  },
  messages: {
    system: [{ type: 'text', text: 'SYS' }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hello' },
          { type: 'tool_result', content: 'result' },
        ],
      },
    ],
  },
  gemini: {
    config: { systemInstruction: 'SYS' },
    contents: [{ role: 'user', parts: [{ text: 'hello' }, { functionResponse: { response: { output: 'result' } } }] }],
  },
};

for (const [api, payload] of Object.entries(payloads)) {
  test(`units are found in the payload of ${api}, and the system prompt is told from messages`, () => {
    const parts = [part('user', 'hello'), part('tool:bash', 'result')];
    assert.deepEqual(payloadReceipt(payload, { parts, discarded: [] }), {
      result: 'matched',
      evidence: '2 of 2 parts found in what was sent',
    });
    const inSystem = payloadReceipt(payload, { parts, discarded: [{ id: 'x', text: 'SYS' }] });
    assert.equal(inSystem.result, 'mismatch');
    const inMessage = payloadReceipt(payload, { parts, discarded: [{ id: 'x', text: 'hello' }] });
    assert.equal(inMessage.result, 'quoted');
  });
}

test('a unit that is missing is a mismatch that names it', () => {
  const receipt = payloadReceipt(payloads['chat'], { parts: [part('user', 'bye')], discarded: [] });
  assert.equal(receipt.result, 'mismatch');
  assert.match(receipt.evidence ?? '', /0 of 1 parts.*not found in what was sent: user/);
});

test('a discarded block in the system prompt is a mismatch, in an ordinary message a quotation', () => {
  const payload = (system: string, user: string) => ({
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
  });
  const expected = { parts: [], discarded: [block] };
  assert.equal(payloadReceipt(payload(`a\n${block.text}`, ''), expected).result, 'mismatch');
  assert.equal(payloadReceipt(payload('a', `b\n${block.text}`), expected).result, 'quoted');
  assert.equal(payloadReceipt(payload('a', 'b'), expected).result, 'matched');
});

test('half characters, which providers drop, and blank texts do not count', () => {
  const payload = { messages: [{ role: 'user', content: 'ab' }] };
  const parts = [part('user', 'a\ud800b'), part('empty', ' \n')];
  assert.equal(payloadReceipt(payload, { parts, discarded: [] }).result, 'matched');
});

test('tools and a payload that is no object hold no messages', () => {
  const payload = { tools: [{ description: 'hello' }], messages: [] };
  assert.equal(payloadReceipt(payload, { parts: [part('user', 'hello')], discarded: [] }).result, 'mismatch');
  assert.equal(payloadReceipt(undefined, { parts: [], discarded: [] }).result, 'matched');
});

test('a member called system inside a message is a part of the message', () => {
  const payload = { messages: [{ role: 'assistant', tool_calls: [{ arguments: { system: block.text } }] }] };
  assert.equal(payloadReceipt(payload, { parts: [], discarded: [block] }).result, 'quoted');
});

test('a system prompt that is not the one that was sealed is a mismatch, wherever else its text stands', () => {
  const composed = [{ name: 'the system prompt', texts: ['Be brief.'] }];
  const expected = { composed, parts: [{ name: 'user (message 1)', texts: ['go'] }], discarded: [] };
  const user = { role: 'user', content: 'go' };
  assert.deepEqual(payloadReceipt({ messages: [{ role: 'system', content: 'I am pi.\nBe brief.' }, user] }, expected), {
    result: 'matched',
    evidence: '2 of 2 parts found in what was sent',
  });
  const other = { messages: [{ role: 'system', content: 'Be long.' }, user, { role: 'user', content: 'Be brief.' }] };
  assert.deepEqual(payloadReceipt(other, expected), {
    result: 'mismatch',
    evidence: '1 of 2 parts found in what was sent; not found in what was sent: the system prompt',
  });
});
