import { isContainer, type Json } from '../../../protocol/request/json.ts';

const texts = new WeakMap<object, string>();

/**
 * What `JSON.stringify` makes of a value that nobody changes any more; made once for each object, as the parts of sealed
 * requests stay the same objects from request to request. Absent for what is nested too deeply.
 */
export function canonicalText(value: Json): string | undefined {
  const known = isContainer(value) ? texts.get(value) : undefined;
  if (known !== undefined) {
    return known;
  }
  try {
    const text = JSON.stringify(value);
    if (isContainer(value)) {
      texts.set(value, text);
    }
    return text;
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}
