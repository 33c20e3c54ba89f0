import { isJsonObject, type JsonObject } from '../../../protocol/request/json.ts';
import { type AnswerReading, failedAnswer, type Heard, usageOf } from './answerReading.ts';
import { objectOf, objectsOf, textOf } from './members.ts';

/** Answers of OpenAI's Responses API; a streamed one ends with `response.completed` or `response.incomplete`. */
export const responsesAnswer: AnswerReading = {
  skips: event => event.endsWith('.delta'),
  streamed(heard, event) {
    switch (event['type']) {
      case 'response.output_item.done':
        return isCall(objectOf(event, 'item')) ? { ...heard, callsTools: true } : heard;
      case 'response.completed':
      case 'response.incomplete':
        return { ...responseOf(objectOf(event, 'response'), heard), ending: 'final' };
      case 'response.failed':
        return { ...heard, failed: true, error: objectOf(event, 'response')['error'] };
      case 'error':
        return { ...heard, failed: true, error: event };
      default:
        return heard;
    }
  },
  whole(answer) {
    const isOver = isJsonObject(answer) && (answer['status'] === 'completed' || answer['status'] === 'incomplete');
    return isOver ? { ...responseOf(answer, {}), ending: 'last' } : failedAnswer(answer);
  },
};

/** Some servers leave the output of a streamed answer out at its end. */
function responseOf(response: JsonObject, heard: Heard): Heard {
  const usage = objectOf(response, 'usage');
  return {
    ...heard,
    callsTools: heard.callsTools === true || objectsOf(response['output']).some(isCall),
    usage: usageOf({
      input: usage['input_tokens'],
      output: usage['output_tokens'],
      cacheRead: objectOf(usage, 'input_tokens_details')['cached_tokens'],
    }),
  };
}

/** Whether the agent has to answer it; calls that the provider answers have no `call_id`. */
function isCall(item: JsonObject): boolean {
  return textOf(item, 'type')?.endsWith('_call') === true && textOf(item, 'call_id') !== undefined;
}
