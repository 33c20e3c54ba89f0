import { count, flag, list, maybe, type Of, oneOf, ordinal, record, sha256, text } from '../shape.ts';
import { SOURCE_CLASSES } from './policy.ts';

const sourceClass = oneOf(...SOURCE_CLASSES);

/** V1: what every activation and discard attempt records; the timestamp is the event's own. */
const audit = {
  blockId: text,
  source: text,
  /** Of the tag line; absent where a person or a program asked without a document. */
  line: maybe(ordinal),
  /** What made the adapter look: a source was loaded, a message was read, `control` was called, a watcher asked. */
  trigger: oneOf('load', 'message', 'control', 'watcher'),
  class: sourceClass,
  /** The rule of the policy that decided, in words; "no rule" where none fits. */
  rule: text,
  /** The request that is built next, or is being built. */
  requestSequence: ordinal,
} as const;

const discardAudit = {
  ...audit,
  /** What holds the directive: a unit's identity, or a loaded source's key. It is processed once per unit, line and ID. */
  unit: maybe(text),
  /** Of the watcher that asked. */
  connection: maybe(text),
} as const;

/** Events of seed 1's session: what happened to sources, blocks and ephemeral units. */
export const lifecycleEvents = {
  /** A source was loaded for the first time. */
  'source/loaded': record({
    source: text,
    class: sourceClass,
    sha256,
    bytes: count,
    /** Valid definitions in the source's order, whether or not they became active. */
    blocks: list(text),
    /** What the parser found wrong: invalid definitions activate nothing. */
    problems: list(record({ code: text, line: ordinal, blockId: maybe(text) })),
  }),
  /** The same source read again with another text, or with its first text again: the active content stays. */
  'source/drifted': record({ source: text, class: sourceClass, sha256, bytes: count, drifted: flag }),
  /** A valid definition of a source that may define; the block is part of every request until it is discarded. */
  'block/activated': record({
    ...audit,
    /** Of the closing line. */
    endLine: ordinal,
    bytes: count,
    sha256,
    /** From the opening line to the closing line inclusive; absent where a log or a watcher gets no content. */
    text: maybe(text),
  }),
  /** V1: the first definition stays authoritative. */
  'block/conflict': record({ ...audit, winner: record({ source: text, line: maybe(ordinal) }) }),
  /** A valid definition in a loaded source that the policy does not let define. */
  'block/denied': record(audit),
  /** The block is absent from the next request and all later ones. */
  'block/discarded': record(discardAudit),
  /** The block was discarded already; nothing changes. */
  'discard/repeated': record(discardAudit),
  /** Nothing has defined a block with this ID; nothing changes. */
  'discard/unknown': record(discardAudit),
  /** The policy does not let this source discard; nothing changes. */
  'discard/denied': record(discardAudit),
  /** The directives of one unit beyond the hundredth are not processed. */
  'discard/overflow': record({
    source: text,
    class: sourceClass,
    unit: maybe(text),
    rest: ordinal,
    requestSequence: ordinal,
  }),
  /** The whole original goes into this request. `ordinal` counts the ephemeral units of the session from 0. */
  'ephemeral/admitted': record({
    ordinal: count,
    unit: text,
    source: text,
    class: sourceClass,
    rule: text,
    bytes: count,
    requestSequence: ordinal,
  }),
  /** From this request on the tombstone stands for it. Its only event where an answer was there before the session looked. */
  'ephemeral/consumed': record({
    ordinal: count,
    unit: text,
    source: text,
    class: sourceClass,
    rule: text,
    trigger: oneOf('assistant-response'),
    bytes: count,
    tombstoneBytes: count,
    requestSequence: ordinal,
  }),
} as const;

export type LifecycleEventType = keyof typeof lifecycleEvents;

/** An event of these before it has a place in a log. */
export type LifecycleEvent = {
  [Type in LifecycleEventType]: { readonly type: Type; readonly data: Of<(typeof lifecycleEvents)[Type]> };
}[LifecycleEventType];
