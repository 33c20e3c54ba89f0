import { Buffer } from 'node:buffer';
import type { Json, JsonObject } from '../../protocol/request/json.ts';

const BYTES = '$bytes';
const ADDRESS = '$url';
/** Holds an object of the host that looks like one of ours. */
const LITERAL = '$json';

/** What is nested deeper is given back as it is: a session refuses it by name. */
const DEEPEST = 1_000;

/**
 * A host's value as JSON: bytes are `{"$bytes": base64}`, addresses `{"$url": …}`; the rest is what `JSON.stringify` would
 * write. What is JSON already comes back as the same object; nothing is changed.
 */
export function toJson(value: unknown): Json {
  return valueToJson(value, 0);
}

/** `toJson` of something that is an object. */
export function toJsonObject(value: object): JsonObject {
  return objectToJson(value, 0) as JsonObject;
}

function valueToJson(value: unknown, depth: number): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') {
    return value;
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : null;
  }
  if (typeof value !== 'object') {
    return null;
  }
  if (depth > DEEPEST) {
    return value as Json;
  }
  return Array.isArray(value) ? listToJson(value, depth + 1) : objectToJson(value, depth + 1);
}

/** What `toJson` was given, with bytes and addresses as they were. */
export function fromJson(value: Json): unknown {
  if (value === null || typeof value !== 'object') {
    return value;
  }
  if (Array.isArray(value)) {
    return (value as readonly Json[]).map(fromJson);
  }
  const members = Object.entries(value as JsonObject);
  const [only] = members;
  if (only && members.length === 1) {
    const [name, inner] = only;
    if (name === BYTES && typeof inner === 'string') {
      return new Uint8Array(Buffer.from(inner, 'base64'));
    }
    if (name === ADDRESS && typeof inner === 'string') {
      return new URL(inner);
    }
    if (name === LITERAL) {
      return fromMembers(Object.entries(inner as JsonObject));
    }
  }
  return fromMembers(members);
}

function fromMembers(members: readonly (readonly [string, Json])[]): object {
  return Object.fromEntries(members.map(([name, inner]) => [name, fromJson(inner)]));
}

function listToJson(list: readonly unknown[], depth: number): Json {
  let changed = false;
  const items = list.map(item => {
    const json = valueToJson(item, depth);
    changed ||= json !== item;
    return json;
  });
  return changed ? items : (list as readonly Json[]);
}

function objectToJson(value: object, depth: number): Json {
  if (value instanceof Uint8Array) {
    return { [BYTES]: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  }
  if (value instanceof ArrayBuffer) {
    return { [BYTES]: Buffer.from(value).toString('base64') };
  }
  if (value instanceof URL) {
    return { [ADDRESS]: value.href };
  }
  if (hasOwnJson(value)) {
    return valueToJson(value.toJSON(), depth);
  }
  const members: [string, Json][] = [];
  let changed = false;
  for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
    if (inner === undefined || typeof inner === 'function' || typeof inner === 'symbol') {
      changed = true;
      continue;
    }
    const json = valueToJson(inner, depth);
    changed ||= json !== inner;
    members.push([name, json]);
  }
  const json = changed ? Object.fromEntries(members) : (value as JsonObject);
  const looksLikeOurs = members.length === 1 && [BYTES, ADDRESS, LITERAL].includes(members[0]?.[0] ?? '');
  return looksLikeOurs ? { [LITERAL]: json } : json;
}

function hasOwnJson(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
