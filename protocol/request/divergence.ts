import type { divergence } from '../log/amounts.ts';
import type { Of } from '../shape.ts';
import { utf8Length } from '../utf8Length.ts';
import type { Json, JsonObject } from './json.ts';
import { sameJson } from './sameJson.ts';

/** The first difference between a request and the one before. */
export type Divergence = Of<typeof divergence>;

/** A sealed request in the order in which its text and a model's cache have it; absent parts are not there. */
export interface RequestParts {
  readonly config: JsonObject;
  readonly system?: Json | undefined;
  readonly tools?: readonly Json[] | undefined;
  /** Stands before the history; with it, it makes one list of messages. */
  readonly prefix: readonly JsonObject[];
  /** The view. */
  readonly messages: readonly JsonObject[];
}

/**
 * Where a request first differs from the one before, as structure and bytes (tiers 5): the same text in another shape is a
 * difference (users-ask 35). Absent when the old request's text is the new one's start up to the end of its messages.
 * Values that are the same object are not looked into, so an unchanged history costs one comparison a message.
 */
export function firstDivergence(previous: RequestParts, next: RequestParts): Divergence | undefined {
  if (!same(previous.config, next.config)) {
    return { part: 'config', offset: sharedBytes(previous.config, next.config) };
  }
  if (!same(previous.system, next.system)) {
    return { part: 'system', offset: sharedBytes(previous.system, next.system) };
  }
  // Messages follow, so that a tool more is a difference too.
  const tools = firstDifference(previous.tools ?? [], next.tools ?? [], 'ends count');
  if (tools) {
    return { part: 'tools', ...tools };
  }
  return messagesDivergence(previous, next);
}

/** Prefix and history are one list: a message that moves from one to the other changes nothing. */
function messagesDivergence(previous: RequestParts, next: RequestParts): Divergence | undefined {
  const prefixed = Math.max(previous.prefix.length, next.prefix.length);
  if (previous.prefix.length === next.prefix.length) {
    const inPrefix = firstDifference(previous.prefix, next.prefix, 'ends count');
    if (inPrefix) {
      return { part: 'prefix', ...inPrefix };
    }
    const inMessages = firstDifference(previous.messages, next.messages, 'may grow');
    return inMessages && { part: 'messages', ...inMessages };
  }
  const found = firstDifference(
    [...previous.prefix, ...previous.messages],
    [...next.prefix, ...next.messages],
    'may grow',
  );
  if (!found) {
    return undefined;
  }
  return found.index < prefixed
    ? { part: 'prefix', ...found }
    : { part: 'messages', index: found.index - next.prefix.length, offset: found.offset };
}

function firstDifference(previous: readonly Json[], next: readonly Json[], end: 'ends count' | 'may grow') {
  const shorter = Math.min(previous.length, next.length);
  for (let index = 0; index < shorter; index++) {
    const before = previous[index];
    const after = next[index];
    if (before !== after && !same(before, after)) {
      return { index, offset: sharedBytes(before, after) };
    }
  }
  const ended = end === 'may grow' ? next.length < previous.length : next.length !== previous.length;
  return ended ? { index: shorter, offset: 0 } : undefined;
}

/** Whether two values have the same JSON text; `undefined` is absence. */
export function same(before: Json | undefined, after: Json | undefined): boolean {
  if (before === after) {
    return true;
  }
  return before !== undefined && after !== undefined && sameJson(before, after, 'ordered');
}

/** How many bytes of their JSON texts two values share, from the start; characters are shared as a whole. */
function sharedBytes(before: Json | undefined, after: Json | undefined): number {
  if (before === undefined || after === undefined) {
    return 0;
  }
  const [left, right] = [JSON.stringify(before), JSON.stringify(after)];
  const shorter = Math.min(left.length, right.length);
  let shared = 0;
  while (shared < shorter && left.charCodeAt(shared) === right.charCodeAt(shared)) {
    shared++;
  }
  const last = left.charCodeAt(shared - 1);
  const endsWithinPair = shared < left.length && last >= 0xd8_00 && last < 0xdc_00;
  return utf8Length(left.slice(0, endsWithinPair ? shared - 1 : shared));
}
