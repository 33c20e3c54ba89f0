import type { MessageDescription, MessageFormat, UnitDescription } from '../../../protocol/lifecycle/messageFormat.ts';
import { isJsonArray, type JsonObject } from '../../../protocol/request/json.ts';
import { contentOf, contentWith, textPart, unitOfAnswer } from './contentParts.ts';
import { objectsOf, textOf } from './members.ts';

const INPUT_TEXT = 'input_text';
const OUTPUT_TEXT = 'output_text';
const SILENT: MessageDescription = { role: 'system', units: [], calls: [] };
/** A part of an answer that has no lifetime of its own: the API refuses an answer without it, and it without the answer. */
const SILENT_ITEM: MessageDescription = { ...SILENT, item: true };

/**
 * Items of OpenAI's Responses API. A call is an answer like a message of the assistant; reasoning alone is none, and so it
 * consumes nothing: it stands too where an answer was cut off behind it. Items of other types have no lifetime.
 */
export const responsesFormat: MessageFormat = {
  name: 'openai-responses',
  // Codex's programs give notices while they run (`notify`), each of them a result of the same call.
  manyResults: true,
  describe(item) {
    const type = typeOf(item);
    if (type === 'message') {
      return describeMessage(item);
    }
    const id = textOf(item, 'call_id');
    if (isOutput(type)) {
      return { role: 'tool', units: [outputOf(item, id)], calls: [] };
    }
    if (!type.endsWith('_call')) {
      return type === 'reasoning' ? SILENT_ITEM : SILENT;
    }
    // One without `call_id` is answered by the provider itself, as `web_search_call`, before it goes on to speak.
    return id === undefined ? SILENT_ITEM : { role: 'assistant', units: [callOf(item, id)], calls: [id], item: true };
  },
  withContents(item, contents) {
    const text = contents.get(0);
    const type = typeOf(item);
    if (text === undefined) {
      return item;
    }
    if (isOutput(type)) {
      return { ...item, output: contentWith(item['output'], INPUT_TEXT, text) };
    }
    if (type !== 'message') {
      return item;
    }
    const { content, role } = item;
    switch (role) {
      case 'user':
        return { ...item, content: contentWith(content, INPUT_TEXT, text) };
      case 'assistant':
        return {
          ...item,
          content: isJsonArray(content) ? [{ ...textPart(OUTPUT_TEXT, text, content), annotations: [] }] : text,
        };
      default:
        return item;
    }
  },
  userMessage: text => ({ type: 'message', role: 'user', content: [{ type: INPUT_TEXT, text }] }),
};

/** A message may leave its type out. */
function typeOf(item: JsonObject): string {
  const { type, role } = item;
  return typeof type === 'string' ? type : typeof role === 'string' ? 'message' : '';
}

function isOutput(type: string): boolean {
  return type.endsWith('_output');
}

function describeMessage(item: JsonObject): MessageDescription {
  const { role, content = null } = item;
  switch (role) {
    case 'user':
      return { role, units: [{ class: 'user', source: 'user', ...contentOf(content, INPUT_TEXT) }], calls: [] };
    case 'assistant': {
      const texts = contentOf(content, OUTPUT_TEXT, INPUT_TEXT).texts;
      return { role, units: [unitOfAnswer(texts, objectsOf(content), content)], calls: [], item: true };
    }
    default:
      return SILENT;
  }
}

/** What a call says is JSON or a tool's own language: no tag counts in it. */
function callOf(item: JsonObject, id: string): UnitDescription {
  return { id: `call:${id}`, class: 'assistant', source: 'assistant', texts: [], content: item };
}

function outputOf(item: JsonObject, id: string | undefined): UnitDescription {
  const name = textOf(item, 'name');
  return {
    ...(id === undefined ? {} : { id, answers: id }),
    class: 'tool-result',
    source: name === undefined ? 'tool' : `tool:${name}`,
    ...contentOf(item['output'], INPUT_TEXT, OUTPUT_TEXT, 'text'),
  };
}
