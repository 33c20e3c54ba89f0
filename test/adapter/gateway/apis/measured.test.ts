import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../protocol/request/json.ts';
import { PairingCheck } from '../../../../protocol/request/pairing.ts';
import { google, openaiResponses } from './apisKit.ts';

// What real agents send: test/agents/gateway measures it.

test('Codex: the tools of newer models are the first item, and the system’s items stand before the conversation', () => {
  const tools = { type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'exec' }] };
  const developer = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] };
  const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go.' }] };
  const split = openaiResponses.api.split({ model: 'm', input: [tools, developer, user, developer], store: false });
  assert.deepEqual(split, {
    list: 'input',
    leading: 2,
    messages: [user, developer],
    system: [tools, developer],
    offersTools: true,
    config: { model: 'm', store: false },
  });
  const instructed = openaiResponses.api.split({ instructions: 'Be kind.', input: [developer, user] });
  assert.deepEqual([instructed.leading, instructed.system, instructed.offersTools], [0, 'Be kind.', undefined]);
});

test('Codex: a notice of a program that runs is one more result of the same call', () => {
  const call = { type: 'custom_tool_call', call_id: 'c1', name: 'exec', input: 'notify("a"); text("b")' };
  const result = { type: 'custom_tool_call_output', call_id: 'c1', output: 'a' };
  const { format } = openaiResponses.api;
  const entry = (item: JsonObject) => {
    const { calls, units } = format.describe(item);
    return { calls, answers: units.flatMap(({ answers }) => answers ?? []) };
  };
  const entries = [call, result, { ...result, output: 'b' }].map(entry);
  assert.equal(new PairingCheck(format.manyResults).fault(entries), undefined);
  assert.match(new PairingCheck(format.manyResults).fault(entries.slice(1)) ?? '', /no such call before it/);
});

test('Gemini CLI: a resumed session gives each response twice, and only the first one answers the call', () => {
  const response = { functionResponse: { id: 'r1', name: 'ls', response: { output: '<!--ephemeral-->\na' } } };
  const other = { functionResponse: { ...response.functionResponse, id: 'r2' } };
  const { units } = google.api.format.describe({ role: 'user', parts: [response, response, other] });
  assert.deepEqual(
    units.map(({ id, answers, class: sourceClass }) => [id, answers, sourceClass]),
    [
      ['r1', 'ls#0', 'tool-result'],
      ['r1', undefined, 'tool-result'],
      ['r2', 'ls#1', 'tool-result'],
    ],
  );
});
