import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../protocol/request/json.ts';
import { checkedSession, homeOf } from '../../session/sessionKit.ts';
import { openaiResponses } from './apisKit.ts';

const { format } = openaiResponses.api;
const asked: readonly JsonObject[] = [
  { type: 'message', role: 'user', content: 'go' },
  { type: 'function_call', call_id: 'call_1', name: 'exec_command', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_1', output: '<!--ephemeral-->\nSECRET' },
];
/** What Codex keeps of an answer that was cut behind these items: it runs the call, and asks again. */
const kept: readonly JsonObject[] = [
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'first' }] },
  { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'y' },
  { type: 'function_call', call_id: 'call_2', name: 'exec_command', arguments: '{}' },
  { type: 'function_call_output', call_id: 'call_2', output: 'x' },
];
const answer: JsonObject = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] };

test('agents.md trap: Codex keeps all items of an answer that was cut, and none of them consumes', async t => {
  const folder = homeOf(t);
  const open = () => checkedSession(t, { format, folder, sessionId: 'codex' });
  const first = await open();
  const { requestSequence } = await first.request(asked);
  first.session.response(requestSequence, { outcome: 'failed' });
  const again = await first.request([...asked, ...kept]);
  assert.deepEqual(again.messages, [...asked, ...kept]);
  first.session.response(again.requestSequence, { outcome: 'completed' });
  await first.close();

  const resumed = await open();
  const repeated = await resumed.request([...asked, ...kept]);
  assert.deepEqual(repeated.messages, [...asked, ...kept]);
  resumed.session.response(repeated.requestSequence, { outcome: 'completed' });
  const { messages } = await resumed.request([...asked, ...kept, answer]);
  assert.match(JSON.stringify(messages[2]?.['output']), /^"\[EPHEMERAL:/u);
  assert.deepEqual(messages.toSpliced(2, 1), [...asked.slice(0, 2), ...kept, answer]);
});
