import { budgetEvents } from '../budget/budgetEvents.ts';
import { lifecycleEvents } from '../lifecycle/lifecycleEvents.ts';
import { RIGHTS, SOURCE_CLASSES } from '../lifecycle/policy.ts';
import { requestBody } from '../request/bodyPieces.ts';
import type { Json, JsonObject } from '../request/json.ts';
import type { LogEvent } from '../request/logEvent.ts';
import {
  anything,
  count,
  flag,
  list,
  maybe,
  type Of,
  object,
  oneOf,
  ordinal,
  orNull,
  record,
  sha256,
  text,
} from '../shape.ts';
import { amount, PARTS, price, signedAmount } from './amounts.ts';

export type { Amount, Price } from './amounts.ts';

/** What the parts of a request take. */
export const sizes = record({
  system: amount,
  tools: amount,
  prefix: amount,
  messages: amount,
  /** Of the provider's number, what none of the parts explains; may be negative. */
  unattributed: signedAmount,
  /** The sum of the five. */
  total: amount,
});

export type Sizes = Of<typeof sizes>;

/** What the provider says that a request took. */
export const usage = record({
  /** Tokens of the whole input, cached ones included. */
  input: maybe(count),
  output: maybe(count),
  cacheRead: maybe(count),
  cacheWrite: maybe(count),
});

export type Usage = Of<typeof usage>;

/** How an answer ended; only a completed one consumes. */
export const OUTCOMES = ['completed', 'failed', 'aborted'] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** What a session's sources may do: a `Policy`. */
export const policy = record({
  rules: list(record({ class: oneOf(...SOURCE_CLASSES), pattern: text, may: list(oneOf(...RIGHTS)) })),
});

const requestSequence = ordinal;
const turnAndStep = { turn: ordinal, step: ordinal } as const;
const content = list(object<JsonObject>('a block of content'));

/** Every event of ours with its data. Types that carry messages have a `surfaceOp` beside it. */
export const vocabulary = {
  ...lifecycleEvents,
  ...budgetEvents,

  /** The first event of each instance: of a new session, and of each that goes on with it. */
  'session/opened': record({
    /** `resumed`: goes on in this log. `forked`: the events before are a copy of another session's. */
    reason: oneOf('new', 'resumed', 'forked'),
    agent: text,
    agentVersion: maybe(text),
    format: text,
    content: oneOf('full', 'hashes'),
    policy,
    /** The host's own name for its session, and where its transcript lies: labels, nothing more. */
    hostSession: maybe(text),
    transcript: maybe(text),
    /** Only in a fork. */
    forkedFrom: maybe(text),
    /** The host had a history before, of which there is no log: earlier discards are unknown. */
    earlierUnknown: maybe(flag),
  }),
  /** The instance said that it ends; what was open in it is over. */
  'session/closed': record({ reason: maybe(text) }),
  /** Something that a person should know, as one sentence. */
  'session/problem': record({ code: text, sentence: text, source: maybe(text) }),
  /** The line before was torn when the writer died or the disk was full; it held no event that anyone was told of. */
  'log/torn': record({ bytes: count }),

  /** The first request after a new message of the user is about to be built. Turns count from 1, one after the other. */
  'turn/start': record({ turn: ordinal, trigger: anything<Json>('`{kind: "message" or "injection", source}`') }),
  /** The answer called no tool, or the turn was broken off. No step is open any more. */
  'turn/end': record({ turn: ordinal, reason: anything<Json>('`completed`, `aborted` … with what explains it') }),
  /**
   * One request begins: what stands on the surface now is its history, and what is logged later is the next one's. Steps
   * count from 1 in each turn.
   */
  'step/start': record({
    ...turnAndStep,
    /** The one that the step is for; it exists when it is sealed. */
    requestSequence: maybe(requestSequence),
  }),
  /**
   * The answer has ended, or none will come. Where the next request is made while an answer still runs, its step ends without
   * `outcome`, and ends once more, with it, when the answer does.
   */
  'step/end': record({
    ...turnAndStep,
    /** The one that was answered; absent where none was sealed. */
    requestSequence: maybe(requestSequence),
    outcome: maybe(oneOf(...OUTCOMES)),
    usage: maybe(usage),
  }),

  /** What the request has besides its history, whole. */
  'request/header': record({
    header: object<JsonObject>('a header: config, system, tools, messagePrefix'),
    /** `initial`: the first of the log. `resume`: the first of a later instance. `fallback`: a delta could not say it. */
    reason: oneOf('initial', 'resume', 'fallback'),
  }),
  /** Parts of the header that differ from what the last header event left: any of `system`, `tools`, `config`, `messagePrefix`. */
  'request/header-delta': object<JsonObject>('the parts of the header that changed'),
  /** The request exists, may be rebuilt, and is about to be sent. */
  'request/sealed': record({
    requestSequence,
    /** `seq` of its `step/start`. */
    stepStart: count,
    /** SHA-256 of the sealed text. */
    hash: sha256,
    /** UTF-8 length of the sealed text. */
    bytes: count,
    /** How many messages it has, those of the prefix included. */
    messages: count,
    /** How many of them, from the first on, are the prefix; the active blocks are its last. Absent in older logs. */
    prefixMessages: maybe(count),
    /** Absent where nobody counts tokens. */
    sizes: maybe(sizes),
    /** Against the request before; absent for the first one of a session. */
    price: maybe(price),
    /** `seq`s of the events that explain each change of what was there before; appended messages need none. */
    changes: list(record({ part: oneOf(...PARTS), causes: list(count) })),
  }),
  /** The body of the request, which is about to leave: what a gateway made of the one that it received. */
  'request/body': requestBody,
  /** What was seen to leave. */
  'request/receipt': record({
    requestSequence,
    result: oneOf('matched', 'mismatch', 'quoted', 'not-reported'),
    /** Of what left, where the whole of it was seen. */
    sha256: maybe(sha256),
    /** For a person: what was compared, and what was missing or too much. */
    evidence: maybe(text),
  }),

  /** A message of a foreign agent, verbatim. Null takes a range out of the surface. */
  'host/message': record({
    message: orNull(object<JsonObject>("a message in its agent's own form")),
    /** Identities of its units. */
    units: list(text),
    /**
     * What became of a message that was there before: a tombstone stands in it, the host rewrote it, it moved, an edit of the
     * budget layer took it out or stands for it. `budget` is also said of a message that the layer appends.
     */
    cause: maybe(oneOf('tombstone', 'host-rewrite', 'moved', 'budget')),
    /** Set for an appended message: the identity of the unit that it follows; "" is the start. */
    after: maybe(text),
    channel: maybe(oneOf('inject', 'tool-context', 'prompt-context')),
    source: maybe(text),
    /** An answer that consumes nothing. */
    failed: maybe(flag),
  }),
  /** What a user said to an agent whose messages are kept in this log alone. */
  'user/message': record({ content, source: anything<Json>('where it comes from') }),
  /** An answer; one without content shows the model nothing. */
  'assistant/message': record({ content }),
  /** What a tool gave back. */
  'tool/result': record({ callId: text, content, isError: flag }),
  /** Additional context; the model sees it inside a `context` tag. */
  'context/message': record({ content, source: anything<Json>('`{kind}`'), after: maybe(text) }),
  /** A correction during a turn; the model sees it inside a `steering` tag. */
  'steering/message': record({ content, source: anything<Json>('`{kind}`') }),
  /** A piece of an answer while it comes. */
  'assistant/chunk': object<JsonObject>('a piece of an answer'),
  /** A tool was called. */
  'tool/call': record({ ...turnAndStep, callId: text, name: text, arguments: text }),
  /** A prompt that the model was not shown. */
  'prompt/blocked': object<JsonObject>('a prompt that a hook refused'),
  /** An agent's own list changed. */
  'todo/write': object<JsonObject>('a list of things to do'),
} as const;

export type SessionEventType = keyof typeof vocabulary;

export type EventData<Type extends SessionEventType> = Of<(typeof vocabulary)[Type]>;

/** An event before it has a place in a log. */
export type NewEvent = {
  [Type in SessionEventType]: {
    readonly type: Type;
    readonly data: EventData<Type>;
    readonly surfaceOp?: LogEvent['surfaceOp'];
    readonly sourceEventSeqs?: readonly number[];
    readonly ignorable?: boolean;
  };
}[SessionEventType];

/** The first line of a log file. */
export const logHeader = record({
  version: count,
  /** The session's own name here. */
  id: text,
  agent: text,
  cwd: maybe(text),
  /** Unix milliseconds. */
  created: count,
  /** The session that this one began as a copy of, or whose sub-agent it is. */
  parentSession: maybe(text),
  /** Set where it is a sub-agent of its parent: nothing was copied. */
  subAgent: maybe(flag),
});

export type LogHeader = Of<typeof logHeader>;

/** The version that is written; no other is read. */
export const LOG_VERSION = 1;
