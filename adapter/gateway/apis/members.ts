import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';

/** A member that is a filled string; agents that have no id for something send an empty one. */
export function textOf(value: JsonObject, member: string): string | undefined {
  const text = value[member];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** A member that is an object; empty where it is none. */
export function objectOf(value: JsonObject, member: string): JsonObject {
  const object = value[member];
  return isJsonObject(object) ? object : {};
}

/** The objects of a list; none where the value is no list. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}
