import type { Json, JsonObject } from '../request/json.ts';

/**
 * Whether a host's message would be copied to exactly this frozen copy, the order of members included. It reads no string
 * that both share, makes no text, and is what a request of 10,000 unchanged messages costs.
 */
export function sameMessage(value: unknown, frozen: Json): boolean {
  if (value === frozen) {
    return true;
  }
  if (typeof value !== 'object' || value === null || typeof frozen !== 'object' || frozen === null) {
    return false;
  }
  if (Array.isArray(value) || Array.isArray(frozen)) {
    return Array.isArray(value) && Array.isArray(frozen) && sameItems(value, frozen);
  }
  return sameMembers(value as Record<string, unknown>, frozen as JsonObject);
}

function sameItems(value: readonly unknown[], frozen: readonly Json[]): boolean {
  if (value.length !== frozen.length) {
    return false;
  }
  for (let place = 0; place < frozen.length; place++) {
    if (!sameMessage(value[place], frozen[place] as Json)) {
      return false;
    }
  }
  return true;
}

function sameMembers(value: Readonly<Record<string, unknown>>, frozen: JsonObject): boolean {
  const names = Object.keys(frozen);
  let place = 0;
  for (const name in value) {
    const item = value[name];
    if (item === undefined) {
      continue;
    }
    if (names[place] !== name || !sameMessage(item, frozen[name] as Json)) {
      return false;
    }
    place++;
  }
  return place === names.length;
}

/** So many characters of a text are looked at, evenly spread. */
const SAMPLES = 8;

/**
 * A number that is equal for messages that are the same, and mostly differs for others. Of a text it reads the length and a
 * few characters.
 */
export function outlineOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') {
    return outlineOfText(value);
  }
  if (typeof value !== 'object' || value === null || depth > 32) {
    return 0;
  }
  let outline = 7;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) {
      outline = (Math.imul(outline, 31) + outlineOf(item, depth + 1)) | 0;
    }
    return outline;
  }
  for (const name in value) {
    const item = (value as Record<string, unknown>)[name];
    if (item !== undefined) {
      outline = (Math.imul(outline, 31) + name.length + outlineOf(item, depth + 1)) | 0;
    }
  }
  return outline;
}

function outlineOfText(text: string): number {
  const last = text.length - 1;
  let outline = text.length + 1;
  for (let sample = 0; sample < SAMPLES && last >= 0; sample++) {
    outline = (Math.imul(outline, 31) + text.charCodeAt(Math.floor((sample * last) / (SAMPLES - 1)))) | 0;
  }
  return outline;
}
