import type { MessageDescription, MessageFormat, UnitDescription } from '../../../protocol/lifecycle/messageFormat.ts';
import { isJsonObject, type JsonObject } from '../../../protocol/request/json.ts';
import { contentOf, contentWith, unitOfAnswer } from './contentParts.ts';
import { objectsOf, textOf } from './members.ts';

/** Messages of OpenAI's chat completions, each of which is one unit. */
export const chatFormat: MessageFormat = {
  name: 'openai-chat',
  describe(message) {
    switch (message['role']) {
      case 'user':
        return {
          role: 'user',
          units: [{ class: 'user', source: 'user', ...contentOf(message['content'], 'text') }],
          calls: [],
        };
      case 'assistant':
        return describeAnswer(message);
      case 'tool':
        return describeResult(message, textOf(message, 'tool_call_id'), textOf(message, 'tool_call_id'));
      case 'function':
        return describeResult(message, undefined, legacyCall(textOf(message, 'name')));
      default:
        return { role: 'system', units: [], calls: [] };
    }
  },
  withContents(message, contents) {
    const text = contents.get(0);
    return text === undefined || chatFormat.describe(message).units.length === 0
      ? message
      : { ...message, content: contentWith(message['content'], 'text', text) };
  },
  userMessage: text => ({ role: 'user', content: text }),
};

function describeAnswer(message: JsonObject): MessageDescription {
  const { content = null, tool_calls: toolCalls, function_call: call } = message;
  const calls = objectsOf(toolCalls);
  const { texts } = contentOf(content, 'text');
  // An answer that only calls is told from others by what it calls.
  const told = texts.length > 0 ? content : [content, ...calls, ...(isJsonObject(call) ? [call] : [])];
  return {
    role: 'assistant',
    units: [unitOfAnswer(texts, objectsOf(content), told)],
    calls: [
      ...calls.map(each => textOf(each, 'id')),
      isJsonObject(call) ? legacyCall(textOf(call, 'name')) : undefined,
    ].filter(id => id !== undefined),
  };
}

function describeResult(message: JsonObject, id: string | undefined, answers: string | undefined): MessageDescription {
  const name = textOf(message, 'name');
  const unit: UnitDescription = {
    ...(id === undefined ? {} : { id }),
    ...(answers === undefined ? {} : { answers }),
    class: 'tool-result',
    source: name === undefined ? 'tool' : `tool:${name}`,
    ...contentOf(message['content'], 'text'),
  };
  return { role: 'tool', units: [unit], calls: [] };
}

/** Calls of before there were ids are answered at once, by name. */
function legacyCall(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `function:${name}`;
}
