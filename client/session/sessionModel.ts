import type { Policy } from '../../protocol/lifecycle/policy.ts';
import type { LogHeader, Price } from '../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { Result } from '../../protocol/wire/messages.ts';

/** How a session is known to this window. */
export type SessionLink =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** It is tried again by itself; the last state is kept. `since` in Unix milliseconds. */
  | { readonly kind: 'lost'; readonly sentence: string; readonly since: number }
  /** Over, or refused; the last state is kept. */
  | { readonly kind: 'ended'; readonly sentence: string; readonly since: number }
  /** Read from a log, whoever writes it: nothing in it changes any more. */
  | { readonly kind: 'past' };

/** The exact text of one sealed request. */
export interface RequestText {
  readonly text: string;
  readonly hash: string;
  /** `hashes`: the text holds hashes where its content would be. */
  readonly content: 'full' | 'hashes';
}

export type DiscardOutcome = 'discarded' | 'repeated' | 'unknown' | 'denied';

/** The first tier with its texts; `budget` says whether the session has the layer on. */
export type Tier1Texts = Result<'tier1'>;
export type UpdateOutcome = Result<'updateTier1'>['outcome'];
/** What a compression would do; null where it would change nothing. */
export type CompressionWhatIf = Result<'whatIfCompressed'>['whatIf'];
export type RebaseOutcome = Result<'rebasePrefix'>['outcome'];

/**
 * One session as the panel shows it. `state` is the fold of its events by the shared reducer: there is no second state. All
 * questions reject with a sentence for the person.
 */
export interface PanelSession {
  /** Tells sessions of this window apart; stays the same through reconnects. */
  readonly key: string;
  readonly header: LogHeader;
  readonly link: SessionLink;
  readonly state: SessionState;
  readonly policy: Policy;
  /** Whether a discard from here would be obeyed. */
  readonly mayDiscard: boolean;
  /** Of its log; absent where the adapter runs elsewhere. */
  readonly logFile?: string | undefined;
  /** The request at which `state` is, where that is not now. */
  readonly asOf?: number;
  /** Events of the past without content, by seq. */
  history(from: number, to: number): Promise<readonly LogEvent[]>;
  readRequest(requestSequence: number): Promise<RequestText>;
  /** As it was when that request had been sealed, and nothing had happened since. */
  stateAt(requestSequence: number): Promise<SessionState>;
  whatIf(blockId: string): Promise<Price | undefined>;
  /** Of the last request of now; absent where `state` is not of now, or never changes any more. */
  whatIfCompressed(): Promise<CompressionWhatIf | undefined>;
  discard(blockId: string): Promise<DiscardOutcome>;
  tier1(): Promise<Tier1Texts>;
  /** Changes a line of the first tier: a constraint's ID, or `objective` for the task. Without a value it is taken out. */
  updateTier1(id: string, value?: string): Promise<UpdateOutcome>;
  rebasePrefix(): Promise<RebaseOutcome>;
}

/** The sessions of this window, those of the open workspace first. */
export interface PanelSessions {
  readonly all: readonly PanelSession[];
  /** The one that status bar and editor marks are about: the one chosen last until it ends, else the newest of this workspace. */
  readonly current: PanelSession | undefined;
  /** Makes this one the current one; nothing happens for one that is not there. */
  choose(key: string): void;
  /** Never connected since this window was opened. */
  readonly isNew: boolean;
  /** Called once for any number of changes at the same time; gives what ends it. */
  onChange(listener: () => void): { dispose(): void };
}
