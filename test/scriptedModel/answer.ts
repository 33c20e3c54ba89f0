/** One answer of a scripted model. */
export type Answer =
  | {
      /** What it says; absent where it only calls tools. */
      readonly text?: string;
      readonly toolCalls?: readonly ScriptedCall[];
      /** Tokens that it says it has used. */
      readonly usage?: { readonly input: number; readonly output: number; readonly cacheRead?: number };
      /** The connection is cut after the first half of the answer. */
      readonly cut?: boolean;
    }
  | {
      /** An HTTP error instead of an answer. */
      readonly status: number;
    };

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a model said when the script gave no numbers. */
export const DEFAULT_USAGE = { input: 100, output: 10, cacheRead: 0 } as const;

/** One model API: how an answer is written in it. */
export interface ModelApi {
  /** Whether a request's path belongs to it. */
  serves(path: string): boolean;
  /** The body of an answer that is not streamed. */
  whole(answer: SpokenAnswer, model: string): string;
  /** The pieces of a streamed answer, in order. */
  pieces(answer: SpokenAnswer, model: string): readonly string[];
}

export type SpokenAnswer = Exclude<Answer, { readonly status: number }>;
