/*
 * Where values stand in a JSON text. The text was read by JSON.parse before, so nothing here looks for faults; and nothing calls
 * itself, so that no depth of nesting is too much.
 */

/** A part of a text, from one place up to but without another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Strings are mostly names and other short ones: looking for their end as a whole pays only behind so many characters. */
const SHORT = 16;

/** The first place from this one on that is no white space. */
export function spaceEnd(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 0x20) {
    at++;
  }
  return at;
}

/** Behind the string that starts here. */
function stringEnd(text: string, start: number): number {
  const near = Math.min(start + SHORT, text.length);
  for (let at = start + 1; at < near; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      return at + 1;
    }
    if (code === BACKSLASH) {
      return longStringEnd(text, at);
    }
  }
  return longStringEnd(text, near);
}

/** Behind the string that holds this place, which is not behind a backslash. */
function longStringEnd(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escape = quote - 1;
    while (escape >= from && text.charCodeAt(escape) === BACKSLASH) {
      escape--;
    }
    // An even number of backslashes escape each other, and not the quote.
    if ((quote - escape) % 2 === 1) {
      return quote + 1;
    }
  }
  throw noJson();
}

/** Behind the value that starts here. */
export function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) {
    return stringEnd(text, start);
  }
  return first === OPEN_LIST || first === OPEN_OBJECT ? containerEnd(text, start) : wordEnd(text, start);
}

function containerEnd(text: string, start: number): number {
  const { length } = text;
  let levels = 0;
  for (let at = start; at < length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    at++;
    if (code === OPEN_LIST || code === OPEN_OBJECT) {
      levels++;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      levels--;
      if (levels === 0) {
        return at;
      }
    }
  }
  throw noJson();
}

/** Of a number, `true`, `false` or `null`: they hold neither white space nor what stands behind a value. */
function wordEnd(text: string, start: number): number {
  const { length } = text;
  let at = start;
  for (; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === 0x2c || code === CLOSE_LIST || code === CLOSE_OBJECT) {
      break;
    }
  }
  return at;
}

/** The values of an object's members. Where a name stands twice, its last value counts, as for JSON.parse. */
export interface MemberSpans {
  readonly spans: ReadonlyMap<string, Span>;
  /** Behind the last member, or behind the brace where there is none. */
  readonly last: number;
  /** Behind the object. */
  readonly end: number;
  /** A name stands twice: other readers than JSON.parse may take the first of its values. */
  readonly repeats: boolean;
}

/** The members of the object that starts here. `endOf` finds the ends of their values. */
export function memberSpans(
  text: string,
  start: number,
  endOf: (name: string, value: number) => number = (_, value) => valueEnd(text, value),
): MemberSpans {
  const spans = new Map<string, Span>();
  let last = start + 1;
  let repeats = false;
  let at = spaceEnd(text, last);
  while (text.charCodeAt(at) === QUOTE) {
    const nameEnd = stringEnd(text, at);
    const name = text.slice(at + 1, nameEnd - 1);
    const plain = name.includes('\\') ? (JSON.parse(text.slice(at, nameEnd)) as string) : name;
    const colon = spaceEnd(text, nameEnd);
    if (text.charCodeAt(colon) !== COLON) {
      throw noJson();
    }
    const value = spaceEnd(text, colon + 1);
    last = endOf(plain, value);
    repeats ||= spans.has(plain);
    spans.set(plain, { start: value, end: last });
    at = spaceEnd(text, last);
    if (text.charCodeAt(at) === CLOSE_OBJECT) {
      break;
    }
    at = spaceEnd(text, at + 1);
  }
  return { spans, last, end: at + 1, repeats };
}

/** The items of a list: two numbers for each, where it starts and where it ends. */
export interface ItemSpans {
  readonly places: readonly number[];
  /** Behind the list. */
  readonly end: number;
}

/** The items of the list that starts here. */
export function itemSpans(text: string, start: number): ItemSpans {
  const places: number[] = [];
  let at = spaceEnd(text, start + 1);
  if (text.charCodeAt(at) === CLOSE_LIST) {
    return { places, end: at + 1 };
  }
  while (at < text.length) {
    const end = valueEnd(text, at);
    places.push(at, end);
    at = spaceEnd(text, end);
    if (text.charCodeAt(at) === CLOSE_LIST) {
      return { places, end: at + 1 };
    }
    at = spaceEnd(text, at + 1);
  }
  throw noJson();
}

function noJson(): TypeError {
  return new TypeError('The text of a body is no JSON, though it was read as JSON.');
}
