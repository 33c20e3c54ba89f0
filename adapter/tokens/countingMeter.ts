import type { MessageCounts } from '../../protocol/budget/budgetView.ts';
import type { MessageFormat } from '../../protocol/lifecycle/messageFormat.ts';
import type { Price, Usage } from '../../protocol/log/sessionEvents.ts';
import { type RequestParts, same } from '../../protocol/request/divergence.ts';
import type { Json, JsonObject } from '../../protocol/request/json.ts';
import { type PriceFactors, priceOf, whatIf } from '../../protocol/request/price.ts';
import type { MeasuredRequest, Measures, PartCounts, RequestMeter, Surroundings } from '../requestMeter.ts';
import type { RequestInput } from '../sessionTypes.ts';
import { Calibration, type RequestKind } from './calibration.ts';
import { contentsOf, jsonContents } from './contents.ts';
import { GrowingSum } from './growingSum.ts';
import { readsO200k } from './knownModels.ts';
import { modelOf } from './modelOf.ts';
import {
  type LocalCount,
  type LocalCounts,
  localTotal,
  partSizes,
  type Reading,
  readAmount,
  unattributedOf,
} from './partSizes.ts';
import type { TokenCounter } from './tokenCounter.ts';
import { ValueCounts } from './valueCounts.ts';

export interface CountingMeterOptions {
  readonly counter: TokenCounter;
  readonly format: MessageFormat;
  readonly factors?: PriceFactors;
}

/** A request that was measured: what the next one, and the provider's number for this one, are compared with. */
interface Measured {
  readonly parts: RequestParts;
  readonly kind: RequestKind;
}

/** Answers may come late, but not after so many more requests. */
const REMEMBERED_REQUESTS = 16;

/** specs/tokens.md 4: a quarter is for tokenizers of which nothing is known. Once a provider has counted, the factor is. */
const LEARNED_HEADROOM = 1.1;

/** What counts here, as edits of the budget layer name it. */
const COUNTER = 'gpt-tokenizer o200k_base';

/** Every blocks' message begins with it, and no host's message of a prefix does. */
const OPENING = '<!--BLOCK_ID:';

/** Measures the requests of one session. The counter is another's, who closes it. */
export class CountingMeter implements RequestMeter {
  readonly #counter: TokenCounter;
  readonly #counts: ValueCounts;
  readonly #history: GrowingSum;
  readonly #format: MessageFormat;
  readonly #factors: PriceFactors | undefined;
  readonly #calibration = new Calibration();
  readonly #unanswered = new Map<number, Measured>();
  #last: Measured | undefined;
  /** The request whose number from the provider is compared with. */
  #sample: RequestParts | undefined;
  #headers = 0;
  #told = false;
  /** How many messages the host handed over last: only those behind them are new to `prepare`. */
  #handedOver = 0;

  constructor({ counter, format, factors }: CountingMeterOptions) {
    this.#counter = counter;
    this.#counts = new ValueCounts(counter);
    this.#history = new GrowingSum(this.#counts);
    this.#format = format;
    this.#factors = factors;
  }

  /** How many values were looked into, of all requests so far. */
  get looked(): number {
    return this.#counts.looked;
  }

  /** Provider input ÷ local count, with the number of samples. */
  calibration(model: string): { readonly factor: number; readonly samples: number } {
    return this.#calibration.factor(model);
  }

  async prepare({ messages, system, tools = [] }: RequestInput, before: () => readonly Json[]): Promise<void> {
    const known = this.#handedOver <= messages.length ? this.#handedOver : 0;
    this.#handedOver = messages.length;
    const fresh = [...messages.slice(known), ...(system === undefined ? [] : [system])];
    let texts: readonly string[];
    try {
      texts = [
        ...[...before(), ...fresh].flatMap(value => contentsOf(value).texts),
        ...tools.flatMap(tool => jsonContents(tool).texts),
      ];
    } catch {
      // What cannot be read is refused when the request is built, with a sentence.
      return;
    }
    await this.#counter.count(texts);
  }

  counts({ config, system, tools, prefix }: Surroundings): PartCounts {
    const kind = this.#kindOf({ config, system, tools, prefix, messages: [] });
    this.#recount();
    const reading = this.#readingOf(kind);
    const unattributed = unattributedOf(reading);
    return {
      amountOf: (value, readAs = 'message') => readAmount(this.#counts.of(value, readAs), reading),
      messages: this.#messageCounts(reading),
      ...(unattributed && { unattributed }),
      counter: COUNTER,
      ...(this.calibration(kind.model).samples > 0 && { headroom: LEARNED_HEADROOM }),
    };
  }

  measure(request: MeasuredRequest): Measures {
    const { config, system, tools, messages, prefixLength, requestSequence } = request;
    // V8 cuts a frozen list item by item, and copies it at once.
    const history = [...messages];
    const prefix = history.splice(0, prefixLength);
    const parts = { config, system, tools, prefix, messages: history };
    const kind = this.#kindOf(parts);
    this.#headers += kind.header === this.#last?.kind.header ? 0 : 1;
    const counts = this.#countsOf(parts);
    this.#recount();
    const previous = this.#last;
    this.#last = { parts, kind };
    this.#remember(requestSequence, this.#last);
    const reading = this.#readingOf(kind);
    return {
      sizes: partSizes(counts, reading),
      ...(previous && { price: priceOf(previous.parts, parts, this.#pricing(reading, parts)) }),
    };
  }

  whatIf(blocksText: string | undefined): Price | undefined {
    if (!this.#last) {
      return undefined;
    }
    const { parts, kind } = this.#last;
    const index = parts.prefix.findLastIndex(message => contentsOf(message).texts[0]?.startsWith(OPENING));
    const blocks = parts.prefix[index];
    if (!blocks) {
      return undefined;
    }
    const instead = blocksText === undefined ? undefined : this.#format.userMessage(blocksText);
    const reading = this.#readingOf(kind);
    const pricing = this.#pricing(reading, parts);
    return whatIf(parts, index, instead, {
      ...pricing,
      tokensOf: value =>
        value === instead ? readAmount(this.#likely(instead, blocks), reading) : pricing.tokensOf(value),
    });
  }

  answered(requestSequence: number, usage: Usage | undefined): void {
    const measured = this.#unanswered.get(requestSequence);
    this.#unanswered.delete(requestSequence);
    if (measured && usage?.input !== undefined) {
      const provider = usage.input;
      const local = localTotal(this.#countsOf(measured.parts));
      if (this.#calibration.add(measured.kind, { provider, local })) {
        this.#sample = measured.parts;
      }
    }
  }

  problem(): string | undefined {
    const problem = this.#told ? undefined : this.#counter.problem;
    this.#told ||= problem !== undefined;
    return problem;
  }

  #countsOf({ system, tools = [], prefix, messages }: RequestParts): LocalCounts {
    return {
      system: system === undefined ? NOTHING : this.#counts.of(system),
      tools: this.#counts.sum(tools, 'tool'),
      prefix: this.#counts.sum(prefix),
      messages: this.#history.of(messages),
    };
  }

  #messageCounts(reading: Reading): MessageCounts {
    return {
      of: message => {
        const { tokens, exact } = this.#counts.of(message);
        return { tokens, origin: exact ? 'exact' : 'estimated' };
      },
      isSettled: message => this.#counts.isSettled(message),
      read: ({ tokens, origin }) => readAmount({ tokens, exact: origin === 'exact' }, reading),
    };
  }

  /** What was an estimate when it was answered may be a number by now. */
  #recount(): void {
    if (this.#sample) {
      this.#calibration.recount(localTotal(this.#countsOf(this.#sample)));
    }
  }

  /** A header is told by comparing it with the last one; a new one gets the next number. */
  #kindOf(parts: RequestParts): RequestKind {
    const last = this.#last?.parts;
    const isSame =
      last !== undefined &&
      same(last.config, parts.config) &&
      same(last.system, parts.system) &&
      same(last.tools, parts.tools) &&
      same(last.prefix, parts.prefix);
    return { model: modelOf(parts.config), header: `${this.#headers + (isSame ? 0 : 1)}` };
  }

  #readingOf(kind: RequestKind): Reading {
    return {
      ownVocabulary: readsO200k(kind.model),
      factor: this.#calibration.factor(kind.model).factor,
      anchor: this.#calibration.anchor(kind),
    };
  }

  #pricing(reading: Reading, { tools }: RequestParts) {
    const isTool = new Set<Json>(tools);
    return {
      tokensOf: (value: Json) => readAmount(this.#counts.of(value, isTool.has(value) ? 'tool' : 'message'), reading),
      ...(this.#factors && { factors: this.#factors }),
    };
  }

  /** A text that was never sent is not counted yet: it is as dense as the one that was, until it is. */
  #likely(instead: JsonObject, blocks: JsonObject): LocalCount {
    const count = this.#counts.of(instead);
    if (this.#counts.isSettled(instead)) {
      return count;
    }
    const density = this.#counts.of(blocks).tokens / bytesOf(blocks);
    return { tokens: Math.round(density * bytesOf(instead)), exact: false };
  }

  #remember(requestSequence: number, measured: Measured): void {
    this.#unanswered.set(requestSequence, measured);
    for (const oldest of this.#unanswered.keys()) {
      if (this.#unanswered.size <= REMEMBERED_REQUESTS) {
        break;
      }
      this.#unanswered.delete(oldest);
    }
  }
}

const NOTHING: LocalCount = { tokens: 0, exact: true };

function bytesOf(message: JsonObject): number {
  return Buffer.byteLength(contentsOf(message).texts.join(''));
}
