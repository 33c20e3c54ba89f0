/** One answer of a scripted model. */
export type Answer = SpokenAnswer | RefusedAnswer;

/** An HTTP error instead of an answer. */
export interface RefusedAnswer {
  readonly status: number;
  /** What the error says; absent: that the script says so. */
  readonly said?: string;
}

export interface SpokenAnswer {
  /** What it says; absent where it only calls tools. */
  readonly text?: string;
  /** What it thinks before, with a signature where the API has thoughts. */
  readonly thinking?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** Tokens that it says it has used; `input` is all of the input, cached or not. */
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
  /** The connection is cut after the first half of the answer. */
  readonly cut?: boolean;
  /** Each piece, counted from 0, is written when this has come true for it. */
  readonly released?: (piece: number) => Promise<unknown>;
}

export interface ScriptedCall {
  /** Gemini's API may do without: "". */
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** In which its name is, where an API has such; only the Responses API does. */
  readonly namespace?: string;
  /** What it says to a tool that takes no JSON, which only the Responses API has; in place of `arguments`. */
  readonly input?: string;
}

/** What a model said when the script gave no numbers. */
const DEFAULT_USAGE = { input: 100, output: 10 } as const;

/** One model API: how an answer is written in it. */
export interface ModelApi {
  /** Whether a request's path, without query, belongs to it. */
  serves(path: string): boolean;
  isStreamed(path: string, body: ModelBody): boolean;
  /** The body of an answer that is not streamed. */
  whole(answer: SpokenAnswer, voice: Voice): string;
  /** The pieces of a streamed answer, in order. */
  pieces(answer: SpokenAnswer, voice: Voice): readonly string[];
  /** The body of an HTTP error. */
  error(status: number, message: string): object;
}

/** Who speaks. */
export interface Voice {
  readonly model: string;
  /** Of the answer, from 1: no two have the same ids, since Claude Code joins answers that do. */
  readonly number: number;
}

/** As much of a request's body as a scripted model looks at. */
export interface ModelBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
}

/** The script's numbers, none of them absent. */
export function usageOf({ usage = DEFAULT_USAGE }: SpokenAnswer): Required<NonNullable<SpokenAnswer['usage']>> {
  return { cacheRead: 0, cacheWrite: 0, ...usage };
}

/** A text in two pieces; none of an empty one. */
export function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter(half => half !== '');
}

/** One event of a stream; without name where the API has none. */
export function event(data: object, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
