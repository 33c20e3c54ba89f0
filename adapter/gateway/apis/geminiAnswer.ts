import { isJsonArray, isJsonObject, type JsonObject } from '../../../protocol/request/json.ts';
import { type AnswerReading, type Heard, sumOf, usageOf } from './answerReading.ts';
import { objectOf, objectsOf } from './members.ts';

/** Answers of Gemini's API. The last chunk with words has a finish reason; what comes then is numbers, so the HTTP end tells. */
export const geminiAnswer: AnswerReading = {
  skips: () => false,
  streamed,
  whole(answer) {
    // Without `alt=sse` a streamed answer is a list of its chunks.
    return isJsonArray(answer)
      ? objectsOf(answer).reduce(streamed, {})
      : isJsonObject(answer)
        ? streamed({}, answer)
        : { failed: true };
  },
};

function streamed(heard: Heard, chunk: JsonObject): Heard {
  if (isJsonObject(chunk['error'])) {
    return { ...heard, failed: true, error: chunk['error'] };
  }
  const candidates = objectsOf(chunk['candidates']);
  const parts = candidates.flatMap(candidate => objectsOf(objectOf(candidate, 'content')['parts']));
  const isLast = candidates.some(({ finishReason }) => typeof finishReason === 'string');
  const numbers = objectOf(chunk, 'usageMetadata');
  const usage = usageOf({
    input: sumOf(numbers['promptTokenCount'], numbers['toolUsePromptTokenCount']),
    output: sumOf(numbers['candidatesTokenCount'], numbers['thoughtsTokenCount']),
    cacheRead: numbers['cachedContentTokenCount'],
  });
  return {
    ...heard,
    callsTools: heard.callsTools === true || parts.some(part => isJsonObject(part['functionCall'])),
    usage: { ...heard.usage, ...usage },
    ...(isLast && { ending: 'last' as const }),
  };
}
