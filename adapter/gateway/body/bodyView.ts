import type { BodyPiece } from '../../../protocol/request/bodyPieces.ts';
import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import type { ItemSpans } from './jsonSpans.ts';

export type { BodyPiece } from '../../../protocol/request/bodyPieces.ts';

/** A body as an agent sent it. */
export interface ReceivedBody {
  readonly text: string;
  /** What the text holds. */
  readonly value: JsonObject;
  /** Where the items of a list stand in it, where that is known: it is not looked through again then. */
  readonly scanned?: ScannedList;
}

/** A list in a text. */
export interface ScannedList {
  /** Of its bracket. */
  readonly start: number;
  readonly spans: ItemSpans;
}

/** What is to leave in place of a received body. */
export interface BodyView {
  /** The member that holds the list of messages; what it holds may be no list. */
  readonly list: string;
  /** The list that is to leave, in order. Of the received list's items each stands in it at most once, in its order; the others are taken out. */
  readonly items: readonly BodyItem[];
  /** Members other than the list that became another value. */
  readonly members: ReadonlyMap<string, Json>;
  /** Members that carry a part of the sealed request. Where one's text is that part's, the log does not hold it once more. */
  readonly parts?: readonly BodyPart[];
}

export interface BodyItem {
  /** For a message of the sealed request that very object: its JSON text is made only once. */
  readonly value: JsonObject;
  /** Its place in the received list; absent for a message that was put in. */
  readonly received?: number;
  /** It is what was received. */
  readonly same: boolean;
  /** Its place in the sealed request's messages; absent for a part of the system prompt. */
  readonly sealed?: number;
}

export interface BodyPart {
  readonly part: 'system' | 'tools';
  readonly member: string;
  /** As it stands in the sealed request. */
  readonly value: Json;
}

/** Another text in place of a span of the received one; an empty span is a place where something is put in. */
export interface BodyEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface ComposedBody {
  /** In order; none where nothing became another. */
  readonly edits: readonly BodyEdit[];
  /** Made when it is asked for; the received text itself where nothing became another. */
  readonly text: string;
  /** The log's record of the text. */
  readonly pieces: readonly BodyPiece[];
}
