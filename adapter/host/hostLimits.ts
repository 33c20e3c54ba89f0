import { LIMITS } from '../../protocol/wire/messages.ts';

/** What keeps a host small, however many and however hostile its watchers are. */
export const HOST_LIMITS = {
  /** Connections at the same time, proved or not; more are closed at once. */
  connections: 48,
  /** Connections at the same time that have proved the token. */
  watchers: 16,
  /** A connection that has not proved the token by then is closed. */
  proofMilliseconds: 5_000,
  /** At the end, how long watchers get to take the last events. */
  closingMilliseconds: 500,
  /** Requests of one watcher that are worked on at the same time; more are not read. */
  unanswered: 4,
  /** Of one batch of events, as JSON; a single larger event is a batch of its own. */
  batchBytes: 256_000,
  /** UTF-16 code units whose hash may be needed for one batch: content is hashed only when somebody watches. */
  batchHashing: 2_000_000,
  /** Of one answer to `history`. */
  historyBytes: 1_000_000,
  /** UTF-16 code units; each is at most six bytes in JSON. */
  pieceLength: 1_000_000,
  /** A watcher that has missed more events gets a snapshot. */
  missedEvents: 5_000,
  /** With room for what stands around a snapshot or an event in its frame. */
  payloadBytes: LIMITS.frameBytes - 100_000,
} as const;
