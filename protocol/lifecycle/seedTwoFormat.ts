import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../request/json.ts';
import type { MessageDescription, MessageFormat, UnitDescription } from './messageFormat.ts';

/**
 * Seed 2's own messages, `{role, content: Block[]}`: `text`, `tool-call` and `tool-result` blocks, and any others. A content
 * that is a string is read too, since hosts send the same text in both shapes.
 */
export const seedTwoFormat: MessageFormat = Object.freeze({
  name: 'seed-2',
  describe,
  withContents,
  userMessage: (text: string): JsonObject => ({ role: 'user', content: [textBlock(text)] }),
});

/** A unit with the places of its blocks in a content that is a list; absent where the whole content is the unit. */
interface PlacedUnit {
  readonly unit: UnitDescription;
  readonly places?: readonly number[];
}

function describe(message: JsonObject): MessageDescription {
  const { role } = message;
  // A block names its call by `id`, or as the result does.
  const calls = blocksOf(message['content']).flatMap(({ type, toolCallId, id = toolCallId }) =>
    type === 'tool-call' && typeof id === 'string' ? [id] : [],
  );
  const known = role === 'user' || role === 'assistant' || role === 'tool' ? role : 'system';
  return { role: known, units: unitsOf(message).map(({ unit }) => unit), calls };
}

function unitsOf(message: JsonObject): readonly PlacedUnit[] {
  const { role, content = null } = message;
  switch (role) {
    case 'assistant':
      return [{ unit: { class: 'assistant', source: 'assistant', texts: textsOf(content), content } }];
    case 'tool':
      return [{ unit: resultUnit(message, message['toolCallId']) }];
    case 'user':
      return userUnits(content);
    default:
      return [];
  }
}

/** Each tool result has its own lifetime; everything else of the message has one together. */
function userUnits(content: Json): readonly PlacedUnit[] {
  const blocks = isJsonArray(content) ? content : [];
  const results: PlacedUnit[] = [];
  const others: number[] = [];
  for (const [place, block] of blocks.entries()) {
    if (isJsonObject(block) && block['type'] === 'tool-result') {
      results.push({ unit: resultUnit(block, block['toolCallId']), places: [place] });
    } else {
      others.push(place);
    }
  }
  if (results.length === 0) {
    return [{ unit: userUnit(content) }];
  }
  if (others.length === 0) {
    return results;
  }
  const rest = { unit: userUnit(others.map(place => blocks[place] as Json)), places: others };
  return [...results, rest].sort((a, b) => (a.places?.[0] ?? 0) - (b.places?.[0] ?? 0));
}

function userUnit(content: Json): UnitDescription {
  return { class: 'user', source: 'user', texts: textsOf(content), content };
}

function resultUnit({ content = null, toolName }: JsonObject, callId: Json | undefined): UnitDescription {
  const source = typeof toolName === 'string' ? `tool:${toolName}` : 'tool';
  return {
    class: 'tool-result',
    source,
    texts: textsOf(content),
    content,
    ...(typeof callId === 'string' && { id: callId, answers: callId }),
  };
}

function withContents(message: JsonObject, contents: ReadonlyMap<number, string>): JsonObject {
  const { content = null } = message;
  const units = unitsOf(message);
  const whole = units.findIndex(({ places }) => places === undefined);
  const text = contents.get(whole);
  if (text !== undefined) {
    return { ...message, content: inShapeOf(content, text) };
  }
  const blocks = isJsonArray(content) ? [...content] : [];
  const dropped = new Set<number>();
  for (const [index, replacement] of contents) {
    const [first = 0, ...rest] = units[index]?.places ?? [];
    const block = blocks[first];
    const isResult = isJsonObject(block) && block['type'] === 'tool-result';
    blocks[first] = isResult
      ? { ...block, content: inShapeOf(block['content'] ?? null, replacement) }
      : textBlock(replacement);
    for (const place of rest) {
      dropped.add(place);
    }
  }
  return { ...message, content: blocks.filter((_, place) => !dropped.has(place)) };
}

/** A list of blocks stays a list, a string a string. */
function inShapeOf(content: Json, text: string): Json {
  return isJsonArray(content) ? [textBlock(text)] : text;
}

function textsOf(content: Json): readonly string[] {
  return typeof content === 'string'
    ? [content]
    : blocksOf(content).flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
}

function blocksOf(content: Json | undefined): readonly JsonObject[] {
  return isJsonArray(content ?? null) ? (content as readonly Json[]).filter(isJsonObject) : [];
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text };
}
