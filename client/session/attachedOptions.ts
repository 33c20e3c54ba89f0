import type { FoundAnnouncement } from '../../local/announcements.ts';
import type { ConnectionCallbacks, ConnectionOptions, SessionConnection } from '../../local/sessionConnection.ts';
import type { LogHeader } from '../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { AttachedSession } from './attachedSession.ts';

/** What an attached session needs of a connection. */
export type Connection = Pick<
  SessionConnection,
  | 'announcement'
  | 'retry'
  | 'readRequest'
  | 'history'
  | 'whatIf'
  | 'whatIfCompressed'
  | 'discard'
  | 'tier1'
  | 'updateTier1'
  | 'rebasePrefix'
  | 'close'
>;

export interface AttachedOptions {
  readonly connect: (
    announcement: FoundAnnouncement,
    callbacks: ConnectionCallbacks,
    options: ConnectionOptions,
  ) => Connection;
  /** Whether a session that does not answer is gone for good. */
  readonly isGone: (announcement: FoundAnnouncement) => Promise<boolean>;
  /** Where its log lies; absent where there is none on this machine. */
  readonly findLog: (header: LogHeader) => Promise<string | undefined>;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Something of it has changed. */
  readonly changed: () => void;
  /** Events that came while it was watched, after they were folded. */
  readonly events: (session: AttachedSession, events: readonly LogEvent[]) => void;
  /** This version cannot speak with it. */
  readonly refused: (session: AttachedSession, sentence: string) => void;
}
