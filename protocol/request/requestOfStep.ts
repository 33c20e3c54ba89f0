import { type Fault, faultAt } from './corruptLogError.ts';
import { messagesOn } from './deriveMessages.ts';
import type { RequestHeader } from './header.ts';
import { type LogEvent, typeOf } from './logEvent.ts';
import type { SealedRequest } from './sealer.ts';
import type { Surface } from './surface.ts';

/** A step's header event stands before any of these (request-log 4). */
const HEADER_IS_WRITTEN = new Set([
  'assistant/chunk',
  'assistant/message',
  'request/sealed',
  'step/start',
  'step/end',
  'turn/start',
  'turn/end',
]);

/** The fault of a step that can be read; throws it where no step starts at this seq. */
export function stepFault(events: readonly LogEvent[], stepStart: number): Fault {
  const step = events[stepStart];
  const fault = faultAt(stepStart, step);
  if (!step || typeOf(step) !== 'step/start' || step.seq !== stepStart) {
    throw fault('no step starts here');
  }
  return fault;
}

/** The first event after a step's start that its header event cannot follow. */
export function headerEnd(events: readonly LogEvent[], stepStart: number): number {
  let end = stepStart + 1;
  while (end < events.length && !HEADER_IS_WRITTEN.has(typeOf(events[end]) ?? '')) {
    end++;
  }
  return end;
}

/** request-log 1: the request of a step, deep-frozen, from its header and the surface before it. */
export function requestOf(header: RequestHeader | undefined, surface: Surface, fault: Fault): SealedRequest {
  if (!header) {
    throw fault('no header was logged for this step');
  }
  const { config, system, tools, messagePrefix } = header;
  return Object.freeze({
    config,
    ...(system !== undefined && { system }),
    ...(tools && { tools }),
    messages: messagesOn(surface, messagePrefix),
  });
}
