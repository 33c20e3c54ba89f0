import { isContainer, type Json } from '../../../protocol/request/json.ts';
import { sameJson } from '../../../protocol/request/sameJson.ts';
import { UnreadableBodyError } from '../apis/gatewayApi.ts';
import { itemSpans, memberSpans, type Span } from './jsonSpans.ts';

/** Another text in place of a span of the received one; an empty span is a place where something is put in. */
export interface Edit extends Span {
  readonly text: string;
}

/** A value further inside is replaced together with what is around it, so that nothing has to be looked through again and again. */
const MOST_LEVELS = 16;

/** The edits, in order, after which the value at this span of a text is another one; the smallest spans that bring that about. */
export function editsOf(text: string, span: Span, before: Json, after: Json): readonly Edit[] {
  const edits: Edit[] = [];
  if (!sameJson(before, after, 'ordered')) {
    collect(text, span, before, after, 0, edits);
  }
  return inOrder(edits);
}

/** By place; those at one place stay in the order in which they were made. */
function inOrder(edits: readonly Edit[]): readonly Edit[] {
  return edits.toSorted((a, b) => a.start - b.start);
}

/** A span of a text with these edits, which lie in it and in order; the whole text where no span is given. */
export function edited(
  text: string,
  edits: readonly Edit[],
  { start, end }: Span = { start: 0, end: text.length },
): string {
  let at = start;
  let made = '';
  for (const edit of edits) {
    made += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return made + text.slice(at, end);
}

/** JSON text of a value. Throws `UnreadableBodyError` where it is nested too deeply to be written. */
export function jsonText(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new UnreadableBodyError('A part of the request is nested so deeply that it cannot be written anew.');
    }
    throw error;
  }
}

/** `before` and `after` differ. */
function collect(text: string, span: Span, before: Json, after: Json, level: number, edits: Edit[]): void {
  if (level === MOST_LEVELS || !isContainer(before) || !isContainer(after) || !hasSameNames(before, after)) {
    edits.push({ ...span, text: jsonText(after) });
    return;
  }
  const spanOf = Array.isArray(before) ? itemFinder(text, span.start) : memberFinder(text, span.start);
  for (const [name, value] of Object.entries(after)) {
    const old = before[name] as Json;
    const place = sameJson(old, value, 'ordered') ? undefined : spanOf(name);
    if (place) {
      collect(text, place, old, value, level + 1, edits);
    }
  }
}

function hasSameNames(a: object, b: object): boolean {
  const names = Object.keys(a);
  const others = Object.keys(b);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === others.length &&
    names.every((name, index) => name === others[index])
  );
}

function itemFinder(text: string, start: number): (name: string) => Span {
  const { places } = itemSpans(text, start);
  return name => ({ start: placeOf(places, Number(name) * 2), end: placeOf(places, Number(name) * 2 + 1) });
}

function memberFinder(text: string, start: number): (name: string) => Span | undefined {
  const { spans } = memberSpans(text, start);
  return name => spans.get(name);
}

function placeOf(places: readonly number[], index: number): number {
  const place = places[index];
  if (place === undefined) {
    throw new TypeError('The text of a body does not hold what was read from it.');
  }
  return place;
}
