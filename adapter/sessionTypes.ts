import type { MessageFormat } from '../protocol/lifecycle/messageFormat.ts';
import type { Policy, SourceClass } from '../protocol/lifecycle/policy.ts';
import type { EventData, Outcome, Price, Usage } from '../protocol/log/sessionEvents.ts';
import type { SessionState } from '../protocol/log/sessionState.ts';
import type { Json, JsonObject } from '../protocol/request/json.ts';
import type { LogEvent } from '../protocol/request/logEvent.ts';
import type { TokenCounter } from './tokens/tokenCounter.ts';

/** What a person's config.json may say about sessions; each member has a default. */
export interface SessionConfig {
  /** `hashes` stores no content. */
  readonly content?: 'full' | 'hashes';
  /** Rebuild each sealed request from the log and compare. */
  readonly crossCheck?: boolean;
  /** Announce the session, so that an editor can watch it. */
  readonly announce?: boolean;
  readonly countTokens?: boolean;
  readonly retentionDays?: number;
  readonly retentionBytes?: number;
}

export interface SessionOptions {
  /** `pi`, `ai-sdk` …: part of the session's identity. */
  readonly agent: string;
  readonly agentVersion?: string;
  /** The host's id: the same one goes on with the same log. Absent: a new session. */
  readonly sessionId?: string;
  /** The host's session that this one branched off from; its log is copied when this one has none yet. */
  readonly forkedFrom?: string;
  readonly cwd?: string;
  /** Where logs, announcements and config.json lie together; absent: the user's own folders (local/folders.ts). */
  readonly folder?: string;
  readonly policy?: Policy;
  readonly format?: MessageFormat;
  readonly config?: SessionConfig;
  readonly hostSession?: string;
  readonly transcript?: string;
  /** The host has a history before this session: without a log of it, earlier discards are unknown. */
  readonly hasHistory?: boolean;
  /** Unix milliseconds; tests give their own. */
  readonly now?: () => number;
  readonly counter?: TokenCounter;
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

export interface RequestInput {
  /** The host's messages, in the form that `format` reads. They are never changed, and may be fresh copies each time. */
  readonly messages: readonly JsonObject[];
  readonly system?: Json;
  readonly tools?: readonly Json[];
  readonly config: JsonObject;
  readonly signal?: AbortSignal;
}

/** A request that is in the log. Everything in it is deep-frozen. */
export interface Sealed {
  /** The prefix (with the blocks' message last), then the view. */
  readonly messages: readonly JsonObject[];
  /** For each message its place in `RequestInput.messages` where it is that very message, unchanged; else undefined. */
  readonly origins: readonly (number | undefined)[];
  readonly system?: Json;
  readonly tools?: readonly Json[];
  readonly config: JsonObject;
  /** From 1. */
  readonly requestSequence: number;
  /** SHA-256 of the sealed text, in hex. */
  readonly hash: string;
}

/** Gives messages that stand before the history in every request of this instance. */
export type PrefixContributor = (
  seed: readonly JsonObject[],
  signal: AbortSignal | undefined,
) => Promise<readonly JsonObject[]> | readonly JsonObject[];

/** What was seen to leave. */
export type Receipt = Omit<EventData<'request/receipt'>, 'requestSequence'>;

/** How the answer to a request ended. */
export interface Ended {
  readonly outcome: Outcome;
  readonly usage?: Usage;
  /** An answer that calls no tool ends its turn; absent where only the next request will tell. */
  readonly callsTools?: boolean;
}

export interface Session {
  readonly id: string;
  /** Where the log lies. */
  readonly logFile: string;
  readonly state: SessionState;
  /** Sentences for a person, of everything that happened before the caller could listen. */
  readonly notices: readonly string[];
  loadSource(source: Source): readonly DirectiveOutcome[];
  /** Executes the discards of a text, as far as the policy lets its source. */
  control(source: Source): readonly DirectiveOutcome[];
  /** Only before the first request; throws after it. */
  contributePrefix(contributor: PrefixContributor): void;
  /**
   * Appends a message that is none of the host's, in the host's form; it keeps its place in all later views. `inject`: behind
   * what the last request showed and the answer to it. `tool-context`: behind the results of the tools that run now.
   * `prompt-context`: behind the prompt that the next request brings.
   */
  inject(message: JsonObject, source: string, channel?: 'inject' | 'tool-context' | 'prompt-context'): void;
  /** Takes the block definitions that this session knows out of a host's own copy of a source's text. */
  withoutDefinitions(text: string): string;
  /** Rejects, with nothing sealed, when the view cannot be built, logged or paired: the caller sends nothing. */
  buildRequest(input: RequestInput): Promise<Sealed>;
  response(requestSequence: number, ended: Ended): void;
  /** A hash is compared with the sealed one; an agent that sees only parts reports what it found. */
  receipt(requestSequence: number, seen: string | Receipt): void;
  /** What discarding a block would cost; absent for a block that is not active. */
  whatIf(blockId: string): Price | undefined;
  /** Called for every event after it is in the log; gives the function that ends it. */
  onEvent(listener: (event: LogEvent) => void): () => void;
  close(reason?: string): Promise<void>;
}
