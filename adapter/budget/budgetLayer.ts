import type { BudgetSettings } from '../../local/budgetSettings.ts';
import { applyEdits, editsInForce } from '../../protocol/budget/applyEdits.ts';
import { unloadAsked } from '../../protocol/budget/askedUnload.ts';
import { BudgetContents } from '../../protocol/budget/budgetContents.ts';
import type { BudgetEvent, Measured } from '../../protocol/budget/budgetEvents.ts';
import type { BudgetConfig, BudgetView } from '../../protocol/budget/budgetView.ts';
import type { BudgetFold } from '../../protocol/budget/classification.ts';
import { compressionRequest } from '../../protocol/budget/compression.ts';
import { type EditedEntry, editNumber } from '../../protocol/budget/editedEntry.ts';
import { measuredEvents } from '../../protocol/budget/gate.ts';
import type { Resumed } from '../../protocol/budget/handoff/resumeHandoff.ts';
import { type KnownLimits, limitsOf } from '../../protocol/budget/limits.ts';
import { PlanningMemo } from '../../protocol/budget/memo/planningMemo.ts';
import { type BudgetedRequest, budgetRequest } from '../../protocol/budget/plan.ts';
import { remeasured } from '../../protocol/budget/remeasured.ts';
import type { ModelSummaries } from '../../protocol/budget/summary/summarizer.ts';
import { type CompressionWhatIf, whatIfCompressed } from '../../protocol/budget/whatIfCompressed.ts';
import type { LifecycleSession } from '../../protocol/lifecycle/lifecycleSession.ts';
import type { MessageFormat } from '../../protocol/lifecycle/messageFormat.ts';
import type { ViewEntry } from '../../protocol/lifecycle/view.ts';
import type { Amount } from '../../protocol/log/amounts.ts';
import type { Sizes } from '../../protocol/log/sessionEvents.ts';
import { withoutContent } from '../../protocol/log/withoutContent.ts';
import { frozenCopy } from '../../protocol/request/frozenCopy.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { sha256 } from '../hashing.ts';
import type { HeaderParts } from '../headerInput.ts';
import type { PartCounts, RequestMeter } from '../requestMeter.ts';
import type { SessionLog } from '../sessionLog.ts';
import { besideTiers } from './besideTiers.ts';
import { BlockSizes } from './blockSizes.ts';
import { BudgetLimitError } from './budgetLimitError.ts';
import { FirstTier, type Tier1Source } from './firstTier.ts';
import { documentEvents } from './givenDocuments.ts';
import { refusedForLength } from './refusedForLength.ts';
import { requestView, type ToPlan } from './requestView.ts';
import { type GivenLimits, sessionLimits } from './sessionLimits.ts';
import { askGuarded } from './summarizers/askGuarded.ts';
import type { SummaryMaker } from './summarizers/summaryMaker.ts';
import { UnitStories } from './unitStories.ts';

export interface BudgetLayerOptions {
  readonly settings: BudgetSettings;
  readonly log: SessionLog;
  readonly lifecycle: LifecycleSession;
  readonly format: MessageFormat;
  readonly meter: RequestMeter;
  /** The log gets hashes in place of content. */
  readonly hashes: boolean;
  /** By which its limits are named. */
  readonly agent: string;
  /** Stops the agent, with a sentence that says why; absent where it cannot be stopped. */
  readonly pause?: ((why: string) => void) | undefined;
  /** Makes summaries; absent where they are taken from the texts themselves. */
  readonly summaries?: SummaryMaker | undefined;
  /** What the session goes on from. */
  readonly resumed?: Resumed | undefined;
}

/** A request with its edits, before its seal. */
export interface PlannedRequest {
  readonly entries: readonly EditedEntry[];
  readonly measured: Measured;
  /** By how many tokens its tiers may be more than they say. */
  readonly leeway: number;
  /** What the host puts before its history. */
  readonly prefix: Amount;
  /** What the agent knows of its model. */
  readonly given: GivenLimits | undefined;
  /** The layer has changed the prefix since, so that no provider has counted such a request; all else is as it was planned. */
  readonly rebased: boolean;
  /** By how much an estimate of it may be too low, as a factor; absent where nobody knows. */
  readonly headroom?: number;
}

/** Seed 3's layer of one session (DESIGN, L2): it plans, logs what it did, and shows each view as its edits leave it. */
export class BudgetLayer {
  readonly #options: BudgetLayerOptions;
  readonly #contents = new BudgetContents();
  readonly #stories = new UnitStories();
  readonly #memo = new PlanningMemo();
  readonly #blocks: BlockSizes;
  readonly firstTier: FirstTier;
  /** Events before it were remembered. */
  #next = 0;
  /** What a model has made for the next request. */
  #summaries: ModelSummaries | undefined;
  /** Documents that leave with the next request, and who asked for it. */
  #unloads: { readonly document: string; readonly actor: string }[] = [];
  #last: ToPlan | undefined;

  /** All events of the log so far are remembered. */
  constructor(options: BudgetLayerOptions) {
    const { log, format, lifecycle } = options;
    this.#options = options;
    this.#blocks = new BlockSizes(lifecycle, text => format.userMessage(text));
    this.firstTier = new FirstTier({
      log: event => this.record(event),
      contents: this.#contents,
      requestSequence: () => this.#nextRequest,
      isBegun: () => log.state.requests.length > 0,
      userMessage: text => format.userMessage(text),
    });
    this.#catchUp();
  }

  /** Logs an event of the layer. Its contents stay known here where the log keeps none. */
  record(event: BudgetEvent): void {
    const { log, hashes } = this.#options;
    this.#catchUp();
    // What stands for messages is shown in every view to come.
    const whole = frozenCopy<object>(event) as LogEvent;
    const logged = hashes ? withoutContent(whole, sha256) : whole;
    const { seq, time } = log.append(logged as unknown as BudgetEvent);
    this.#take({ ...whole, seq, time });
    this.#next = seq + 1;
  }

  /**
   * Asks for the summaries that the next request needs, where it needs any and somebody is there who makes them. Rejects only
   * where the signal is aborted, or the request cannot be read.
   */
  async askForSummaries(request: () => ToPlan, signal: AbortSignal | undefined): Promise<void> {
    const { summaries } = this.#options;
    if (summaries) {
      const { view, fold, config } = this.#viewOf(request());
      const parts = compressionRequest(view, fold, config);
      this.#summaries = parts.length > 0 ? await askGuarded(summaries, parts, signal) : undefined;
    }
  }

  /**
   * The request with its edits, which are in the log when this returns. Throws `BudgetLimitError` for one that must not be sent;
   * that is in the log too.
   */
  plan(request: ToPlan): PlannedRequest {
    const { documents = [], entries } = request;
    const { state } = this.#options.log;
    documentEvents(documents, entries, state.budget, this.#nextRequest).forEach(event => this.record(event));
    this.#unload(request);
    this.#last = request;
    const { view, fold, config } = this.#viewOf(request);
    this.#summaries = undefined;
    const isSaid = request.beside === 'said';
    const made = budgetRequest(view, fold, config, isSaid);
    made.events.forEach(event => this.record(event));
    const isEmergency = made.events.some(({ type, data }) => type === 'budget/pass' && data.kind === 'emergency');
    const rebased = isEmergency && this.firstTier.rebase(LAYER, 'emergency') === 'rebased';
    this.#pauseOn(made.events);
    if (made.gate === 'blocked' && isSaid) {
      this.#refuse(made);
    }
    return {
      entries: this.#shown(made, entries),
      measured: made.measured,
      leeway: made.leeway,
      prefix: view.host.prefix,
      given: request.limits,
      rebased,
      ...(config.headroom !== undefined && { headroom: config.headroom }),
    };
  }

  /**
   * Logs what the request takes, by its sizes at the seal where somebody counts them, and by the limits of the model that it is
   * sealed for. Throws `BudgetLimitError` where that is too much, which a host that says only now what stands beside its messages
   * may not know before.
   */
  seal(planned: PlannedRequest, header: HeaderParts, sizes: Sizes | undefined): void {
    const { leeway, given, headroom } = planned;
    const { host, unattributed, total } = planned.measured;
    const limits = limitsOf(this.#known(header, given), this.#options.log.state.budget.learned);
    const measured = { ...planned.measured, limits };
    const rows = sizes ? besideTiers(sizes, planned) : { host, unattributed, total };
    const config = { ...this.#options.settings, ...(headroom !== undefined && { headroom }) };
    const made = remeasured(measured, { ...rows, leeway }, config);
    if (made.measured.gate === 'blocked') {
      this.#refuse(made);
    }
    measuredEvents(made).forEach(event => this.record(event));
  }

  /** A document leaves the view with the next request, where it may. */
  unload(document: string, actor: string): void {
    this.#unloads.push({ document, actor });
  }

  /** What a compression of the last request would do, were it made with the next one; absent where it would change nothing. */
  whatIfCompressed(): CompressionWhatIf | undefined {
    if (!this.#last) {
      return undefined;
    }
    // What is thought of here must not be learned: it is in no log.
    const { view, fold, config } = this.#viewOf(this.#last, 'forgets');
    return whatIfCompressed(view, fold, config);
  }

  /** What a provider said when a request failed, which may be its limit. */
  failed(requestSequence: number, said: string): void {
    const event = refusedForLength(said, requestSequence, this.#options.log.state, this.#last?.header.config);
    if (event) {
      this.record(event);
    }
  }

  /** Tells whether the message with these keys is one of an edit, or was taken out by one; only those who ask pay for it. */
  editedKeys(): (keys: readonly string[]) => boolean {
    let taken: ReadonlySet<string> | undefined;
    return keys => {
      taken ??= new Set(editsInForce(this.#contents.edits).flatMap(({ units }) => units));
      return keys.every(key => taken?.has(key) || editNumber(key) !== undefined);
    };
  }

  get #nextRequest(): number {
    return this.#options.log.state.requests.length + 1;
  }

  #viewOf(
    request: ToPlan,
    learns: 'learns' | 'forgets' = 'learns',
  ): { readonly view: BudgetView; readonly fold: BudgetFold; readonly config: BudgetConfig } {
    this.#catchUp();
    const { log, meter } = this.#options;
    const counts = meter.counts({ ...request.header, prefix: request.wholePrefix });
    const view = requestView({
      ...this.#options,
      request,
      counts,
      state: log.state,
      contents: this.#contents,
      stories: this.#stories,
      blocks: this.#blocks,
      firstTier: this.firstTier,
      memo: learns === 'learns' ? this.#memo : undefined,
    });
    return { view, fold: log.state, config: this.#config(request, counts) };
  }

  #refuse(made: Pick<BudgetedRequest, 'measured' | 'reset'>): never {
    measuredEvents(made).forEach(event => this.record(event));
    const { reset } = made;
    throw new BudgetLimitError(made.measured, reset?.type === 'budget/reset-requested' ? reset.data : { largest: [] });
  }

  /** What was planned, of the objects that later views will show too. */
  #shown({ events, entries }: BudgetedRequest, before: readonly ViewEntry[]): readonly EditedEntry[] {
    return events.some(({ type }) => type === 'budget/edit')
      ? applyEdits(before, editsInForce(this.#contents.edits), this.#options.log.history.order)
      : entries;
  }

  #unload(request: ToPlan): void {
    const asked = this.#unloads;
    this.#unloads = [];
    for (const { document, actor } of asked) {
      const { view, fold, config } = this.#viewOf(request);
      unloadAsked(document, actor, view, fold, config).forEach(event => this.record(event));
    }
  }

  #pauseOn(events: readonly BudgetEvent[]): void {
    if (events.some(({ type, data }) => type === 'budget/drift' && data.response === 'paused')) {
      this.#options.pause?.('The request does not hold the task and the constraints as they were set.');
    }
  }

  #known({ config }: HeaderParts, given: GivenLimits | undefined): KnownLimits {
    return sessionLimits(config, this.#options.settings, this.#options.agent, given);
  }

  #config({ header, limits }: ToPlan, { headroom }: Pick<PartCounts, 'headroom'> = {}): BudgetConfig {
    const { tier1Blocks, minReclaim, overLimit, interactionUnit } = this.#options.settings;
    return {
      ...{ tier1Blocks, minReclaim, overLimit, interactionUnit },
      limits: this.#known(header, limits),
      ...(headroom !== undefined && { headroom }),
      ...(this.#summaries && { summaries: this.#summaries }),
    };
  }

  #catchUp(): void {
    const { log } = this.#options;
    for (const event of log.eventsFrom(this.#next)) {
      // What an instance before made came from a file.
      this.#take(event.type === 'budget/edit' ? { ...event, data: frozenCopy(event.data as JsonObject) } : event);
    }
    this.#next = log.nextSeq;
  }

  #take(event: LogEvent): void {
    this.#contents.remember(event);
    this.#stories.remember(event);
  }
}

/** Who writes the first tier anew where nobody asked for it. */
const LAYER: Tier1Source = { source: 'budget', class: 'host-workflow' };
