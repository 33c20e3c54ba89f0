import type { LifecycleSession } from '../protocol/lifecycle/lifecycleSession.ts';
import type { MessageFormat } from '../protocol/lifecycle/messageFormat.ts';
import { hashedHeader, hashedMessage } from '../protocol/log/hashedContent.ts';
import type { PlacedEntry } from '../protocol/request/appended.ts';
import { BlocksMessage, withBlocks } from '../protocol/request/blocksMessage.ts';
import { frozenCopy } from '../protocol/request/frozenCopy.ts';
import type { StartSha256 } from '../protocol/request/hashing.ts';
import type { RawRequestHeader } from '../protocol/request/header.ts';
import type { JsonObject } from '../protocol/request/json.ts';
import { PairingCheck } from '../protocol/request/pairing.ts';
import { headerChange } from '../protocol/request/recordHeader.ts';
import { Sealer } from '../protocol/request/sealer.ts';
import { surfaceEdits } from '../protocol/request/surfaceEdits.ts';
import { endStep, startStep } from '../protocol/request/turns.ts';
import type { AppendedMessages } from './appendedMessages.ts';
import type { BudgetLayer, PlannedRequest } from './budget/budgetLayer.ts';
import type { ToPlan } from './budget/requestView.ts';
import type { GivenLimits } from './budget/sessionLimits.ts';
import { sha256 } from './hashing.ts';
import { HeaderInput, type HeaderParts } from './headerInput.ts';
import type { NewUnits } from './newUnits.ts';
import { changesOf, type HeaderStep } from './requestChanges.ts';
import { GivenUpRequestError, PairingError } from './requestErrors.ts';
import type { RequestMeter } from './requestMeter.ts';
import type { SessionLog } from './sessionLog.ts';
import type { BeginInput, BegunRequest, RequestInput, Sealed } from './sessionTypes.ts';

export interface RequestBuilderOptions {
  readonly log: SessionLog;
  readonly lifecycle: LifecycleSession;
  readonly format: MessageFormat;
  /** Whether the log gets hashes in place of content. */
  readonly hashes: boolean;
  /** Each end of an answer is reported. */
  readonly reportsEnds: boolean;
  readonly units: NewUnits;
  readonly appended: AppendedMessages;
  readonly meter: RequestMeter;
  /** Absent where the budget layer is off. */
  readonly budget?: BudgetLayer | undefined;
  /** Begins the hash of a sealed text. */
  readonly startHash: StartSha256;
}

/** A request whose step has started, and which is not sealed yet. */
export interface BegunStep extends Omit<BegunRequest, 'seal'> {
  readonly entries: readonly PlacedEntry[];
  /** Absent where the budget layer is off. */
  readonly planned: PlannedRequest | undefined;
  readonly messagePrefix: readonly JsonObject[];
  /** Where the step of the request before starts. */
  readonly lastStep: number | undefined;
  readonly stepStart: number;
}

/** Builds requests, one after another: DESIGN flow 2, L1 and L3 to L4. */
export class RequestBuilder {
  readonly #options: RequestBuilderOptions;
  readonly #header = new HeaderInput();
  readonly #blocks: BlocksMessage;
  readonly #pairing: PairingCheck;
  /** Of views as edits leave them. */
  readonly #editedPairing: PairingCheck;
  readonly #sealer: Sealer;
  readonly #hashed = new WeakMap<JsonObject, JsonObject>();
  /** Messages with the list before and after them that the last request had; a list that stays is the same list. */
  #prefix: readonly JsonObject[] = [];
  #loggedHeader = false;
  /** Waits for its seal. */
  #begun: BegunStep | undefined;

  constructor(options: RequestBuilderOptions) {
    this.#options = options;
    this.#sealer = new Sealer(options.startHash);
    this.#pairing = new PairingCheck(options.format.manyResults);
    this.#editedPairing = new PairingCheck(options.format.manyResults);
    this.#blocks = new BlocksMessage(text => options.format.userMessage(text));
  }

  /**
   * The next request, in the log but not on disk yet. All of it happens at once: what arrives meanwhile belongs to the next
   * request (request-log 2.7). Throws, with nothing sealed, when messages cannot be read, tool calls do not pair or a block's
   * text is not known.
   */
  build(input: RequestInput, prefix: readonly JsonObject[]): Sealed {
    const parts = this.#header.take(input);
    return this.#seal(this.#begin(input, prefix, parts, 'said'), parts);
  }

  /** What the budget layer would plan the request with. Throws as `build` does. */
  toPlan(
    { messages, limits, documents, pinned, ...header }: RequestInput,
    prefix: readonly JsonObject[],
    beside: ToPlan['beside'],
  ): ToPlan {
    const { lifecycle, appended, log } = this.#options;
    return {
      entries: appended.place(lifecycle.view(messages), log.history.order),
      header: beside === 'said' ? this.#header.take(header) : this.#header.expected(header.config),
      beside,
      prefix,
      wholePrefix: this.#composed(prefix),
      limits,
      documents,
      pinned,
    };
  }

  /** The messages of the next request, for a host that says only later what stands beside them; throws as `build` does. */
  begin(input: BeginInput, prefix: readonly JsonObject[]): BegunStep {
    return this.#begin(input, prefix, this.#header.expected(input.config), 'expected');
  }

  /** Seals what was begun last, in the log but not on disk yet. Throws `GivenUpRequestError` for any other. */
  seal(begun: BegunStep, { limits, ...header }: Parameters<BegunRequest['seal']>[0]): Sealed {
    if (begun !== this.#begun) {
      throw new GivenUpRequestError();
    }
    return this.#seal(begun, this.#header.take(header), limits);
  }

  #begin(
    { messages: given, limits, documents, pinned }: BeginInput,
    prefix: readonly JsonObject[],
    header: HeaderParts,
    beside: ToPlan['beside'],
  ): BegunStep {
    const { log, lifecycle, units, appended, budget, reportsEnds: runsOn } = this.#options;
    if (this.#begun) {
      const { requestSequence: givenUp } = this.#begun;
      this.#begun = undefined;
      endStep(log.state, { requestSequence: givenUp, outcome: 'aborted' }).forEach(event => log.append(event));
    }
    const placed = appended.place(lifecycle.view(given), log.history.order);
    // Before anything is planned: what cannot be sent must leave no edit.
    requirePairs(this.#pairing, placed);
    const wholePrefix = this.#composed(prefix);
    const planned = budget?.plan({ entries: placed, header, beside, prefix, wholePrefix, limits, documents, pinned });
    const { entries } = planned ?? { entries: placed };
    if (entries !== placed) {
      requirePairs(this.#editedPairing, entries);
    }
    const messagePrefix = this.#samePrefix(this.#composed(prefix));
    const requestSequence = log.state.requests.length + 1;
    const lastStep = log.state.requests.get(requestSequence - 2)?.sealed.stepStart;
    const starts = startStep(log.state, { requestSequence, runsOn, ...units.take(placed) });
    starts.slice(0, -1).forEach(event => log.append(event));
    for (const edit of surfaceEdits(log.history.surface, this.#logged(entries), budget?.editedKeys())) {
      log.append(edit);
    }
    const stepStart = log.nextSeq;
    starts.slice(-1).forEach(event => log.append(event));
    const shown = [...messagePrefix.map(() => undefined), ...entries];
    this.#begun = {
      entries: placed,
      planned,
      messagePrefix,
      requestSequence,
      lastStep,
      stepStart,
      messages: Object.freeze([...messagePrefix, ...entries.map(({ message }) => message)]),
      origins: Object.freeze(shown.map(entry => (entry?.changed ? undefined : entry?.host))),
      hosts: Object.freeze(shown.map(entry => entry?.host)),
    };
    return this.#begun;
  }

  #seal(begun: BegunStep, parts: HeaderParts, limits?: GivenLimits): Sealed {
    const { log, meter, appended, budget } = this.#options;
    const { entries, planned, messagePrefix, requestSequence, lastStep, stepStart, messages, origins, hosts } = begun;
    const headerStep = this.#recordHeader({ ...parts, messagePrefix });
    this.#header.keep(parts);
    const { hash, bytes } = this.#sealer.seal({ ...parts, messages });
    const measures = meter.measure({ ...parts, requestSequence, messages, prefixLength: messagePrefix.length });
    if (planned) {
      budget?.seal(limits ? { ...planned, given: limits } : planned, parts, measures.sizes);
    }
    log.append({
      type: 'request/sealed',
      data: {
        requestSequence,
        stepStart,
        hash,
        bytes,
        messages: messages.length,
        prefixMessages: messagePrefix.length,
        ...measures,
        changes: lastStep === undefined ? [] : changesOf(log.eventsFrom(lastStep + 1), lastStep, headerStep),
      },
    });
    appended.sealed(entries);
    // One that is refused up to here ends with the next request, as one that is given up does.
    this.#begun = undefined;
    return Object.freeze({ messages, origins, hosts, ...parts, requestSequence, hash });
  }

  /** What stands before the history: the host's prefix, the first tier, the blocks. */
  #composed(prefix: readonly JsonObject[]): readonly JsonObject[] {
    const { budget, lifecycle } = this.#options;
    const tier1 = budget?.firstTier.message;
    return withBlocks(tier1 ? [...prefix, tier1] : prefix, this.#blocks.of(lifecycle.blocksText()));
  }

  /** What the log gets in place of a view's messages. */
  #logged(entries: readonly PlacedEntry[]): readonly PlacedEntry[] {
    return this.#options.hashes
      ? entries.map(entry => ({ ...entry, message: this.#hashedMessage(entry.message) }))
      : entries;
  }

  #hashedMessage(message: JsonObject): JsonObject {
    const known = this.#hashed.get(message) ?? frozenCopy(hashedMessage(message, sha256));
    this.#hashed.set(message, known);
    return known;
  }

  /** The same list as before while it holds the same messages, so that a seal goes on from where it ends. */
  #samePrefix(prefix: readonly JsonObject[]): readonly JsonObject[] {
    const before = this.#prefix;
    if (before.length !== prefix.length || before.some((message, index) => message !== prefix[index])) {
      this.#prefix = prefix;
    }
    return this.#prefix;
  }

  #recordHeader(header: RawRequestHeader): HeaderStep | undefined {
    const { log, hashes } = this.#options;
    const before = log.history.header;
    const after = hashes ? hashedHeader(header, sha256) : header;
    const change = headerChange(before, { loggedHeader: this.#loggedHeader }, after);
    const event = change && log.append(change);
    this.#loggedHeader = true;
    return before && event && { before, after, event };
  }
}

/** Throws `PairingError`. */
function requirePairs(pairing: PairingCheck, entries: readonly PlacedEntry[]): void {
  const fault = pairing.fault(entries);
  if (fault) {
    throw new PairingError(fault);
  }
}
