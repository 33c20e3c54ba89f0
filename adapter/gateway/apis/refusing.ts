import type { Json } from '../../../protocol/request/json.ts';
import type { Refusal } from './gatewayApi.ts';

/** Whose words an agent shows. */
const SPEAKER = 'Context Lifecycle: ';

/** The request is at fault, as each API says it: agents show that, and do not try again. */
const BAD_REQUEST = 400;

/** An error in an API's own form. */
export function refusalOf(sentence: string, form: (message: string, status: number) => Json): Refusal {
  const message = sentence.startsWith(SPEAKER) ? sentence : `${SPEAKER}${sentence}`;
  return { status: BAD_REQUEST, contentType: 'application/json', body: JSON.stringify(form(message, BAD_REQUEST)) };
}

/** As OpenAI's APIs say it. */
export function openaiRefusal(sentence: string): Refusal {
  return refusalOf(sentence, message => ({
    error: { message, type: 'invalid_request_error', param: null, code: 'context_lifecycle' },
  }));
}
