import type { Json } from '../../../protocol/request/json.ts';
import { type Edit, edited, editsOf, jsonText } from './bodyEdits.ts';
import type { BodyItem } from './bodyView.ts';
import { canonicalText } from './canonicalText.ts';
import type { ItemSpans, Span } from './jsonSpans.ts';
import type { PieceWriter } from './pieceWriter.ts';

/** A part of the received text in which something may change; what is around it stays. */
export interface Region extends Span {
  readonly edits: readonly Edit[];
  /** Adds the record of what stands there then. */
  write(pieces: PieceWriter): void;
}

/** Where the list that was received stands. */
export interface ReceivedList {
  readonly text: string;
  /** Of its bracket. */
  readonly start: number;
  readonly spans: ItemSpans;
  readonly values: readonly Json[];
}

/** The items of a list that was received: with others between them, and without those that are no items of the view. */
export function listRegion(list: ReceivedList, items: readonly BodyItem[]): Region {
  const { text, start: bracket, spans, values } = list;
  const { places } = spans;
  const start = places[0] ?? bracket + 1;
  const changes = new Map<number, readonly Edit[]>();
  const edits: Edit[] = [];
  /** The first item that is not passed yet, and the place behind those before it. */
  let next = 0;
  let behind = start;
  let put = '';
  const replace = (end: number, by: string): void => {
    if (end > behind || by !== '') {
      edits.push({ start: behind, end, text: by });
    }
    put = '';
  };
  for (const [index, { value, received, same }] of items.entries()) {
    if (received === undefined) {
      put += index === 0 ? jsonText(value) : `,${jsonText(value)}`;
      continue;
    }
    const span = spanAt(places, received);
    if (received < next || !span) {
      throw itemsDoNotFit();
    }
    if (index === 0) {
      replace(span.start, '');
    } else if (received === 0) {
      replace(behind, `${put},`);
    } else {
      // What parts it from the item before stays, also where that one is gone.
      replace(endOf(places, received - 1), put);
    }
    if (!same) {
      const changed = editsOf(text, span, values[received] ?? null, value);
      changes.set(received, changed);
      edits.push(...changed);
    }
    behind = span.end;
    next = received + 1;
  }
  const end = Math.max(behind, places.at(-1) ?? behind);
  replace(end, put);
  return { start, end, edits, write: pieces => writeItems(pieces, text, places, items, changes) };
}

/** A list in place of what is none, or is not there; `lead` stands before it. */
export function wholeList({ start, end }: Span, items: readonly BodyItem[], lead = ''): Region {
  const text = `${lead}[${items.map(({ value }) => jsonText(value)).join(',')}]`;
  return {
    start,
    end,
    edits: [{ start, end, text }],
    write(pieces) {
      pieces.text(`${lead}[`);
      writeItems(pieces, '', [], items.map(withoutPlace), new Map());
      pieces.text(']');
    },
  };
}

function withoutPlace({ value, sealed }: BodyItem): BodyItem {
  return { value, same: false, ...(sealed !== undefined && { sealed }) };
}

function writeItems(
  pieces: PieceWriter,
  text: string,
  places: readonly number[],
  items: readonly BodyItem[],
  changes: ReadonlyMap<number, readonly Edit[]>,
): void {
  for (const [index, { value, received, sealed }] of items.entries()) {
    const span = received === undefined ? undefined : spanAt(places, received);
    // What was put in stands right behind the item before it.
    const separator = index === 0 ? '' : span && received ? text.slice(endOf(places, received - 1), span.start) : ',';
    const changed = received === undefined ? undefined : changes.get(received);
    const itself = span ? (changed ? edited(text, changed, span) : text.slice(span.start, span.end)) : jsonText(value);
    if (sealed !== undefined && itself === canonicalText(value)) {
      pieces.message(sealed, separator);
    } else {
      pieces.text(separator + itself);
    }
  }
}

function spanAt(places: readonly number[], index: number): Span | undefined {
  const start = places[index * 2];
  const end = places[index * 2 + 1];
  return start === undefined || end === undefined ? undefined : { start, end };
}

function endOf(places: readonly number[], index: number): number {
  return spanAt(places, index)?.end ?? 0;
}

function itemsDoNotFit(): TypeError {
  return new TypeError('The items of a body are not those that were received, each at most once and in their order.');
}
