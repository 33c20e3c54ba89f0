import type { JsonObject } from '../../../protocol/request/json.ts';
import { readAnswer } from './answerReader.ts';
import { chatAnswer } from './chatAnswer.ts';
import { chatFormat } from './chatFormat.ts';
import type { GatewayApi, SplitBody } from './gatewayApi.ts';
import { openaiRefusal } from './refusing.ts';
import { leadingIn, listOf, splitInto } from './splitting.ts';

/** OpenAI's chat completions, which many other providers speak too. */
export const openaiChat: GatewayApi = {
  name: 'openai-chat',
  provider: 'openai',
  serves: path => path.endsWith('/chat/completions'),
  format: chatFormat,
  split,
  answer: head => readAnswer(head, chatAnswer),
  refusal: openaiRefusal,
};

function split(body: JsonObject): SplitBody {
  const list = listOf(body, 'messages');
  return splitInto(body, {
    list: 'messages',
    ...leadingIn(list, ({ role }) => role === 'system' || role === 'developer'),
  });
}
