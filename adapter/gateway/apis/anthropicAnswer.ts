import type { Usage } from '../../../protocol/log/sessionEvents.ts';
import { isJsonObject, type JsonObject } from '../../../protocol/request/json.ts';
import { type AnswerReading, failedAnswer, type Heard, sumOf, usageOf } from './answerReading.ts';
import { objectOf, objectsOf } from './members.ts';

const SKIPPED: ReadonlySet<string> = new Set(['content_block_delta', 'content_block_stop', 'ping']);

/** Answers of Anthropic's Messages API; a streamed one ends with `message_stop`. */
export const anthropicAnswer: AnswerReading = {
  skips: event => SKIPPED.has(event),
  streamed(heard, event) {
    switch (event['type']) {
      case 'message_start':
        return { ...heard, callsTools: false, usage: numbersOf(objectOf(event, 'message'), {}) };
      case 'content_block_start':
        return objectOf(event, 'content_block')['type'] === 'tool_use' ? { ...heard, callsTools: true } : heard;
      case 'message_delta':
        return { ...stopped(heard, objectOf(event, 'delta')), usage: numbersOf(event, heard.usage ?? {}) };
      case 'message_stop':
        return { ...heard, ending: 'final' };
      case 'error':
        return { ...heard, failed: true, error: event['error'] };
      default:
        return heard;
    }
  },
  whole(answer) {
    if (!isJsonObject(answer) || answer['type'] !== 'message') {
      return failedAnswer(answer);
    }
    const callsTools = objectsOf(answer['content']).some(({ type }) => type === 'tool_use');
    return { ...stopped({ callsTools }, answer), ending: 'last', usage: numbersOf(answer, {}) };
  },
};

/** After a pause the agent sends the answer back, so that the model goes on with it. */
function stopped(heard: Heard, stop: JsonObject): Heard {
  if (stop['stop_reason'] !== 'pause_turn') {
    return heard;
  }
  const { callsTools: _calls, ...rest } = heard;
  return rest;
}

/** The numbers of a later event are those of the whole answer; some are left out there. */
function numbersOf(holder: JsonObject, before: Usage): Usage {
  const usage = objectOf(holder, 'usage');
  const now = usageOf({
    output: usage['output_tokens'],
    cacheRead: usage['cache_read_input_tokens'],
    cacheWrite: usage['cache_creation_input_tokens'],
  });
  const { cacheRead, cacheWrite } = { ...before, ...now };
  // Anthropic counts what was cached apart.
  const { input: inputBefore, cacheRead: readBefore = 0, cacheWrite: writtenBefore = 0 } = before;
  const uncached = inputBefore === undefined ? undefined : inputBefore - readBefore - writtenBefore;
  const fresh = usageOf({ input: usage['input_tokens'] }).input ?? uncached;
  const input = fresh === undefined ? undefined : sumOf(fresh, cacheRead, cacheWrite);
  return { ...before, ...now, ...(input !== undefined && { input }) };
}
