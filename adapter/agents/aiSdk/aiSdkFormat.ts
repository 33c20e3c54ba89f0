import type { MessageFormat, UnitDescription } from '../../../protocol/lifecycle/messageFormat.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';
import { outputTexts, outputWith } from './toolOutput.ts';

/**
 * Messages of the AI SDK's prompts (`LanguageModelV3Prompt` and `V4`), as JSON. A user or assistant message is one unit; each tool
 * result of a tool message is one.
 */
export const aiSdkFormat: MessageFormat = {
  name: 'ai-sdk',
  describe(message) {
    const parts = partsOf(message);
    switch (message['role']) {
      case 'user':
        return { role: 'user', units: [{ class: 'user', source: 'user', ...textsAndContent(message) }], calls: [] };
      case 'assistant': {
        // a provider that runs a tool itself puts the result into the same message
        const answered = new Set(parts.filter(part => part['type'] === 'tool-result').map(callId));
        return {
          role: 'assistant',
          units: [{ class: 'assistant', source: 'assistant', ...textsAndContent(message) }],
          calls: parts
            .filter(part => part['type'] === 'tool-call' && part['providerExecuted'] !== true)
            .map(callId)
            .filter(id => !answered.has(id)),
        };
      }
      case 'tool':
        return { role: 'tool', units: parts.filter(isToolResult).map(describeResult), calls: [] };
      default:
        return { role: message['role'] === 'system' ? 'system' : 'user', units: [], calls: [] };
    }
  },
  withContents(message, contents) {
    if (message['role'] !== 'tool') {
      const text = contents.get(0);
      return text === undefined ? message : { ...message, content: [{ type: 'text', text }] };
    }
    let unit = -1;
    const content = partsOf(message).map(part => {
      if (!isToolResult(part)) {
        return part;
      }
      unit += 1;
      const text = contents.get(unit);
      return text === undefined ? part : { ...part, output: outputWith(part['output'], text) };
    });
    return { ...message, content };
  },
  userMessage: text => ({ role: 'user', content: [{ type: 'text', text }] }),
};

function describeResult(part: JsonObject): UnitDescription {
  const id = callId(part);
  return {
    id,
    answers: id,
    class: 'tool-result',
    source: `tool:${nameIn(part, 'toolName')}`,
    ...outputTexts(part['output']),
  };
}

function textsAndContent(message: JsonObject): { readonly texts: readonly string[]; readonly content: Json } {
  const texts = partsOf(message).flatMap(part =>
    part['type'] === 'text' && typeof part['text'] === 'string' ? part['text'] : [],
  );
  return { texts, content: message['content'] ?? null };
}

function partsOf(message: JsonObject): readonly JsonObject[] {
  const content = message['content'];
  return isJsonArray(content) ? content.filter(isJsonObject) : [];
}

function isToolResult(part: JsonObject): boolean {
  return part['type'] === 'tool-result';
}

function callId(part: JsonObject): string {
  return nameIn(part, 'toolCallId');
}

function nameIn(part: JsonObject, member: string): string {
  const name = part[member];
  return typeof name === 'string' ? name : '';
}
