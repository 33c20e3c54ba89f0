/** So many characters of a text are looked at, evenly spread. */
const SAMPLES = 8;

/** So many values are looked at: what refers to itself twice would never end. */
const MOST_VALUES = 10_000;

/**
 * A number that is equal for messages that are the same, and mostly differs for others. Of a text it reads the length and a
 * few characters.
 */
export function outlineOf(message: unknown): number {
  return outlineWithin(message, { left: MOST_VALUES }, 0);
}

function outlineWithin(value: unknown, values: { left: number }, depth: number): number {
  if (typeof value === 'string') {
    return outlineOfText(value);
  }
  if (typeof value !== 'object' || value === null || depth > 32) {
    return 0;
  }
  let outline = 7;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) {
      if (values.left-- <= 0) {
        break;
      }
      outline = (Math.imul(outline, 31) + outlineWithin(item, values, depth + 1)) | 0;
    }
    return outline;
  }
  for (const name in value) {
    const item = (value as Record<string, unknown>)[name];
    if (item !== undefined) {
      if (values.left-- <= 0) {
        break;
      }
      outline = (Math.imul(outline, 31) + name.length + outlineWithin(item, values, depth + 1)) | 0;
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
