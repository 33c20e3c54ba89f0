import { foldRequestHeader } from './foldRequestHeader.ts';
import { canonicalHeader, headerEquals, type RawRequestHeader, type RequestHeader } from './header.ts';
import { applyHeaderDelta, diffHeader, type HeaderDelta } from './headerDelta.ts';
import type { LogEvent } from './logEvent.ts';

/** Why a whole header was written (request-log 4). */
export type HeaderReason = 'initial' | 'resume' | 'fallback';

/** A header event before it has a place in a log. */
export type HeaderEvent =
  | {
      readonly type: 'request/header';
      readonly data: { readonly header: RequestHeader; readonly reason: HeaderReason };
    }
  | { readonly type: 'request/header-delta'; readonly data: HeaderDelta };

/** One running adapter, from its start to its end: a resumed or forked session is another instance. */
export interface HeaderInstance {
  /** Whether this instance has written a header; set by the caller, and only after the append returned. */
  readonly loggedHeader: boolean;
}

/**
 * The event to append before a request with this header is sent (request-log 7); absent when the log already folds to it.
 * The baseline is always the log's own fold, so after the append the fold equals the header, whichever event it was.
 * Nothing is appended or changed here. Throws `CorruptLogError` when the log cannot be folded.
 */
export function recordHeader(
  events: readonly LogEvent[],
  instance: HeaderInstance,
  header: RawRequestHeader,
): HeaderEvent | undefined {
  return headerChange(foldRequestHeader(events), instance, header);
}

/**
 * `recordHeader` for a log whose fold is at hand, such as `RequestHistory.header`; absent where it holds no header. Another
 * order of the members of config is no change (request-log 3.2): who seals takes the config as it was logged.
 */
export function headerChange(
  base: RequestHeader | undefined,
  instance: HeaderInstance,
  header: RawRequestHeader,
): HeaderEvent | undefined {
  const next = canonicalHeader(header);
  if (!base || !instance.loggedHeader) {
    return snapshot(next, base ? 'resume' : 'initial');
  }
  const delta = diffHeader(base, next);
  if (!delta) {
    return undefined;
  }
  // A delta is only an encoding: what it cannot say, such as another order of tools, is written whole.
  return headerEquals(applyHeaderDelta(base, delta), next)
    ? { type: 'request/header-delta', data: delta }
    : snapshot(next, 'fallback');
}

function snapshot(header: RequestHeader, reason: HeaderReason): HeaderEvent {
  return { type: 'request/header', data: { header, reason } };
}
