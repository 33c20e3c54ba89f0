import type { MessageFormat, UnitDescription } from '../../../protocol/lifecycle/messageFormat.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';
import { type PlacedUnit, partsAt, unitOfAnswer, unitsOfUser, withParts } from './contentParts.ts';
import { objectOf, objectsOf, textOf } from './members.ts';

/** Contents of Gemini's API: each function response is a unit, and the rest of a content is one. */
export const geminiFormat: MessageFormat = {
  name: 'gemini',
  describe(content) {
    const units = unitsOf(content).map(({ unit }) => unit);
    return isAnswer(content)
      ? { role: 'assistant', units, calls: pairIds(partsOf(content), 'functionCall').filter(id => id !== '') }
      : { role: 'user', units, calls: [] };
  },
  withContents(content, contents) {
    const { parts } = content;
    return isJsonArray(parts) ? { ...content, parts: withParts(parts, unitsOf(content), contents, partFor) } : content;
  },
  userMessage: text => ({ role: 'user', parts: [{ text }] }),
};

function isAnswer({ role }: JsonObject): boolean {
  return role === 'model';
}

function partsOf({ parts = null }: JsonObject): readonly Json[] {
  return isJsonArray(parts) ? parts : [];
}

function unitsOf(content: JsonObject): readonly PlacedUnit[] {
  const parts = partsOf(content);
  if (isAnswer(content)) {
    const places = parts.flatMap((part, place) => (isSpoken(part) ? place : []));
    const spoken = partsAt(parts, places);
    return [{ unit: unitOfAnswer(textsOf(spoken), spoken, parts), places }];
  }
  const answers = pairIds(parts, 'functionResponse');
  return unitsOfUser(
    parts,
    (part, place) => responseOf(part, answers[place]),
    rest => ({ texts: textsOf(rest), content: rest }),
  );
}

/**
 * For each part the name of its call and which one of that name it is in this content; "" where it is none. The API pairs so:
 * all responses to a content's calls stand together in the next one, in order; and its ids are given by the agent, to
 * responses only. Gemini CLI, when it resumes a session, gives each response twice: the second one answers nothing more.
 */
function pairIds(parts: readonly Json[], member: 'functionCall' | 'functionResponse'): readonly string[] {
  const seen = new Map<string, number>();
  const ids = new Set<string>();
  return parts.map(part => {
    const call = isJsonObject(part) ? part[member] : undefined;
    if (!isJsonObject(call)) {
      return '';
    }
    const id = textOf(call, 'id') ?? '';
    if (id !== '' && ids.has(id)) {
      return '';
    }
    ids.add(id);
    const name = textOf(call, 'name') ?? '';
    const which = seen.get(name) ?? 0;
    seen.set(name, which + 1);
    return `${name}#${which}`;
  });
}

function responseOf(part: JsonObject, answers = ''): UnitDescription | undefined {
  if (!isJsonObject(part['functionResponse'])) {
    return undefined;
  }
  const given = objectOf(part, 'functionResponse');
  const { response = null, parts } = given;
  const id = textOf(given, 'id');
  return {
    ...(id === undefined ? {} : { id }),
    ...(answers === '' ? {} : { answers }),
    class: 'tool-result',
    source: `tool:${textOf(given, 'name') ?? ''}`,
    // A model reads the texts of a response's own members as lines; deeper ones are JSON.
    texts: isJsonObject(response) ? Object.values(response).filter(value => typeof value === 'string') : [],
    content: parts === undefined ? response : { response, parts },
  };
}

function partFor(parts: readonly Json[], text: string): Json {
  const [first] = parts;
  if (!isJsonObject(first)) {
    return { text };
  }
  if (!isJsonObject(first['functionResponse'])) {
    return typeof first['text'] === 'string' ? { ...first, text } : { text };
  }
  const { parts: _media, ...rest } = objectOf(first, 'functionResponse');
  return { ...first, functionResponse: { ...rest, response: { [shownMember(rest['response'])]: text } } };
}

/** An error stays an error. */
function shownMember(response: Json | undefined): string {
  const shown = isJsonObject(response)
    ? Object.entries(response).find(([, value]) => typeof value === 'string')
    : undefined;
  return shown?.[0] ?? 'output';
}

/** Thoughts are the model's own, with signatures of the provider. */
function isSpoken(part: Json): boolean {
  return isJsonObject(part) && typeof part['text'] === 'string' && part['thought'] !== true;
}

function textsOf(parts: readonly Json[]): readonly string[] {
  return objectsOf(parts).flatMap(({ text }) => (typeof text === 'string' ? text : []));
}
