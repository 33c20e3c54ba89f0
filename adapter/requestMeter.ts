import type { EventData, Price, Usage } from '../protocol/log/sessionEvents.ts';
import type { Json, JsonObject } from '../protocol/request/json.ts';
import type { HeaderParts } from './headerInput.ts';
import type { RequestInput } from './sessionTypes.ts';

/** A request that is about to be sealed, or was by an instance before. */
export interface MeasuredRequest extends HeaderParts {
  readonly requestSequence: number;
  /** The prefix, then the view. */
  readonly messages: readonly JsonObject[];
  /** How many of them are the prefix. */
  readonly prefixLength: number;
}

/** What a seal says of sizes and of what changed. */
export type Measures = Pick<EventData<'request/sealed'>, 'sizes' | 'price'>;

/** Sizes and prices of one session's requests. It never throws and never rejects. */
export interface RequestMeter {
  /**
   * Counts what is new, and waits for it a short time at most: what is not counted by then is estimated. `before` gives the
   * messages and texts that the session puts before the host's; it may throw.
   */
  prepare(input: RequestInput, before: () => readonly Json[]): Promise<void>;
  /** At once; the request is the next one's "request before". */
  measure(request: MeasuredRequest): Measures;
  /** What the last request would cost with another blocks' text, or with none; absent before the first request. */
  whatIf(blocksText: string | undefined): Price | undefined;
  /** What the provider said of a request's size. */
  answered(requestSequence: number, usage: Usage | undefined): void;
  /** Once, as a sentence for a person: why numbers are worse than they should be. */
  problem(): string | undefined;
}
