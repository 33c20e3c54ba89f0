import fc from 'fast-check';
import { apiFor } from '../../../../adapter/gateway/apis/apiFor.ts';
import type { AnswerHead, AnswerReader, GatewayApi } from '../../../../adapter/gateway/apis/gatewayApi.ts';
import type { Ended } from '../../../../adapter/sessionTypes.ts';
import type { JsonObject } from '../../../../protocol/request/json.ts';
import type { ModelApi } from '../../../scriptedModel/answer.ts';
import { anthropicMessages } from '../../../scriptedModel/anthropicMessages.ts';
import { chatCompletions } from '../../../scriptedModel/chatCompletions.ts';
import { gemini } from '../../../scriptedModel/gemini.ts';
import { responses } from '../../../scriptedModel/responses.ts';

/** An API of the gateway, and the scripted model that speaks it. */
export interface Spoken {
  readonly api: GatewayApi;
  readonly model: ModelApi;
}

export const anthropic = { api: known('anthropic', '/v1/messages'), model: anthropicMessages };
export const openaiResponses = { api: known('openai', '/v1/responses'), model: responses };
export const openaiChat = { api: known('openai', '/v1/chat/completions'), model: chatCompletions };
export const google = { api: known('gemini', '/v1beta/models/m:generateContent'), model: gemini };

export const ALL: readonly Spoken[] = [anthropic, openaiResponses, openaiChat, google];

function known(provider: Parameters<typeof apiFor>[0], path: string): GatewayApi {
  const api = apiFor(provider, path);
  if (!api) {
    throw new Error(`nothing is served at ${path}`);
  }
  return api;
}

export const TOMBSTONE = '[EPHEMERAL:Output omitted after consumption;original_bytes=7]';

/** Words that mean something in one of the APIs, so that chance meets them. */
const WORDS = [
  ...['role', 'type', 'content', 'parts', 'text', 'output', 'id', 'call_id', 'tool_use_id', 'tool_call_id', 'name'],
  ...['tool_calls', 'function_call', 'functionCall', 'functionResponse', 'response', 'cache_control', 'thought'],
  ...['user', 'assistant', 'model', 'tool', 'function', 'system', 'developer', 'tool_use', 'tool_result', 'message'],
  ...['input_text', 'output_text', 'function_call_output', 'reasoning', 'is_error', 'input', '__proto__', 'messages'],
  ...['contents', 'instructions', 'systemInstruction', 'tools', 'constructor', 'error', 'choices', 'usage', 'delta'],
];

/** Any JSON object, made of such words. */
export const anyObject: fc.Arbitrary<JsonObject> = fc
  .letrec<{ readonly value: unknown; readonly object: object }>(tie => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...WORDS, '<!--ephemeral-->\nx'),
      fc.constantFrom(null, true, 0, -1.5, '', 'é\u2028😀'),
      fc.array(tie('value'), { maxLength: 4 }),
      tie('object'),
    ),
    object: fc.dictionary(fc.constantFrom(...WORDS), tie('value'), { maxKeys: 6 }),
  }))
  .object.map(object => JSON.parse(JSON.stringify(object)) as JsonObject);

export const OK: AnswerHead = { status: 200, headers: { 'content-type': 'text/event-stream; charset=utf-8' } };
export const OK_JSON: AnswerHead = { status: 200, headers: { 'content-type': 'application/json' } };

/** What an answer comes to, in these pieces. */
export function ended(reader: AnswerReader, pieces: readonly (string | Uint8Array)[], whole = true): Ended {
  for (const piece of pieces) {
    reader.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  }
  return reader.end(whole);
}
