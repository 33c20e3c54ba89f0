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
