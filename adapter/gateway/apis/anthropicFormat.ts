import type { MessageFormat, UnitDescription } from '../../../protocol/lifecycle/messageFormat.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';
import {
  contentOf,
  contentWith,
  type PlacedUnit,
  partsAt,
  textPart,
  unitOfAnswer,
  unitsOfUser,
  withParts,
} from './contentParts.ts';
import { objectsOf, textOf } from './members.ts';

/**
 * Messages of Anthropic's Messages API. Each tool result of a user message is a unit, and the rest of the message is one; of an
 * answer only text can be replaced, so that thinking keeps its signatures and calls their results.
 */
export const anthropicFormat: MessageFormat = {
  name: 'anthropic-messages',
  describe(message) {
    const { role, content } = message;
    const units = unitsOf(message).map(({ unit }) => unit);
    switch (role) {
      case 'user':
        return { role: 'user', units, calls: [] };
      case 'assistant':
        // Tools that the provider runs (`server_tool_use`, `mcp_tool_use`) have their results in the same message.
        return {
          role: 'assistant',
          units,
          calls: objectsOf(content).flatMap(block => (block['type'] === 'tool_use' ? (textOf(block, 'id') ?? []) : [])),
        };
      default:
        return { role: 'system', units: [], calls: [] };
    }
  },
  withContents(message, contents) {
    const { content } = message;
    const whole = contents.get(0);
    if (isJsonArray(content)) {
      return { ...message, content: withParts(content, unitsOf(message), contents, blockFor) };
    }
    return whole === undefined || unitsOf(message).length === 0 ? message : { ...message, content: whole };
  },
  userMessage: text => ({ role: 'user', content: [{ type: 'text', text }] }),
};

function unitsOf({ role, content = null }: JsonObject): readonly PlacedUnit[] {
  if (role === 'user') {
    return isJsonArray(content)
      ? unitsOfUser(content, resultOf, blocks => contentOf(blocks, 'text'))
      : [{ unit: { class: 'user', source: 'user', ...contentOf(content) } }];
  }
  if (role !== 'assistant') {
    return [];
  }
  const blocks = isJsonArray(content) ? content : [];
  const places = blocks.flatMap((block, place) => (isText(block) ? place : []));
  return [{ unit: unitOfAnswer(contentOf(content, 'text').texts, partsAt(blocks, places), content), places }];
}

function resultOf(block: JsonObject): UnitDescription | undefined {
  if (block['type'] !== 'tool_result') {
    return undefined;
  }
  const id = textOf(block, 'tool_use_id');
  return {
    ...(id === undefined ? {} : { id, answers: id }),
    class: 'tool-result',
    source: 'tool',
    ...contentOf(block['content'], 'text'),
  };
}

function blockFor(blocks: readonly Json[], text: string): Json {
  const [first] = blocks;
  return isJsonObject(first) && first['type'] === 'tool_result'
    ? { ...first, content: contentWith(first['content'], 'text', text) }
    : textPart('text', text, blocks);
}

function isText(block: Json): boolean {
  return isJsonObject(block) && block['type'] === 'text' && typeof block['text'] === 'string';
}
