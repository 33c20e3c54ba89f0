import { amount, price } from '../log/amounts.ts';
import { logHeader, policy } from '../log/sessionEvents.ts';
import type { StateJson } from '../log/stateJson.ts';
import type { LogEvent } from '../request/logEvent.ts';
import { count, flag, list, maybe, type Of, object, oneOf, ordinal, orNull, record, text } from '../shape.ts';

/** Both sides speak this one version or do not speak. */
export const WIRE_VERSION = 1;

/** A byte counter closes a peer that sends more than this before it has proved the token, and a larger frame after it. */
export const LIMITS = { unauthenticatedBytes: 4_096, frameBytes: 8_000_000 } as const;

/** The file by which a session is found; it stands in a private folder beside its socket. */
export const announcement = record({
  wireVersion: count,
  session: text,
  agent: text,
  cwd: maybe(text),
  /** Where the host keeps its own transcript: a label, nothing more. */
  transcript: maybe(text),
  pid: ordinal,
  /** Differs after the machine was started anew, when pids mean nothing. */
  bootId: text,
  /** The socket's file name in the same folder, or a Windows pipe's whole name. */
  socket: text,
  /** 128 random bits or more, in hex; it never crosses the socket. */
  token: text,
  started: count,
});

export type Announcement = Of<typeof announcement>;

/** A token is proved by HMAC-SHA-256 over `<side>:<nonce of watcher>:<nonce of host>`, in hex. */
export type Side = 'host' | 'watcher';

/** JSON-RPC requests of the watcher: params and result. Before `attach` was accepted the host answers only `hello`. */
export const watcherRequests = {
  hello: {
    params: record({ wireVersion: count, nonce: text }),
    result: record({ wireVersion: count, nonce: text, proof: text }),
  },
  attach: {
    params: record({
      proof: text,
      /** What the watcher has of this very session: it wants the events from `nextSeq` on. Absent: it has nothing. */
      known: maybe(record({ session: text, nextSeq: count })),
    }),
    /** After it, `events` begin with the first that the watcher does not have. */
    result: record({
      header: logHeader,
      policy,
      /** Whether a discard through this connection would be obeyed. */
      mayDiscard: flag,
      nextSeq: count,
      /** A `SessionState` as JSON, at `nextSeq` of it; absent when events follow from what the watcher has. */
      snapshot: maybe(object<StateJson>('a session state')),
    }),
  },
  /** Events of the past without content, as many as fit into a frame. */
  history: {
    params: record({ from: count, to: count }),
    result: record({ events: list(object<LogEvent>('an event')), next: count }),
  },
  /** A sealed request's text in pieces of at most 1 MB; `offset` and `length` count UTF-16 code units. */
  request: {
    params: record({ requestSequence: ordinal, offset: count }),
    result: record({ piece: text, length: count, hash: text, content: oneOf('full', 'hashes') }),
  },
  /** What a discard would cost, before it is done. */
  whatIf: {
    params: record({ blockId: text }),
    /** Null for a block that is not active. */
    result: record({ price: orNull(price) }),
  },
  discard: {
    params: record({ blockId: text }),
    result: record({ outcome: oneOf('discarded', 'repeated', 'unknown', 'denied') }),
  },
  /** The first tier's texts, which events do not bring, with what was changed since it was set. */
  tier1: {
    params: record({}),
    result: record({
      /** Whether the session has the budget layer on: without it nothing of the first tier can be set. */
      budget: flag,
      objective: maybe(text),
      constraints: list(record({ id: text, text })),
      identity: maybe(text),
      outputFormat: maybe(text),
    }),
  },
  /** Changes one line of the first tier: a constraint's ID, or `objective`, `identity`, `outputFormat`. */
  updateTier1: {
    /** Without a value the line is taken out. */
    params: record({ id: text, value: maybe(text) }),
    result: record({ outcome: oneOf('updated', 'unchanged', 'denied', 'off') }),
  },
  /** Writes the updates of the first tier into the prefix, which costs the provider's cache once. */
  rebasePrefix: {
    params: record({}),
    result: record({ outcome: oneOf('rebased', 'unchanged', 'denied', 'off') }),
  },
  /** What a compression would cost, before one is due; null where it would change nothing. */
  whatIfCompressed: {
    params: record({}),
    result: record({
      whatIf: orNull(
        record({ before: amount, after: amount, historyBefore: amount, historyAfter: amount, price: maybe(price) }),
      ),
    }),
  },
  /** Seed 3's usage report of the last request; null before one was measured. */
  usageReport: {
    params: record({}),
    result: record({ report: orNull(text), nextSeq: count }),
  },
} as const;

export type Method = keyof typeof watcherRequests;
export type Params<Asked extends Method> = Of<(typeof watcherRequests)[Asked]['params']>;
export type Result<Asked extends Method> = Of<(typeof watcherRequests)[Asked]['result']>;

/** Notifications of the host: `events`, batches of events without content, in order and without gaps. */
export const hostNotifications = {
  events: record({ events: list(object<LogEvent>('an event')) }),
  /** The session ends; the socket closes after it. */
  closing: record({ reason: text }),
} as const;
