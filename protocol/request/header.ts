import type { Json, JsonObject } from './json.ts';
import { sameJson } from './sameJson.ts';

/** One message of a request, in the format of the log's agent: `{role, content}` where it is our own. */
export type RequestMessage = JsonObject;

/** What a request holds besides its history (request-log 3). Canonical where a function gives it, and JSON like any object. */
export type RequestHeader = {
  /** Model and sampling: every member of the request that is none of the others. */
  readonly config: JsonObject;
  /** Any JSON; absent when there is none, and never `""` in canonical form. */
  readonly system?: Json;
  /** Verbatim; absent when there are none. */
  readonly tools?: readonly Json[];
  /** Stands before the history; absent when there is none. */
  readonly messagePrefix?: readonly RequestMessage[];
};

/** A header as an adapter has it: parts may be empty, and members that no header has may be there. */
export interface RawRequestHeader {
  readonly config: JsonObject;
  readonly system?: Json | undefined;
  readonly tools?: readonly Json[] | undefined;
  readonly messagePrefix?: readonly RequestMessage[] | undefined;
}

/**
 * The canonical form (request-log 3.1): a new object in fixed order, without empty parts and unknown members. The parts
 * themselves are passed through untouched.
 */
export function canonicalHeader(header: RawRequestHeader): RequestHeader {
  const { config, system, tools, messagePrefix } = header;
  return {
    config,
    ...(system !== undefined && system !== '' && { system }),
    ...(tools && tools.length > 0 && { tools }),
    ...(messagePrefix && messagePrefix.length > 0 && { messagePrefix }),
  };
}

/**
 * Whether two headers make the same request (request-log 3.2). Order of members counts in system, tools and prefix, whose
 * text the model is shown; in config it does not.
 */
export function headerEquals(left: RawRequestHeader, right: RawRequestHeader): boolean {
  const a = canonicalHeader(left);
  const b = canonicalHeader(right);
  return sameConfig(a, b) && sameSystem(a, b) && sameTools(a, b) && samePrefix(a, b);
}

/** Structural, not a closed list of fields (issue 3, 2): a field that nobody thought of is logged too. */
export function sameConfig(a: RequestHeader, b: RequestHeader): boolean {
  return sameJson(a.config, b.config, 'unordered');
}

/** For canonical headers: none has the system `""`, so that stands for absence. */
export function sameSystem({ system: a = '' }: RequestHeader, { system: b = '' }: RequestHeader): boolean {
  return sameJson(a, b, 'ordered');
}

export function sameTools(a: RequestHeader, b: RequestHeader): boolean {
  return sameJson(a.tools ?? [], b.tools ?? [], 'ordered');
}

export function samePrefix(a: RequestHeader, b: RequestHeader): boolean {
  return sameJson(a.messagePrefix ?? [], b.messagePrefix ?? [], 'ordered');
}
