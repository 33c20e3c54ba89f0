import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';
import { notUnderstood } from '../apis/gatewayApi.ts';
import type { ReceivedBody, ScannedList } from './bodyView.ts';
import { itemSpans, type MemberSpans, memberSpans, spaceEnd } from './jsonSpans.ts';

/** Of bodies that are kept, in UTF-16 code units together; and how many. */
const MOST_CHARACTERS = 32_000_000;
const MOST_BODIES = 4;

/** Two texts are compared in pieces of so many code units, which costs hardly more than reading memory. */
const PIECE = 65_536;

/** A body with a list, which a later one may go on with. */
interface KnownBody extends ReceivedBody {
  /** The member that holds the list. */
  readonly list: string;
  readonly scanned: ScannedList;
  readonly items: readonly Json[];
}

/**
 * Reads bodies each of which is most likely an earlier one with some messages more: items of the list that stand at the start of
 * an earlier body, character by character, are not parsed once more, and are the same objects. Nobody may change them.
 */
export class ParsedBodies {
  /** The one that was read last stands last. */
  #known: readonly KnownBody[] = [];

  /**
   * What `JSON.parse` gives. Throws `SyntaxError` as it does, and `UnreadableBodyError` where the text is no object, or one that
   * names a member twice.
   */
  read(text: string): ReceivedBody {
    const [before, same] = this.#longest(text);
    const read = (before && goneOn(text, before, same)) ?? parsed(text);
    if (isKnown(read)) {
      this.#keep(read, before);
    }
    return read;
  }

  /** The body that shares the most items with a text, and how many. */
  #longest(text: string): readonly [KnownBody | undefined, number] {
    let best: KnownBody | undefined;
    let most = 0;
    for (const body of this.#known) {
      const same = sharedItems(text, body);
      if (same > most) {
        best = body;
        most = same;
      }
    }
    return [best, most];
  }

  /** One that went on takes the place of the one that it went on from. */
  #keep(body: KnownBody, before: KnownBody | undefined): void {
    const others = this.#known.filter(known => known !== before).slice(1 - MOST_BODIES);
    let left = MOST_CHARACTERS - body.text.length;
    const kept = others.toReversed().filter(({ text }) => {
      left -= text.length;
      return left >= 0;
    });
    this.#known = [...kept.toReversed(), body];
  }
}

function isKnown(body: ReceivedBody): body is KnownBody {
  return body.scanned !== undefined;
}

function parsed(text: string): ReceivedBody | KnownBody {
  const value = objectOf(text);
  const list = longestList(text);
  const items = list === undefined ? undefined : value[list.name];
  return list && isJsonArray(items)
    ? { text, value, list: list.name, items, scanned: { start: list.start, spans: itemSpans(text, list.start) } }
    : { text, value };
}

/** The list of messages, in all likelihood. */
function longestList(text: string): { readonly name: string; readonly start: number } | undefined {
  const { spans } = membersOf(text);
  const lists = [...spans].filter(([, { start }]) => text[start] === '[');
  const [first, ...others] = lists.map(([name, { start, end }]) => ({ name, start, length: end - start }));
  return first && others.reduce((longest, each) => (each.length > longest.length ? each : longest), first);
}

/** Of an object. A model's server may take the first of two values, which nobody here has looked at. */
function membersOf(text: string): MemberSpans {
  const members = memberSpans(text, spaceEnd(text, 0));
  if (members.repeats) {
    throw notUnderstood('its body names a member twice');
  }
  return members;
}

function objectOf(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isJsonObject(value)) {
    throw notUnderstood('its body is no JSON object');
  }
  return value;
}

/** How many items, from the first, a text has as this body has them, with all that stands before them. */
function sharedItems(text: string, { text: before, scanned }: KnownBody): number {
  const shared = sharedStart(text, before);
  const { places } = scanned.spans;
  let low = 0;
  let high = places.length / 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((places[middle * 2 - 1] ?? Number.POSITIVE_INFINITY) <= shared) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  // What ends with a sign of its own is whole; a number may go on where the texts part.
  const isWhole = places[low * 2 - 1] !== shared || /[}\]"]/.test(before[shared - 1] ?? '');
  return isWhole ? low : low - 1;
}

function sharedStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let start = 0;
  for (let piece = PIECE; piece >= 1; piece >>= 1) {
    while (start + piece <= most && a.slice(start, start + piece) === b.slice(start, start + piece)) {
      start += piece;
    }
  }
  return start;
}

/**
 * Reads a text without the items that it shares with another body. What is left is JSON where, and only where, the text is:
 * the items are whole values of a list, and the list goes on, or ends, behind them. Absent where that is not plain.
 */
function goneOn(text: string, before: KnownBody, same: number): KnownBody | undefined {
  const { list, scanned } = before;
  const { places } = scanned.spans;
  const first = places[0] ?? 0;
  const behind = spaceEnd(text, places[same * 2 - 1] ?? 0);
  const next = text[behind] === ',' ? spaceEnd(text, behind + 1) : behind;
  // Behind a comma, a list does not end; behind an item, it ends or has a comma.
  if ((text[next] === ']') !== (next === behind)) {
    return undefined;
  }
  const rest = text.slice(0, first) + text.slice(next);
  const value = objectOf(rest);
  membersOf(rest);
  const left = value[list];
  if (!isJsonArray(left)) {
    return undefined;
  }
  const items = [...before.items.slice(0, same), ...left];
  const spans = itemSpans(rest, scanned.start);
  const removed = next - first;
  const all = [...places.slice(0, same * 2), ...spans.places.map(place => place + removed)];
  return {
    text,
    value: { ...value, [list]: items },
    list,
    items,
    scanned: { start: scanned.start, spans: { places: all, end: spans.end + removed } },
  };
}
