import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import { readAnswer } from './answerReader.ts';
import { chatAnswer } from './chatAnswer.ts';
import { chatFormat } from './chatFormat.ts';
import type { GatewayApi, SplitBody } from './gatewayApi.ts';
import { openaiRefusal } from './refusing.ts';
import { listOf, splitInto } from './splitting.ts';

/** OpenAI's chat completions, which many other providers speak too. */
export const openaiChat: GatewayApi = {
  name: 'openai-chat',
  provider: 'openai',
  serves: path => path === '/v1/chat/completions' || path === '/chat/completions',
  format: chatFormat,
  split,
  answer: head => readAnswer(head, chatAnswer),
  refusal: openaiRefusal,
};

function split(body: JsonObject): SplitBody {
  const list = listOf(body, 'messages');
  const first = list.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const leading = first < 0 ? list.length : first;
  const system = list.slice(0, leading);
  return splitInto(body, {
    list: 'messages',
    leading,
    messages: list.slice(leading),
    ...(leading > 0 ? { system: systemOf(system) } : {}),
  });
}

/** The text of one plain message, so that its changes can be logged by line. */
function systemOf(messages: readonly JsonObject[]): Json {
  const [only] = messages;
  const isPlain = messages.length === 1 && only !== undefined && Object.keys(only).length === 2;
  const content = isPlain ? only['content'] : undefined;
  return typeof content === 'string' ? content : messages;
}
