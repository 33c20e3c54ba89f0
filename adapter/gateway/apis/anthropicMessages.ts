import type { Json } from '../../../protocol/request/json.ts';
import { readAnswer } from './answerReader.ts';
import { anthropicAnswer } from './anthropicAnswer.ts';
import { anthropicFormat } from './anthropicFormat.ts';
import type { GatewayApi } from './gatewayApi.ts';
import { textOf } from './members.ts';
import { BAD_REQUEST, refusalOf } from './refusing.ts';
import { listOf, splitInto, systemIn } from './splitting.ts';

/** Claude Code tries a 400 six times, with fewer of its features each time; this it shows as it is, and stops. */
const PRECONDITION_FAILED = 412;

/** Marks of requests for the large window: in `anthropic-beta`, and behind the model's name. */
const LARGE_WINDOW = { beta: /\bcontext-1m\b/, name: /\[1m\]$/i, tokens: 1_000_000 } as const;

/** By these words Claude Code knows that it must shorten its conversation; it does that by itself, and goes on. */
const TOO_LONG = 'Prompt is too long.';

/** Anthropic's Messages API. */
export const anthropicMessages: GatewayApi = {
  name: 'anthropic-messages',
  provider: 'anthropic',
  serves: path => path.endsWith('/messages'),
  format: anthropicFormat,
  split: body => splitInto(body, { list: 'messages', messages: listOf(body, 'messages'), ...systemIn(body, 'system') }),
  model: ({ headers }, body) =>
    LARGE_WINDOW.beta.test(String(headers['anthropic-beta'] ?? '')) ||
    LARGE_WINDOW.name.test(textOf(body, 'model') ?? '')
      ? { window: LARGE_WINDOW.tokens }
      : {},
  answer: head => readAnswer(head, anthropicAnswer),
  refusal: sentence => refusalOf(PRECONDITION_FAILED, sentence, invalidRequest),
  tooLong: sentence => refusalOf(BAD_REQUEST, `${TOO_LONG} ${sentence}`, invalidRequest),
};

function invalidRequest(message: string): Json {
  return { type: 'error', error: { type: 'invalid_request_error', message } };
}
