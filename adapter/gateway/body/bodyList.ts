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

/** The items of a list that was received, with others between them. */
export function listRegion(list: ReceivedList, items: readonly BodyItem[]): Region {
  const { text, start: bracket, spans, values } = list;
  const { places } = spans;
  const start = places[0] ?? bracket + 1;
  const changes = new Map<number, readonly Edit[]>();
  const edits: Edit[] = [];
  let next = 0;
  let end = start;
  for (const [index, { value, received, same }] of items.entries()) {
    if (received === undefined) {
      const isBeforeFirst = next === 0 && places.length > 0;
      const put = jsonText(value);
      edits.push({ start: end, end, text: isBeforeFirst ? `${put},` : index === 0 ? put : `,${put}` });
      continue;
    }
    const span = spanAt(places, received);
    if (received !== next || !span) {
      throw itemsDoNotFit();
    }
    if (!same) {
      const changed = editsOf(text, span, values[received] ?? null, value);
      changes.set(received, changed);
      edits.push(...changed);
    }
    end = span.end;
    next++;
  }
  if (next * 2 !== places.length) {
    throw itemsDoNotFit();
  }
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
  let before = 0;
  for (const [index, { value, received, sealed }] of items.entries()) {
    const span = received === undefined ? undefined : spanAt(places, received);
    // What was put in stands right behind the item before it.
    const separator = index === 0 ? '' : span && received !== 0 ? text.slice(before, span.start) : ',';
    before = span?.end ?? before;
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

function itemsDoNotFit(): TypeError {
  return new TypeError('The items of a body are not those that were received, each once and in their order.');
}
