import type { Json, JsonObject } from '../../../protocol/request/json.ts';

/** A body as an agent sent it. */
export interface ReceivedBody {
  readonly text: string;
  /** What the text holds. */
  readonly value: JsonObject;
}

/** What is to leave in place of a received body. */
export interface BodyView {
  /** The member that holds the list of messages; what it holds may be no list. */
  readonly list: string;
  /** The list that is to leave, in order. Each item of the received list stands in it once, in its order. */
  readonly items: readonly BodyItem[];
  /** Members other than the list that became another value. */
  readonly members: ReadonlyMap<string, Json>;
}

export interface BodyItem {
  readonly value: JsonObject;
  /** Its place in the received list; absent for a message that was put in. */
  readonly received?: number;
  /** It is what was received. */
  readonly same: boolean;
  /** Its place in the sealed request's messages; absent for a part of the system prompt. */
  readonly sealed?: number;
}

/** The log's record of a body: text, and holes that are filled with the JSON text of parts of the sealed request. */
export type BodyPiece =
  | string
  | { readonly part: 'system' | 'tools' }
  | { readonly messages: readonly [from: number, to: number] };

export interface ComposedBody {
  /** The received text itself where nothing became another. */
  readonly text: string;
  readonly pieces: readonly BodyPiece[];
}
