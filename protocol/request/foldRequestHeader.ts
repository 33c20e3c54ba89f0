import { type Fault, faultAt } from './corruptLogError.ts';
import { frozenCopy } from './frozenCopy.ts';
import { canonicalHeader, type RequestHeader } from './header.ts';
import { applyLoggedDelta, loggedConfig, loggedPrefix } from './headerDelta.ts';
import { isContainer, isJsonArray, isJsonObject } from './json.ts';
import { type LogEvent, typeOf } from './logEvent.ts';

/** Headers and parts of headers that a fold gave: deep-frozen and reachable by nobody who could change them. */
const given = new WeakSet();

/**
 * The header after these events, deep-frozen (request-log 8): the last snapshot with the deltas after it, on top of
 * `from`; absent when there was none. Works on any part of a log: `fold(p ++ q) = fold(q, fold(p))`. It reads the events
 * in the order of the list, looks at header events only, and reads neither `seq` nor `reason`. Throws `CorruptLogError`
 * for a delta before any snapshot and for a malformed header event.
 */
export function foldRequestHeader(events: readonly LogEvent[], from?: RequestHeader): RequestHeader | undefined {
  let header = from;
  for (const [index, event] of events.entries()) {
    header = headerAfter(header, event, index);
  }
  return header && finalHeader(header);
}

/** One step of the fold: the same header where the event is no header event. Not frozen yet. */
export function headerAfter(
  header: RequestHeader | undefined,
  event: LogEvent,
  index: number,
): RequestHeader | undefined {
  const type = typeOf(event);
  if (type === 'request/header') {
    return loggedHeader(event.data, faultAt(index, event));
  }
  if (type !== 'request/header-delta') {
    return header;
  }
  const fault = faultAt(index, event);
  if (!header) {
    throw fault('it changes a header, but no header stands before it');
  }
  return applyLoggedDelta(header, event.data, fault);
}

function loggedHeader(data: unknown, fault: Fault): RequestHeader {
  const header = isJsonObject(data) ? data['header'] : undefined;
  if (!isJsonObject(header)) {
    throw fault('it holds no header');
  }
  const { config, system, tools, messagePrefix } = header;
  if (tools !== undefined && !isJsonArray(tools)) {
    throw fault('its tools are no list');
  }
  return canonicalHeader({
    config: loggedConfig(config, fault),
    system,
    tools,
    messagePrefix: messagePrefix === undefined ? undefined : loggedPrefix(messagePrefix, fault),
  });
}

/** A deep-frozen copy that shares what an earlier fold gave, so that a held header is never copied again. */
export function finalHeader(header: RequestHeader): RequestHeader {
  if (given.has(header)) {
    return header;
  }
  const { config, system, tools, messagePrefix } = header;
  const final = Object.freeze(
    canonicalHeader({
      config: finalPart(config),
      system: finalPart(system),
      tools: finalPart(tools),
      messagePrefix: finalPart(messagePrefix),
    }),
  );
  given.add(final);
  return final;
}

function finalPart<Part>(part: Part): Part {
  if (!isContainer(part) || given.has(part)) {
    return part;
  }
  const copy = frozenCopy(part);
  given.add(copy);
  return copy;
}
