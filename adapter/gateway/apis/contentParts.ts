import type { UnitDescription } from '../../../protocol/lifecycle/messageFormat.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';
import { objectsOf } from './members.ts';

/**
 * Marks up to which part a provider caches. Agents move it from request to request, so it is no part of what is measured or
 * told apart; and what stands for such a part has it still (agents.md, trap 5).
 */
const CACHE_MARK = 'cache_control';

/** A unit, and the places of its parts in the message's list; absent where the whole content is the unit. */
export interface PlacedUnit {
  readonly unit: UnitDescription;
  readonly places?: readonly number[];
}

/** Texts of a content that is a string, or a list of parts of which those of `type` hold text; and what is measured of it. */
export function contentOf(
  content: Json | undefined,
  ...types: readonly string[]
): Pick<UnitDescription, 'texts' | 'content'> {
  if (typeof content === 'string') {
    return { texts: [content], content };
  }
  const texts = objectsOf(content).flatMap(({ type, text }) =>
    typeof text === 'string' && typeof type === 'string' && types.includes(type) ? text : [],
  );
  return { texts, content: withoutCacheMarks(content ?? null) };
}

/** One text in the shape that the content had: a list of parts stays a list, of one part of `type`. */
export function contentWith(content: Json | undefined, type: string, text: string): Json {
  return isJsonArray(content) ? [textPart(type, text, content)] : text;
}

/** A part that stands for others. */
export function textPart(type: string, text: string, parts: readonly Json[]): JsonObject {
  return { type, text, ...cacheMark(parts) };
}

/** The last mark, since it covers what stands before it. */
function cacheMark(parts: readonly Json[]): JsonObject {
  const last = objectsOf(parts).findLast(part => part[CACHE_MARK] !== undefined)?.[CACHE_MARK];
  return last === undefined ? {} : { [CACHE_MARK]: last };
}

/** The parts, or the content itself where it is no list. */
function withoutCacheMarks(content: Json): Json {
  if (!isJsonArray(content) || !content.some(isMarked)) {
    return content;
  }
  return content.map(part => {
    if (!isMarked(part)) {
      return part;
    }
    const { [CACHE_MARK]: _mark, ...rest } = part;
    return rest;
  });
}

function isMarked(part: Json): part is JsonObject {
  return isJsonObject(part) && part[CACHE_MARK] !== undefined;
}

/** The parts at some places of a list. */
export function partsAt(parts: readonly Json[], places: readonly number[]): readonly Json[] {
  return places.map(place => parts[place] ?? null);
}

/** The list in which one part stands for each of these units, at the place of the unit's first one. */
export function withParts(
  parts: readonly Json[],
  units: readonly PlacedUnit[],
  contents: ReadonlyMap<number, string>,
  partFor: (replaced: readonly Json[], text: string) => Json,
): readonly Json[] {
  const changed: (Json | undefined)[] = [...parts];
  for (const [index, text] of contents) {
    const places = units[index]?.places ?? [];
    for (const [rank, place] of places.entries()) {
      changed[place] = rank === 0 ? partFor(partsAt(parts, places), text) : undefined;
    }
  }
  return changed.filter(part => part !== undefined);
}

/**
 * Whether an agent put the text into a user's message as context of its own, which outlives what the person says there. It
 * decides about lifetimes only: whoever writes such a text gains no trust.
 */
function isContextOfAgent(text: Json | undefined): boolean {
  return typeof text === 'string' && /^\s*<(?:system-reminder|session_context)>/u.test(text);
}

/**
 * A user's message with parts of several lifetimes: each result has its own, each context of the agent has, and the rest has
 * one together. In the order of their first parts.
 */
export function unitsOfUser(
  parts: readonly Json[],
  resultOf: (part: JsonObject, place: number) => UnitDescription | undefined,
  describeRest: (parts: readonly Json[]) => Pick<UnitDescription, 'texts' | 'content'>,
): readonly PlacedUnit[] {
  const user = (places: readonly number[]): PlacedUnit => ({
    unit: { class: 'user', source: 'user', ...describeRest(partsAt(parts, places)) },
    places,
  });
  const units: PlacedUnit[] = [];
  const rest: number[] = [];
  for (const [place, part] of parts.entries()) {
    const result = isJsonObject(part) ? resultOf(part, place) : undefined;
    if (result) {
      units.push({ unit: result, places: [place] });
    } else if (isJsonObject(part) && isContextOfAgent(part['text'])) {
      units.push(user([place]));
    } else {
      rest.push(place);
    }
  }
  if (rest.length > 0) {
    units.push(user(rest));
  }
  return units.sort((a, b) => (a.places?.[0] ?? 0) - (b.places?.[0] ?? 0));
}

/** An answer's unit: the parts that hold text, or all of it where none does, so that answers are told apart. */
export function unitOfAnswer(texts: readonly string[], textParts: readonly Json[], content: Json): UnitDescription {
  const measured = withoutCacheMarks(texts.length > 0 && isJsonArray(content) ? textParts : content);
  return { class: 'assistant', source: 'assistant', texts, content: measured };
}
