import type { MessageFormat } from '../../../protocol/lifecycle/messageFormat.ts';
import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import type { Ended } from '../../sessionTypes.ts';
import type { GatewayCall } from '../gatewayCall.ts';

/** Whose base address a path belongs to; it is the first word of the path behind token and session name. */
export const PROVIDERS = ['anthropic', 'openai', 'gemini'] as const;

export type Provider = (typeof PROVIDERS)[number];

/** One model API: how a request's body becomes units, and what its answers say. Its functions change nothing. */
export interface GatewayApi {
  /** Also the name of its `format`. */
  readonly name: 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'gemini';
  readonly provider: Provider;
  /** Whether a POST to this path (behind the provider's word, without query, in lower case) asks the model for an answer. */
  serves(path: string): boolean;
  readonly format: MessageFormat;
  /** Takes a body apart. Throws `UnreadableBodyError` where it is none that this API takes. */
  split(body: JsonObject): SplitBody;
  /** What a request says of its model beside its body's own members; absent where an API says all of it there. */
  model?(call: Pick<GatewayCall, 'path' | 'headers'>, body: JsonObject): AskedModel;
  /** Looks at an answer while it is handed on; `headers` are in lower case. */
  answer(head: AnswerHead): AnswerReader;
  /** An error in this API's own form, that its agents show and do not try again. */
  refusal(sentence: string): Refusal;
  /** The same for a request that the budget layer holds back; absent where the agents of this API know no better than to show it. */
  tooLong?(sentence: string): Refusal;
}

/** The model that a request asks. */
export interface AskedModel {
  /** Where no member of the body names it. */
  readonly name?: string;
  /** In tokens, where the request asks for another one than its model has otherwise. */
  readonly window?: number;
}

/** A body in the parts that a request has. Its values are those of the body, not copies. */
export interface SplitBody {
  /** The body's member that holds the messages. Where its value is no list, the list is made of it (`input: "text"`). */
  readonly list: string;
  /** How many items of the list stand before the messages: they are the system prompt. */
  readonly leading: number;
  readonly messages: readonly JsonObject[];
  /** The value of `systemMember`, or what stands before the messages: the text of one plain message, else the messages. */
  readonly system?: Json;
  /** The body's member that holds the system prompt; absent where it stands in the list, or is absent. */
  readonly systemMember?: string;
  readonly tools?: readonly Json[];
  /** Tools stand among the items of the list. */
  readonly offersTools?: true;
  /** Every other member, in order. */
  readonly config: JsonObject;
}

export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Fed with the bytes of an answer, of which it keeps no more than it needs. It never throws. */
export interface AnswerReader {
  push(bytes: Uint8Array): void;
  /** What came of the answer; `whole`: its end was seen, not a cut. Only a completed answer consumes. */
  end(whole: boolean): Ended;
}

export interface Refusal {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Says what is wrong with a body, for a person. */
export class UnreadableBodyError extends Error {
  override readonly name = 'UnreadableBodyError';
}

/** For a body that is none of an API's requests; `reason` is a clause. */
export function notUnderstood(reason: string): UnreadableBodyError {
  return new UnreadableBodyError(
    `The request was not understood, because ${reason}. Check that the agent speaks the API that this address is for.`,
  );
}
