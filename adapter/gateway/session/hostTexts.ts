import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';

/** Gives another text in place of one, or the same. */
export type ChangeText = (text: string) => string;

/** Roles of messages in which hosts show context files; an item without one may be a plain message, too. */
const HOST_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', undefined]);

/** Types of parts that hold what is said, and not what a tool gave back. */
const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', undefined]);

/**
 * A message with its texts changed, all of it that is no answer, no tool result and no call: the same object where none
 * is changed. It knows the forms of all four APIs, which differ in where a text may stand, and never in what it would mean.
 */
export function withHostTexts(message: JsonObject, change: ChangeText): JsonObject {
  const { type } = message;
  if (!HOST_ROLES.has(message['role']) || (type !== undefined && type !== 'message')) {
    return message;
  }
  return withMember(withMember(message, 'content', change), 'parts', change);
}

/** A system prompt of any form with its texts changed; the same value where none is. */
export function withSystemTexts(system: Json, change: ChangeText): Json {
  if (typeof system === 'string') {
    return change(system);
  }
  if (isJsonArray(system)) {
    return withParts(system, change);
  }
  return isJsonObject(system) ? withHostTexts(withText(system, change), change) : system;
}

function withMember(message: JsonObject, name: 'content' | 'parts', change: ChangeText): JsonObject {
  const value = message[name];
  const changed =
    typeof value === 'string'
      ? change(value)
      : isJsonArray(value)
        ? withParts(value, change)
        : isJsonObject(value)
          ? withText(value, change)
          : value;
  return changed === undefined || changed === value ? message : { ...message, [name]: changed };
}

function withParts(parts: readonly Json[], change: ChangeText): readonly Json[] {
  let changed: Json[] | undefined;
  for (const [place, part] of parts.entries()) {
    const now = typeof part === 'string' ? change(part) : isJsonObject(part) ? withText(part, change) : part;
    if (now !== part) {
      changed ??= [...parts];
      changed[place] = now;
    }
  }
  return changed ?? parts;
}

function withText(part: JsonObject, change: ChangeText): JsonObject {
  const { text } = part;
  if (typeof text !== 'string' || !TEXT_TYPES.has(part['type'])) {
    return part;
  }
  const changed = change(text);
  return changed === text ? part : { ...part, text: changed };
}
