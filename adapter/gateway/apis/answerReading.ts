import type { Usage } from '../../../protocol/log/sessionEvents.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/request/json.ts';

/** What an answer has said so far. */
export interface Heard {
  /**
   * `final`: the event came that ends every answer of this API. `last`: one after which nothing more of the answer comes, so that
   * the end of the HTTP answer is still to be seen. Absent before.
   */
  readonly ending?: 'final' | 'last';
  /** It said that it failed. */
  readonly failed?: boolean;
  /** What it said of that. */
  readonly error?: Json | undefined;
  readonly usage?: Usage;
  /** Absent where only the next request will tell. */
  readonly callsTools?: boolean;
}

/** How the answers of one API are read. Its functions may meet any JSON, and throw nothing. */
export interface AnswerReading {
  /** Whether nothing is needed of events with this name, so that they are not even parsed. */
  skips(event: string): boolean;
  /** The data of a final event that is no JSON. */
  readonly finalData?: string;
  /** One event of a streamed answer. */
  streamed(heard: Heard, event: JsonObject): Heard;
  /** An answer that is not streamed. */
  whole(answer: Json): Heard;
}

/** An answer that is none, and what it says of that where it says something. */
export function failedAnswer(answer: Json): Heard {
  return { failed: true, error: isJsonObject(answer) ? answer['error'] : undefined };
}

/** The numbers that are there; one without any, where there are none. */
export function usageOf(numbers: { readonly [Name in keyof Usage]: Json | undefined }): Usage {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => isCount(value))) as Usage;
}

/** The sum of those that are there; absent where none is. */
export function sumOf(...numbers: readonly (Json | undefined)[]): number | undefined {
  const counts = numbers.filter(isCount);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

function isCount(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
