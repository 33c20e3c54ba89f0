import type { BudgetSettings } from '../local/budgetSettings.ts';
import type { Tier1 } from '../protocol/budget/tier1.ts';
import type { UsageReport } from '../protocol/budget/usageReport.ts';
import type { MessageFormat } from '../protocol/lifecycle/messageFormat.ts';
import type { Policy, SourceClass } from '../protocol/lifecycle/policy.ts';
import type { EventData, Outcome, Price, Usage } from '../protocol/log/sessionEvents.ts';
import type { SessionState } from '../protocol/log/sessionState.ts';
import type { Json, JsonObject } from '../protocol/request/json.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import type { Tier1Source } from './budget/firstTier.ts';
import type { GivenDocument } from './budget/givenDocuments.ts';
import type { GivenLimits } from './budget/sessionLimits.ts';
import type { SummaryMaker } from './budget/summarizers/summaryMaker.ts';
import type { TokenCounter } from './tokens/tokenCounter.ts';

/** What a program sets for its sessions in place of what the person's config.json says. */
export interface SessionConfig {
  /** `hashes` stores no content. Default: `full`. */
  readonly content?: 'full' | 'hashes';
  /** Rebuild each sealed request from the log and compare, before it is given out. Default: false. */
  readonly crossCheck?: boolean;
  /** Announce the session, so that an editor can watch it. Default: true. */
  readonly announce?: boolean;
  /** Say sizes and prices of requests. Default: true. */
  readonly countTokens?: boolean;
  /** Logs that were not written for so many days are removed. Default: 30. */
  readonly retentionDays?: number;
  /** Then the oldest, until all logs together are no larger. Default: 2 GB. */
  readonly retentionBytes?: number;
  /** The budget layer (seed 3), in place of all that config.json says of it; what is absent has its default, which is off. */
  readonly budget?: Partial<BudgetSettings>;
}

export interface SessionOptions {
  /** `pi`, `ai-sdk` …: part of the session's identity. */
  readonly agent: string;
  readonly agentVersion?: string;
  /** The host's id: the same one goes on with the same log. Absent: a new session. */
  readonly sessionId?: string;
  /** The host's session that this one branched off from; its log is copied when this one has none yet. */
  readonly forkedFrom?: string;
  /** The host's session whose sub-agent this one is; nothing of its log is copied. */
  readonly parent?: string;
  /** The agent's working folder, a whole path: by it a session is found. */
  readonly cwd?: string;
  /** Where logs, announcements and config.json lie together; absent: the user's own folders (local/folders.ts). */
  readonly folder?: string;
  /** What each source may do; absent: what config.json says, else `DEFAULT_POLICY`. */
  readonly policy?: Policy;
  /** How the host's messages are read; absent: `seedTwoFormat`. */
  readonly format?: MessageFormat;
  /** Member by member in place of what config.json says. */
  readonly config?: SessionConfig;
  /** The host's own name for its session, a label; absent: `sessionId`. */
  readonly hostSession?: string;
  /** Where the host keeps its own transcript: a label that watchers see. */
  readonly transcript?: string;
  /** The host has a history before this session: without a log of it, earlier discards are unknown. */
  readonly hasHistory?: boolean;
  /** `response` is called for each request, so that one without it still runs, perhaps beside others. Default: false. */
  readonly reportsEnds?: boolean;
  /** Unix milliseconds; tests give their own. */
  readonly now?: () => number;
  /** Counts tokens in place of the one that all sessions of a process share. The session does not close it. */
  readonly counter?: TokenCounter;
  /** Stops the agent, with a sentence that says why, where the budget layer finds that a request does not hold what was set. */
  readonly pause?: (why: string) => void;
  /** Makes the budget layer's summaries in place of the program in config.json. It is given texts of the session. */
  readonly summaries?: SummaryMaker;
  /** A handoff file's text, from which a new session goes on; needs the budget layer. */
  readonly handoff?: string;
}

export interface Source {
  /** A file's path, or another name that stays the same. */
  readonly source: string;
  readonly class: SourceClass;
  readonly text: string;
}

/** What one directive or definition came to. */
export interface DirectiveOutcome {
  readonly blockId: string;
  readonly outcome: 'activated' | 'conflict' | 'discarded' | 'repeated' | 'unknown' | 'denied';
}

/** What stands beside the messages of a request. */
export interface RequestHeader {
  readonly system?: Json;
  readonly tools?: readonly Json[];
  readonly config: JsonObject;
}

export interface RequestInput extends RequestHeader {
  /** The host's messages, in the form that `format` reads. They are never changed, and may be fresh copies each time. */
  readonly messages: readonly JsonObject[];
  readonly signal?: AbortSignal;
  /** What the agent knows of its model's window, for the budget layer. */
  readonly limits?: GivenLimits;
  /** Documents that `messages` hold and that can be loaded again: they count in tier 2 of the budget layer. */
  readonly documents?: readonly GivenDocument[];
  /** Places in `messages` that count in tier 1, and stay. */
  readonly pinned?: readonly number[];
}

/** A request that is in the log. Everything in it is deep-frozen. */
export interface Sealed {
  /** The prefix (with the blocks' message last), then the view. */
  readonly messages: readonly JsonObject[];
  /** For each message its place in `RequestInput.messages` where it is that very message, unchanged; else undefined. */
  readonly origins: readonly (number | undefined)[];
  /** For each message the place of the host's message that it stands for, changed or not; undefined for what is none of the host's. */
  readonly hosts: readonly (number | undefined)[];
  readonly system?: Json;
  readonly tools?: readonly Json[];
  readonly config: JsonObject;
  /** From 1. */
  readonly requestSequence: number;
  /** SHA-256 of the sealed text, in hex. */
  readonly hash: string;
}

/** What a host can say of a request before it says what stands beside its messages. */
export interface BeginInput extends Omit<RequestInput, keyof RequestHeader> {
  /** Members of the config that are known by now: the budget layer plans by the model in it. All else is as it was last. */
  readonly config?: JsonObject;
}

/** The messages of a request whose host says only later what stands beside them. */
export interface BegunRequest extends Pick<Sealed, 'messages' | 'origins' | 'hosts' | 'requestSequence'> {
  /**
   * Puts the request into the log. Rejects as `buildRequest` does, and with `GivenUpRequestError` when another request was begun
   * or built since: the caller sends nothing then.
   */
  seal(header: RequestHeader & Pick<RequestInput, 'limits'>): Promise<Sealed>;
}

/** Gives messages that stand before the history in every request of this instance. */
export type PrefixContributor = (
  seed: readonly JsonObject[],
  signal: AbortSignal | undefined,
) => Promise<readonly JsonObject[]> | readonly JsonObject[];

/** What was seen to leave. */
export type Receipt = Omit<EventData<'request/receipt'>, 'requestSequence'>;

/** What became of a change of the first tier; `off`: the session has no budget layer. */
export type Tier1Outcome = 'updated' | 'unchanged' | 'denied' | 'off';
export type RebaseOutcome = 'rebased' | 'unchanged' | 'denied' | 'off';

/** How the answer to a request ended. */
export interface Ended {
  readonly outcome: Outcome;
  readonly usage?: Usage;
  /** An answer that calls no tool ends its turn; absent where only the next request will tell. */
  readonly callsTools?: boolean;
  /** Of a failed answer: what the provider said. One that refuses a request for its length teaches the budget layer a limit. */
  readonly error?: string;
}

/**
 * A session beside its log. What logs something throws `LogWriteError` when it could not be written, and `SessionClosedError`
 * after `close`.
 */
export interface Session {
  /** By which commands and watchers know it: the host's id, with `~2` and so on where the session goes on in a copy. */
  readonly id: string;
  /** Where the log lies. */
  readonly logFile: string;
  /** After everything so far; each event makes another one. */
  readonly state: SessionState;
  /** Sentences for a person, of everything that happened before the caller could listen. */
  readonly notices: readonly string[];
  /**
   * Activates the definitions of a source, as far as the policy lets it define: what came of each. Nothing for a source that is
   * loaded already and unchanged; one that changed leaves its blocks as they are.
   */
  loadSource(source: Source): readonly DirectiveOutcome[];
  /** Executes the discards of a text, as far as the policy lets its source. */
  control(source: Source): readonly DirectiveOutcome[];
  /** Only before the first request; throws `PrefixError` after it. */
  contributePrefix(contributor: PrefixContributor): void;
  /**
   * Appends a message that is none of the host's, in the host's form; it keeps its place in all later views. `inject`: behind
   * what the last request showed and the answer to it. `tool-context`: behind the results of the tools that run now.
   * `prompt-context`: behind the prompt that the next request brings.
   */
  inject(message: JsonObject, source: string, channel?: 'inject' | 'tool-context' | 'prompt-context'): void;
  /** Takes the block definitions that this session knows out of a host's own copy of a source's text. */
  withoutDefinitions(text: string): string;
  /**
   * The next request, after those that were asked for before. When it rejects, the caller sends nothing: the messages cannot be
   * read (`UnreadableMessageError`), their calls and results do not pair (`PairingError`), a block's text is not known
   * (`MissingBlockTextError`), the prefix failed (`PrefixError`, `PrefixInterruptedError`), nothing could be logged, the log
   * gives another text (`CrossCheckError`), or the signal was aborted.
   */
  buildRequest(input: RequestInput): Promise<Sealed>;
  /**
   * `buildRequest` in two steps, for a host that must have the messages before it says what stands beside them. What happens
   * between them belongs to the next request. One that is never sealed was not sent.
   */
  beginRequest(input: BeginInput): Promise<BegunRequest>;
  /**
   * The answer to a request is over; only a completed one consumes. Nothing happens where it was over before. Throws
   * `UnloggableEventError` for an outcome that is none.
   */
  response(requestSequence: number, ended: Ended): void;
  /**
   * What left. A hash is compared with that of the body where the log has one, else with the sealed one; an agent that sees only
   * parts reports what it found. Throws `RangeError` for a request that was not sealed.
   */
  receipt(requestSequence: number, seen: string | Receipt): void;
  /**
   * Sets the first tier of the budget layer (seed 3): what always holds. Before the first request it stands in the prefix; later
   * the lines that differ are told by a message. Only a user, the host's workflow and an editor may: false for others, and
   * where the layer is off. Throws `UnloggableEventError` for what is no first tier: two constraints of one ID, IDs that name
   * other lines, more than 1,000 constraints. An empty text says nothing.
   */
  setTier1(tier1: Tier1, asker: Tier1Source): boolean;
  /** Changes one line of it: a constraint by its ID, or `objective`, `identity`, `outputFormat`; without a value it is taken out. */
  updateTier1(id: string, value: string | undefined, asker: Tier1Source): Tier1Outcome;
  /** Writes those changes into the prefix with the next request, which costs the provider's cache once. */
  rebasePrefix(asker: Tier1Source): RebaseOutcome;
  /** A document of `RequestInput.documents` leaves the view with the next request, where it may. False where the layer is off. */
  unloadDocument(document: string, actor: string): boolean;
  /** Seed 3's report of the last request; absent where the layer measured none. */
  usageReport(): UsageReport | undefined;
  /** What discarding a block would cost; absent for a block that is not active. */
  whatIf(blockId: string): Price | undefined;
  /** Called for every event after it is in the log; gives the function that ends it. */
  onEvent(listener: (event: LogEvent) => void): () => void;
  /** Ends what is open, tells watchers the reason, and lets go of the log. The first call counts. */
  close(reason?: string): Promise<void>;
}
