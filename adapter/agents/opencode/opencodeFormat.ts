import type { MessageDescription, MessageFormat, UnitDescription } from '../../../protocol/lifecycle/messageFormat.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';

/**
 * Messages of opencode as `seenMessage` gives them: `{info, parts}`. An assistant message holds its tool calls with their
 * results, each of which is a unit; they are consumed by a later answer, which is another message.
 */
export const opencodeFormat: MessageFormat = {
  name: 'opencode',
  describe(message) {
    const info = infoOf(message);
    const parts = partsOf(message);
    return info['role'] === 'assistant' ? describeAnswer(info, parts) : describeUser(info, parts);
  },
  withContents(message, contents) {
    if (infoOf(message)['role'] !== 'assistant') {
      const text = contents.get(0);
      return text === undefined ? message : { ...message, parts: [{ type: 'text', text }] };
    }
    // the answer itself is the first unit
    let unit = 0;
    const parts = partsOf(message).map(part => {
      if (!isResult(part)) {
        return part;
      }
      unit += 1;
      const text = contents.get(unit);
      return text === undefined ? part : { ...part, state: stateWith(part['state'], text) };
    });
    return { ...message, parts };
  },
  userMessage: text => ({ info: { role: 'user' }, parts: [{ type: 'text', text }] }),
};

function describeUser(info: JsonObject, parts: readonly JsonObject[]): MessageDescription {
  const id = textMember(info, 'id');
  const unit: UnitDescription = {
    ...(id !== undefined && { id }),
    class: 'user',
    source: 'user',
    // what opencode adds by itself, such as the text of an attached file, is nobody's to mark
    texts: parts.filter(part => part['type'] === 'text' && part['synthetic'] !== true).flatMap(textOf),
    content: contentOf(parts),
  };
  return { role: 'user', units: parts.length === 0 ? [] : [unit], calls: [] };
}

function describeAnswer(info: JsonObject, parts: readonly JsonObject[]): MessageDescription {
  const id = textMember(info, 'id');
  const isSummary = info['summary'] === true;
  const own = parts.filter(part => part['type'] === 'text' || part['type'] === 'reasoning');
  const kind = isSummary ? 'summary' : 'assistant';
  const answer: UnitDescription = {
    ...(id !== undefined && { id }),
    class: kind,
    source: kind,
    texts: own.flatMap(textOf),
    content: contentOf(own),
  };
  // a command that a person runs, and a sub-agent that one starts, stand in messages that no model wrote
  const isAnswer = parts.some(({ type }) => type === 'step-finish') && info['error'] === undefined && !isSummary;
  return {
    role: 'assistant',
    units: [answer, ...parts.filter(isResult).map(describeResult)],
    calls: parts.flatMap(part => (part['type'] === 'tool' ? (textMember(part, 'callID') ?? []) : [])),
    ...(!isAnswer && { failed: true }),
  };
}

function describeResult(part: JsonObject): UnitDescription {
  const id = textMember(part, 'callID') ?? '';
  const state = stateOf(part);
  const text = textMember(state, 'output') ?? textMember(state, 'error') ?? '';
  const attachments = state['attachments'];
  return {
    id,
    answers: id,
    class: 'tool-result',
    source: `tool:${textMember(part, 'tool') ?? ''}`,
    texts: [text],
    content: attachments === undefined ? text : [{ type: 'text', text }, attachments],
  };
}

/** Whether a part is a call with its result. */
function isResult(part: JsonObject): boolean {
  const state = stateOf(part);
  return part['type'] === 'tool' && (state['output'] !== undefined || state['error'] !== undefined);
}

function stateWith(state: Json | undefined, text: string): JsonObject {
  const { attachments: _, ...rest } = isJsonObject(state) ? state : {};
  return rest['output'] === undefined ? { ...rest, error: text } : { ...rest, output: text };
}

/** The text where there is nothing else. */
function contentOf(parts: readonly JsonObject[]): Json {
  const [only] = parts;
  return parts.length === 1 && only?.['type'] === 'text' ? (only['text'] ?? '') : parts;
}

function textOf(part: JsonObject): readonly string[] {
  const text = part['text'];
  return typeof text === 'string' ? [text] : [];
}

function infoOf(message: JsonObject): JsonObject {
  const info = message['info'];
  return isJsonObject(info) ? info : {};
}

function partsOf(message: JsonObject): readonly JsonObject[] {
  const parts = message['parts'];
  return isJsonArray(parts) ? parts.filter(isJsonObject) : [];
}

function stateOf(part: JsonObject): JsonObject {
  const state = part['state'];
  return isJsonObject(state) ? state : {};
}

function textMember(message: JsonObject, name: string): string | undefined {
  const value = message[name];
  return typeof value === 'string' ? value : undefined;
}
