import { isJsonArray, type Json } from '../../../protocol/request/json.ts';
import { edited, editsOf, jsonText } from './bodyEdits.ts';
import { listRegion, type Region, wholeList } from './bodyList.ts';
import type { BodyPart, BodyView, ComposedBody, ReceivedBody } from './bodyView.ts';
import { canonicalText } from './canonicalText.ts';
import {
  type ItemSpans,
  itemSpans,
  type MemberSpans,
  memberSpans,
  type Span,
  spaceEnd,
  valueEnd,
} from './jsonSpans.ts';
import { PieceWriter } from './pieceWriter.ts';

/**
 * The body that is to leave: the received text, of which only the spans of what became another are replaced (DESIGN, flow 2),
 * and its record for the log. Throws `UnreadableBodyError` where a new part is nested too deeply to be written.
 */
export function composeBody(received: ReceivedBody, view: BodyView): ComposedBody {
  const { text } = received;
  const { body, list } = membersOf(received, view);
  const added = new AddedMembers(body);
  const regions = [
    ...listRegions(received, view, body, list, added),
    ...memberRegions(received, view, body),
    ...[...view.members].flatMap(([name, value]) => (body.spans.has(name) ? [] : [added.member(name, value)])),
  ].sort((a, b) => a.start - b.start);
  const edits = regions.flatMap(region => region.edits);
  const pieces = new PieceWriter();
  let at = 0;
  for (const region of regions) {
    pieces.text(text.slice(at, region.start));
    region.write(pieces);
    at = region.end;
  }
  pieces.text(text.slice(at));
  return {
    edits,
    pieces: pieces.end(),
    get text() {
      return edits.length === 0 ? text : edited(text, edits);
    },
  };
}

interface FoundMembers {
  readonly body: MemberSpans;
  /** Absent where what stands there is no list, or nothing does. */
  readonly list: ItemSpans | undefined;
}

/** One walk over the text. */
function membersOf({ text, scanned }: ReceivedBody, view: BodyView): FoundMembers {
  let list: ItemSpans | undefined;
  const body = memberSpans(text, spaceEnd(text, 0), (name, at) => {
    if (name !== view.list) {
      return valueEnd(text, at);
    }
    list = scanned?.start === at ? scanned.spans : text[at] === '[' ? itemSpans(text, at) : undefined;
    return list ? list.end : valueEnd(text, at);
  });
  return { body, list };
}

function listRegions(
  { text, value }: ReceivedBody,
  view: BodyView,
  { spans }: MemberSpans,
  list: ItemSpans | undefined,
  added: AddedMembers,
): readonly Region[] {
  const span = spans.get(view.list);
  if (span && list) {
    const values = value[view.list] ?? null;
    return [
      listRegion({ text, start: span.start, spans: list, values: isJsonArray(values) ? values : [] }, view.items),
    ];
  }
  if (view.items.every(({ same, received }) => same && received !== undefined)) {
    return [];
  }
  return [span ? wholeList(span, view.items) : wholeList(added.place, view.items, added.lead(view.list))];
}

/** Those of members that are there, and became another value or carry a part of the request. */
function memberRegions({ text, value }: ReceivedBody, view: BodyView, { spans }: MemberSpans): readonly Region[] {
  const parts = new Map((view.parts ?? []).map(part => [part.member, part]));
  const names = new Set([...view.members.keys(), ...parts.keys()]);
  names.delete(view.list);
  return [...names].flatMap(name => {
    const span = spans.get(name);
    const after = view.members.get(name);
    if (!span) {
      return [];
    }
    const edits = after === undefined ? [] : editsOf(text, span, value[name] ?? null, after);
    return [{ ...span, edits, write: pieces => writePart(pieces, edited(text, edits, span), parts.get(name)) }];
  });
}

function writePart(pieces: PieceWriter, text: string, part: BodyPart | undefined): void {
  if (part && canonicalText(part.value) === text) {
    pieces.part(part.part);
  } else {
    pieces.text(text);
  }
}

/** Members that are not in the received body stand behind its last one. */
class AddedMembers {
  readonly place: Span;
  #isFirst: boolean;

  constructor({ spans, last }: MemberSpans) {
    this.place = { start: last, end: last };
    this.#isFirst = spans.size === 0;
  }

  member(name: string, value: Json): Region {
    const text = this.lead(name) + jsonText(value);
    return { ...this.place, edits: [{ ...this.place, text }], write: pieces => pieces.text(text) };
  }

  /** What stands before the value of one more member. */
  lead(name: string): string {
    const comma = this.#isFirst ? '' : ',';
    this.#isFirst = false;
    return `${comma}${JSON.stringify(name)}:`;
  }
}
