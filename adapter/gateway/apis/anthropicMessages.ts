import { readAnswer } from './answerReader.ts';
import { anthropicAnswer } from './anthropicAnswer.ts';
import { anthropicFormat } from './anthropicFormat.ts';
import type { GatewayApi } from './gatewayApi.ts';
import { refusalOf } from './refusing.ts';
import { listOf, splitInto, systemIn } from './splitting.ts';

/** Claude Code tries a 400 six times, with fewer of its features each time; this it shows as it is, and stops. */
const PRECONDITION_FAILED = 412;

/** Anthropic's Messages API. */
export const anthropicMessages: GatewayApi = {
  name: 'anthropic-messages',
  provider: 'anthropic',
  serves: path => path.endsWith('/messages'),
  format: anthropicFormat,
  split: body => splitInto(body, { list: 'messages', messages: listOf(body, 'messages'), ...systemIn(body, 'system') }),
  answer: head => readAnswer(head, anthropicAnswer),
  refusal: sentence =>
    refusalOf(PRECONDITION_FAILED, sentence, message => ({
      type: 'error',
      error: { type: 'invalid_request_error', message },
    })),
};
