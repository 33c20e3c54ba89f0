import type { Json } from '../../../protocol/request/json.ts';
import type { Refusal } from './gatewayApi.ts';

/** Whose words an agent shows. */
const SPEAKER = 'Context Lifecycle: ';

/** The request is at fault, as most APIs say it: agents show that, and do not try again. */
export const BAD_REQUEST = 400;

/** An error in an API's own form. */
export function refusalOf(status: number, sentence: string, form: (message: string) => Json): Refusal {
  const message = sentence.startsWith(SPEAKER) ? sentence : `${SPEAKER}${sentence}`;
  return { status, contentType: 'application/json', body: JSON.stringify(form(message)) };
}

/** As OpenAI's APIs say it. */
export function openaiRefusal(sentence: string): Refusal {
  return refusalOf(BAD_REQUEST, sentence, message => ({
    error: { message, type: 'invalid_request_error', param: null, code: 'context_lifecycle' },
  }));
}
