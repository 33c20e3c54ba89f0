import { isJsonArray, isJsonObject, type JsonObject } from '../../../protocol/request/json.ts';
import { type AnswerReading, failedAnswer, type Heard, usageOf } from './answerReading.ts';
import { objectOf, objectsOf } from './members.ts';

/**
 * Answers of OpenAI's chat completions. A streamed one ends with `[DONE]`; some servers leave that out, then a finish reason and
 * the end of the HTTP answer tell.
 */
export const chatAnswer: AnswerReading = {
  skips: () => false,
  finalData: '[DONE]',
  streamed(heard, chunk) {
    if (isJsonObject(chunk['error'])) {
      return { ...heard, failed: true, error: chunk['error'] };
    }
    return counted(objectsOf(chunk['choices']).reduce(choose, heard), chunk);
  },
  whole(answer) {
    const choices = isJsonObject(answer) ? objectsOf(answer['choices']) : [];
    return isJsonObject(answer) && choices.length > 0
      ? counted({ ...choices.reduce(choose, {}), ending: 'last' }, answer)
      : failedAnswer(answer);
  },
};

function choose(heard: Heard, choice: JsonObject): Heard {
  const said = { ...objectOf(choice, 'delta'), ...objectOf(choice, 'message') };
  const calls =
    (isJsonArray(said['tool_calls']) && said['tool_calls'].length > 0) || isJsonObject(said['function_call']);
  const { finish_reason: reason } = choice;
  return {
    ...heard,
    callsTools: heard.callsTools === true || calls || reason === 'tool_calls' || reason === 'function_call',
    ...(typeof reason === 'string' && heard.ending === undefined && { ending: 'last' as const }),
  };
}

/** Streamed numbers come in the last chunk, and some servers say them in each. */
function counted(heard: Heard, { usage }: JsonObject): Heard {
  if (!isJsonObject(usage)) {
    return heard;
  }
  const cached = objectOf(usage, 'prompt_tokens_details')['cached_tokens'];
  return {
    ...heard,
    usage: usageOf({
      input: usage['prompt_tokens'],
      output: usage['completion_tokens'],
      // DeepSeek's name for it
      cacheRead: cached ?? usage['prompt_cache_hit_tokens'],
    }),
  };
}
