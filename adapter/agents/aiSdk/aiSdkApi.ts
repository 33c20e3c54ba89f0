/** As much of the AI SDK's model interface (`LanguageModelV3` and `V4`) as this adapter uses. */
export interface CallParams {
  readonly prompt: readonly PromptMessage[];
  readonly tools?: readonly object[] | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

export interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

export interface Model {
  readonly provider: string;
  readonly modelId: string;
}

/** A model that a middleware stands around. */
export interface CalledModel<Generated, Streamed> extends Model {
  doGenerate(params: CallParams): PromiseLike<Generated>;
  doStream(params: CallParams): PromiseLike<Streamed>;
}

/** What both kinds of call give. */
export interface CallResult {
  readonly request?: { readonly body?: unknown } | undefined;
}

export interface GenerateResult extends CallResult {
  readonly finishReason: unknown;
  readonly usage: unknown;
}

export interface StreamResult<Part> extends CallResult {
  readonly stream: ReadableStream<Part>;
}

/** One part of a streamed answer. */
export interface StreamPart {
  readonly type: string;
  /** Of a part `error`. */
  readonly error?: unknown;
}
