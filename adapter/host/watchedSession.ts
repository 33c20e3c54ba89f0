import type { Tier1 } from '../../protocol/budget/tier1.ts';
import type { CompressionWhatIf } from '../../protocol/budget/whatIfCompressed.ts';
import type { Policy } from '../../protocol/lifecycle/policy.ts';
import type { LogHeader, Price } from '../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../protocol/log/sessionState.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import type { Result } from '../../protocol/wire/messages.ts';

export type DiscardOutcome = 'discarded' | 'repeated' | 'unknown' | 'denied';

export interface SealedText {
  readonly text: string;
  /** The one that was logged when the request was sealed. */
  readonly hash: string;
  /** `hashes`: the log has no content, and the text holds hashes in its place. */
  readonly content: 'full' | 'hashes';
}

/** What a host shows of its session, and what it lets watchers ask for. */
export interface WatchedSession {
  readonly header: LogHeader;
  readonly policy: Policy;
  /** Those that are on disk, from the first; the list only grows. Called often: it costs nothing. */
  events(): readonly LogEvent[];
  /** After all events that are on disk. */
  state(): SessionState;
  /** Absent for a request that was never sealed. Throws `CorruptLogError`. */
  sealedText(requestSequence: number): SealedText | undefined;
  /** Absent for a block that is not active. */
  whatIf(blockId: string): Price | undefined;
  /** `connection` is the label that the audit shows, such as `editor#3`; the policy decides. */
  discard(blockId: string, connection: string): DiscardOutcome;
  /** Absent where a compression would change nothing, and where the session has no budget layer. */
  whatIfCompressed(): CompressionWhatIf | undefined;
  /** The first tier's texts; absent where the session has no budget layer. */
  tier1(): Tier1 | undefined;
  /** Changes one line of it, or takes it out; `connection` and the policy as for a discard. */
  updateTier1(id: string, value: string | undefined, connection: string): Result<'updateTier1'>['outcome'];
  rebasePrefix(connection: string): Result<'rebasePrefix'>['outcome'];
}
