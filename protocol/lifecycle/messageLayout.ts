import type { Json } from '../request/json.ts';

/** How many items a list has. */
class ListLength {
  readonly items: number;

  constructor(items: number) {
    this.items = items;
  }
}

type Token = null | boolean | number | string | ListLength | readonly string[];

/**
 * A frozen message as one flat list: values in reading order, for an object its names before them, for a list its length.
 * Comparing a host's message with it allocates nothing, and follows no pointers but the host's own.
 */
export type MessageLayout = readonly Token[];

/** More kinds of objects are not remembered. */
const MOST_SHAPES = 1_000;

/** Lays messages out; objects with the same names share the list of them. */
export class MessageLayouts {
  readonly #shapes = new Map<string, readonly string[]>();

  of(message: Json): MessageLayout {
    const tokens: Token[] = [];
    this.#add(message, tokens);
    return tokens;
  }

  #add(value: Json, tokens: Token[]): void {
    if (typeof value !== 'object' || value === null) {
      tokens.push(value);
    } else if (Array.isArray(value)) {
      const items: readonly Json[] = value;
      tokens.push(new ListLength(items.length));
      for (const item of items) {
        this.#add(item, tokens);
      }
    } else {
      const names = this.#shared(Object.keys(value));
      tokens.push(names);
      for (const name of names) {
        this.#add((value as Readonly<Record<string, Json>>)[name] as Json, tokens);
      }
    }
  }

  #shared(names: readonly string[]): readonly string[] {
    const key = JSON.stringify(names);
    const shape = this.#shapes.get(key);
    if (shape) {
      return shape;
    }
    if (this.#shapes.size < MOST_SHAPES) {
      this.#shapes.set(key, names);
    }
    return names;
  }
}

/**
 * The layouts of a whole transcript behind one another, because what lies in a row is read faster than what lies scattered.
 */
export class TranscriptLayout {
  readonly #tokens: Token[] = [];
  /** Where the layout of each message ends. */
  readonly #ends: number[] = [];

  push(layout: MessageLayout): void {
    for (const token of layout) {
      this.#tokens.push(token);
    }
    this.#ends.push(this.#tokens.length);
  }

  /** Keeps so many messages, from the first. */
  cut(count: number): void {
    this.#ends.length = count;
    this.#tokens.length = this.#ends.at(-1) ?? 0;
  }

  /** Whether the message at a place is the same; never for a place behind the last. */
  isSame(value: unknown, place: number): boolean {
    const start = place === 0 ? 0 : this.#ends[place - 1];
    return start !== undefined && matchedUntil(value, this.#tokens, start) === this.#ends[place];
  }
}

/** Whether a host's message would be copied to exactly what is laid out here, the order of members included. */
export function sameMessage(value: unknown, layout: MessageLayout): boolean {
  return matchedUntil(value, layout, 0) === layout.length;
}

/** The place behind the value that stands at `at`; negative when the host's value is another one. */
function matchedUntil(value: unknown, layout: MessageLayout, at: number): number {
  const token = layout[at];
  if (typeof value !== 'object' || value === null) {
    return value === token ? at + 1 : -1;
  }
  let next = at + 1;
  if (Array.isArray(value)) {
    if (!(token instanceof ListLength) || token.items !== value.length) {
      return -1;
    }
    for (let place = 0; place < value.length && next >= 0; place++) {
      next = matchedUntil(value[place], layout, next);
    }
    return next;
  }
  if (!Array.isArray(token)) {
    return -1;
  }
  const names: readonly string[] = token;
  let place = 0;
  for (const name in value) {
    const item = (value as Readonly<Record<string, unknown>>)[name];
    if (item !== undefined) {
      next = names[place] === name ? matchedUntil(item, layout, next) : -1;
      if (next < 0) {
        return -1;
      }
      place++;
    }
  }
  return place === names.length ? next : -1;
}
