import { isJsonObject, type Json, type JsonObject } from '../protocol/request/json.ts';

/** Part of a sentence that names the place in the file. */
export class WrongValue extends Error {}

const MAX_ITEMS = 1_000;

export type Read<Value> = (value: Json, place: string) => Value;

export const flag: Read<boolean> = (value, place) => {
  if (typeof value !== 'boolean') {
    throw new WrongValue(`'${place}' must be true or false`);
  }
  return value;
};

export const amount: Read<number> = (value, place) => {
  if (typeof value !== 'number' || value < 0) {
    throw new WrongValue(`'${place}' must be a number from 0`);
  }
  return value;
};

export const word: Read<string> = (value, place) => {
  if (typeof value !== 'string' || value === '') {
    throw new WrongValue(`'${place}' must be a text that is not empty`);
  }
  return value;
};

export function oneOf<const Words extends readonly string[]>(words: Words): Read<Words[number]> {
  return (value, place) => {
    if (!words.includes(value as string)) {
      throw new WrongValue(`'${place}' must be one of ${words.join(', ')}`);
    }
    return value as Words[number];
  };
}

export function list<Item>(item: Read<Item>): Read<readonly Item[]> {
  return (value, place) => {
    if (!Array.isArray(value)) {
      throw new WrongValue(`'${place}' must be a list`);
    }
    if (value.length > MAX_ITEMS) {
      throw new WrongValue(`'${place}' must be a list of at most ${MAX_ITEMS} items`);
    }
    return value.map((entry: Json, index) => item(entry, `${place}[${index}]`));
  };
}

/** An object with all of these members and no other: a misspelt word in a policy must not be passed over. */
export function object(value: Json, place: string, members: readonly string[]): JsonObject {
  if (!isJsonObject(value)) {
    throw new WrongValue(`'${place}' must be an object with ${members.join(', ')}`);
  }
  const unknown = Object.keys(value).find(member => !members.includes(member));
  if (unknown !== undefined) {
    throw new WrongValue(`'${place}.${shortened(unknown)}' is unknown there; it may have ${members.join(', ')}`);
  }
  return value;
}

export function shortened(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}
