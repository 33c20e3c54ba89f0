import type { MessageCounts } from '../protocol/budget/budgetView.ts';
import type { Amount, EventData, Price, Usage } from '../protocol/log/sessionEvents.ts';
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

/** What stands beside the history of a request that is to be built. */
export type Surroundings = Omit<MeasuredRequest, 'requestSequence' | 'messages' | 'prefixLength'> & {
  readonly prefix: readonly JsonObject[];
};

/** How the parts of the next request are counted: the same until it is measured. */
export interface PartCounts {
  /** A tool is read as its JSON, everything else as its texts. */
  amountOf(value: Json, readAs?: 'message' | 'tool'): Amount;
  /** Of messages alone, in a form whose sums hold for all requests of a session. */
  readonly messages?: MessageCounts;
  /** What the provider counted of the last such request beyond its parts; absent where there was none. */
  readonly unattributed?: Pick<Amount, 'origin'> & { readonly tokens: number };
  /** What counts them. */
  readonly counter: string;
  /** By how much an estimate may be too low, as a factor; absent where nothing is known of the model's tokenizer. */
  readonly headroom?: number;
}

/** Sizes and prices of one session's requests. It never throws and never rejects. */
export interface RequestMeter {
  /**
   * Counts what is new, and waits for it a short time at most: what is not counted by then is estimated. `before` gives the
   * messages and texts that the session puts before the host's; it may throw.
   */
  prepare(input: RequestInput, before: () => readonly Json[]): Promise<void>;
  /** At once, before the request is built; absent where nobody counts. Nothing is remembered. */
  counts(surroundings: Surroundings): PartCounts | undefined;
  /** At once; the request is the next one's "request before". */
  measure(request: MeasuredRequest): Measures;
  /** What the last request would cost with another blocks' text, or with none; absent before the first request. */
  whatIf(blocksText: string | undefined): Price | undefined;
  /** What the provider said of a request's size. */
  answered(requestSequence: number, usage: Usage | undefined): void;
  /** Once, as a sentence for a person: why numbers are worse than they should be. */
  problem(): string | undefined;
}
