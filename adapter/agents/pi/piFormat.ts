import type { MessageDescription, MessageFormat, UnitDescription } from '../../../protocol/lifecycle/messageFormat.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../protocol/request/json.ts';
import { contentTexts, contentWith, textMember } from './piMessages.ts';

/** An assistant message with one of these is no answer. */
const unfinished = new Set(['error', 'aborted', 'pending']);

/**
 * Messages of pi's sessions. Each is one unit; trust follows from who can write it, never from what it says: `toolResult` and
 * `bashExecution` from a tool, `custom` from an extension, summaries from a model.
 */
export const piFormat: MessageFormat = {
  name: 'pi',
  describe(message) {
    switch (message['role']) {
      case 'user':
        return saying('user', { class: 'user', source: 'user', ...contentOf(message) });
      case 'assistant':
        return describeAssistant(message);
      case 'toolResult': {
        const callId = textMember(message, 'toolCallId');
        return saying('tool', {
          ...(callId === undefined ? {} : { id: callId, answers: callId }),
          class: 'tool-result',
          source: `tool:${textMember(message, 'toolName') ?? ''}`,
          ...contentOf(message),
        });
      }
      case 'bashExecution':
        return message['excludeFromContext'] === true ? silent('user') : describeBash(message);
      case 'custom':
        return saying('user', {
          class: 'plugin',
          source: `plugin:${textMember(message, 'customType') ?? ''}`,
          ...contentOf(message),
        });
      case 'compactionSummary':
      case 'branchSummary': {
        const text = textMember(message, 'summary') ?? '';
        return saying('user', { class: 'summary', source: `pi:${message['role']}`, texts: [text], content: text });
      }
      default:
        return silent(message['role'] === 'system' ? 'system' : 'user');
    }
  },
  withContents(message, contents) {
    const text = contents.get(0);
    if (text === undefined) {
      return message;
    }
    switch (message['role']) {
      case 'bashExecution':
        return { ...message, output: text };
      case 'compactionSummary':
      case 'branchSummary':
        return { ...message, summary: text };
      default:
        return { ...message, content: contentWith(message['content'], text) };
    }
  },
  userMessage: text => ({ role: 'user', content: [{ type: 'text', text }], timestamp: 0 }),
};

function describeAssistant(message: JsonObject): MessageDescription {
  const content = message['content'];
  const calls = isJsonArray(content)
    ? content.flatMap(part => (isJsonObject(part) && part['type'] === 'toolCall' ? (textMember(part, 'id') ?? []) : []))
    : [];
  const failed = unfinished.has(textMember(message, 'stopReason') ?? '');
  return {
    role: 'assistant',
    units: [{ class: 'assistant', source: 'assistant', ...contentOf(message) }],
    calls,
    ...(failed ? { failed } : {}),
  };
}

/** A command that a person ran with `!`: what it printed is a tool's output all the same. */
function describeBash(message: JsonObject): MessageDescription {
  const output = textMember(message, 'output') ?? '';
  return saying('user', { class: 'tool-result', source: 'tool:bash', texts: [output], content: output });
}

function contentOf(message: JsonObject): Pick<UnitDescription, 'texts' | 'content'> {
  const content = message['content'];
  return { texts: contentTexts(content), content: content ?? null };
}

function saying(role: MessageDescription['role'], unit: UnitDescription): MessageDescription {
  return { role, units: [unit], calls: [] };
}

function silent(role: MessageDescription['role']): MessageDescription {
  return { role, units: [], calls: [] };
}
