import type { LogWriter } from '../local/logWriter.ts';
import type { Tier1 } from '../protocol/budget/tier1.ts';
import { type UsageReport, usageReport } from '../protocol/budget/usageReport.ts';
import type { Asker, DiscardOutcome } from '../protocol/lifecycle/directives.ts';
import type { LifecycleSession } from '../protocol/lifecycle/lifecycleSession.ts';
import type { MessageFormat } from '../protocol/lifecycle/messageFormat.ts';
import type { Price } from '../protocol/log/sessionEvents.ts';
import type { SessionState } from '../protocol/log/sessionState.ts';
import type { ToAppend } from '../protocol/request/appended.ts';
import type { JsonObject } from '../protocol/request/json.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import { SessionPrefix } from '../protocol/request/sessionPrefix.ts';
import { endSession } from '../protocol/request/turns.ts';
import type { AppendedMessages } from './appendedMessages.ts';
import type { BudgetLayer } from './budget/budgetLayer.ts';
import type { Tier1Source } from './budget/firstTier.ts';
import type { ToPlan } from './budget/requestView.ts';
import { SessionBudget } from './budget/sessionBudget.ts';
import { crossCheck } from './crossCheck.ts';
import { endAnswer } from './endAnswer.ts';
import { injectMessage } from './injectMessage.ts';
import { loadedSource } from './loadedSource.ts';
import { plausibleUsage } from './plausibleUsage.ts';
import { receiptEvent, sealedRequest } from './receiptEvent.ts';
import { bodyEvent, type LeavingBody } from './requestBody.ts';
import type { RequestBuilder } from './requestBuilder.ts';
import { SessionClosedError } from './requestErrors.ts';
import type { RequestMeter } from './requestMeter.ts';
import type { SessionLog } from './sessionLog.ts';
import type {
  BeginInput,
  BegunRequest,
  DirectiveOutcome,
  Ended,
  PrefixContributor,
  RebaseOutcome,
  Receipt,
  RequestInput,
  Sealed,
  Session,
  Source,
  Tier1Outcome,
} from './sessionTypes.ts';

/** The parts of a session; `openSession` puts them together. */
export interface SessionParts {
  readonly id: string;
  readonly writer: LogWriter;
  readonly log: SessionLog;
  readonly lifecycle: LifecycleSession;
  readonly builder: RequestBuilder;
  readonly meter: RequestMeter;
  /** Absent where the budget layer is off. */
  readonly budget: BudgetLayer | undefined;
  readonly format: MessageFormat;
  readonly hashes: boolean;
  readonly crossCheck: boolean;
  readonly appended: AppendedMessages;
  readonly notices: readonly string[];
}

/** An agent's session: what it is told goes through seed 1's session into the log, and its requests come out of both. */
export class AgentSession implements Session {
  readonly id: string;
  readonly logFile: string;
  readonly notices: readonly string[];
  readonly budget: SessionBudget;
  readonly #parts: SessionParts;
  readonly #prefix = new SessionPrefix<AbortSignal>();
  /** Requests are built one after another. */
  #queue: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  /** Runs last when the session is closed. */
  onClose: (reason: string | undefined) => Promise<void> = async () => {};

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.logFile = parts.writer.path;
    this.notices = parts.notices;
    this.budget = new SessionBudget(parts.budget, work => this.#logged(work));
  }

  get state(): SessionState {
    return this.#parts.log.state;
  }

  loadSource(source: Source): readonly DirectiveOutcome[] {
    const { lifecycle, log } = this.#parts;
    return this.#logged(() => loadedSource(lifecycle, log, source));
  }

  control(source: Source): readonly DirectiveOutcome[] {
    return this.#logged(() => this.#parts.lifecycle.control(source));
  }

  /** A discard without a document: a watcher's, or a person's. */
  discard(blockId: string, asker: Asker): DiscardOutcome {
    return this.#logged(() => this.#parts.lifecycle.discard(blockId, asker));
  }

  contributePrefix(contributor: PrefixContributor): void {
    this.#prefix.contribute(contributor);
  }

  inject(message: JsonObject, source: string, channel: NonNullable<ToAppend['channel']> = 'inject'): void {
    // What could not be logged is shown in no view.
    this.#parts.appended.add(this.#logged(() => injectMessage(this.#parts, message, source, channel)));
  }

  /** Texts of all blocks that a context file has activated, discarded ones too, with their tags; without those that nobody knows any more. */
  blockTextsOf(source: string): readonly string[] {
    const { lifecycle, log } = this.#parts;
    return [...log.state.lifecycle.blocks.values()].flatMap(({ id, activated }) =>
      activated.source === source && activated.class === 'context-file' ? (lifecycle.blockText(id) ?? []) : [],
    );
  }

  withoutDefinitions(text: string): string {
    return this.#parts.lifecycle.withoutDefinitions(text);
  }

  buildRequest(input: RequestInput): Promise<Sealed> {
    // What the host adds to its list from now on belongs to its next request.
    const snapshot = { ...input, messages: [...input.messages] };
    return this.#queued(() => this.#build(snapshot));
  }

  beginRequest(input: BeginInput): Promise<BegunRequest> {
    const snapshot = { ...input, messages: [...input.messages] };
    return this.#queued(() => this.#begin(snapshot));
  }

  response(requestSequence: number, ended: Ended): void {
    this.#logged(() => endAnswer(this.#parts, requestSequence, ended));
    this.#parts.meter.answered(requestSequence, plausibleUsage(ended.usage));
  }

  receipt(requestSequence: number, seen: string | Receipt): void {
    const { log } = this.#parts;
    const event = receiptEvent(log.state, requestSequence, seen);
    this.#logged(() => log.append(event));
  }

  /** Logs something that a person should know, of a source where it is about one. */
  problem(code: string, sentence: string, source?: string): void {
    const data = { code, sentence, ...(source !== undefined && { source }) };
    this.#logged(() => this.#parts.log.append({ type: 'session/problem', data }));
  }

  /**
   * A gateway's record of the body that carries a sealed request; it is in the file when this returns, so that nothing leaves
   * before. Receipts of the request are compared with it from then on. Throws `RangeError` for a request that was not sealed, or
   * has a body already.
   */
  logBody(requestSequence: number, body: LeavingBody): void {
    const { log, hashes } = this.#parts;
    const request = sealedRequest(log.state, requestSequence);
    if (!request || request.body) {
      throw new RangeError(`There is no request ${requestSequence} in this session that waits for its body.`);
    }
    this.#logged(() => log.append(bodyEvent(requestSequence, body, hashes ? undefined : log.history.bodyPieces)));
  }

  setTier1(tier1: Tier1, asker: Tier1Source): boolean {
    return this.budget.setTier1(tier1, asker);
  }

  updateTier1(id: string, value: string | undefined, asker: Tier1Source): Tier1Outcome {
    return this.budget.updateTier1(id, value, asker);
  }

  rebasePrefix(asker: Tier1Source): RebaseOutcome {
    return this.budget.rebasePrefix(asker);
  }

  unloadDocument(document: string, actor: string): boolean {
    return this.budget.unloadDocument(document, actor);
  }

  usageReport(): UsageReport | undefined {
    return usageReport(this.state);
  }

  whatIf(blockId: string): Price | undefined {
    const { lifecycle, log, meter } = this.#parts;
    const block = log.state.lifecycle.blocks.get(blockId);
    return block?.status === 'active' ? meter.whatIf(lifecycle.blocksTextWithout(blockId)) : undefined;
  }

  onEvent(listener: (event: LogEvent) => void): () => void {
    return this.#parts.log.onEvent(listener);
  }

  close(reason?: string): Promise<void> {
    // Not at once: a listener that is told of the end may close once more.
    this.#closing ??= Promise.resolve().then(() => this.#close(reason));
    return this.#closing;
  }

  async #build(input: RequestInput): Promise<Sealed> {
    const prefix = await this.#prepared(input, 'said');
    return this.#sealed(() => this.#parts.builder.build(input, prefix));
  }

  async #begin(input: BeginInput): Promise<BegunRequest> {
    const { builder, lifecycle, meter } = this.#parts;
    const { messages, config = {} } = input;
    const prefix = await this.#prepared({ ...input, config }, 'expected');
    const begun = this.#logged(() => builder.begin(input, prefix));
    const before = [...prefix, lifecycle.blocksText() ?? ''];
    const seal: BegunRequest['seal'] = async header => {
      this.#requireOpen();
      await meter.prepare({ ...header, messages }, () => before);
      return this.#sealed(() => builder.seal(begun, header));
    };
    const { messages: view, origins, hosts, requestSequence } = begun;
    return { messages: view, origins, hosts, requestSequence, seal: header => this.#queued(() => seal(header)) };
  }

  /** The host's prefix, when what is new has been counted and summaries were made where they are needed. */
  async #prepared(input: RequestInput, beside: ToPlan['beside']): Promise<readonly JsonObject[]> {
    const { builder, lifecycle, meter, budget } = this.#parts;
    const { signal } = input;
    this.#requireOpen();
    const prefix = await this.#prefix.compose(signal);
    await meter.prepare(input, () => [...prefix, lifecycle.blocksText() ?? '']);
    await budget?.askForSummaries(() => this.#logged(() => builder.toPlan(input, prefix, beside)), signal);
    signal?.throwIfAborted();
    return prefix;
  }

  #queued<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  #sealed(seal: () => Sealed): Sealed {
    const { log, meter, crossCheck: isChecked, hashes } = this.#parts;
    const sealed = this.#logged(() => {
      const sentence = meter.problem();
      if (sentence !== undefined) {
        log.append({ type: 'session/problem', data: { code: 'token-numbers', sentence } });
      }
      return seal();
    });
    if (isChecked) {
      crossCheck(log, sealed, hashes);
    }
    return sealed;
  }

  async #close(reason: string | undefined): Promise<void> {
    const { log, writer } = this.#parts;
    // Requests that are not sealed by now reject: nobody waits for a contributor that takes its time.
    try {
      for (const event of endSession(log.state)) {
        log.append(event);
      }
      log.append({ type: 'session/closed', data: reason === undefined ? {} : { reason } });
      log.commit();
    } finally {
      try {
        await this.onClose(reason);
      } finally {
        writer.close();
      }
    }
  }

  /** Does something that appends events, and brings them to disk also when it fails: what was audited has happened. */
  #logged<Result>(work: () => Result): Result {
    this.#requireOpen();
    this.#parts.log.requireEnd();
    try {
      return work();
    } finally {
      this.#parts.log.commit();
    }
  }

  #requireOpen(): void {
    if (this.#closing) {
      throw new SessionClosedError();
    }
  }
}
