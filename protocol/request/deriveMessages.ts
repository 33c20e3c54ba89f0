import { faultAt } from './corruptLogError.ts';
import { frozenCopy } from './frozenCopy.ts';
import type { RequestMessage } from './header.ts';
import type { LogEvent } from './logEvent.ts';
import { messageOf } from './messageTypes.ts';
import { surfaceOf } from './surface.ts';

/**
 * The history that these events, the start of a log, show the model (request-log 2.3 and 2.4): a fresh list of messages,
 * copied off the log and deep-frozen. Event types that carry no message are passed over. Throws `CorruptLogError` when a
 * message, or its place on the surface, cannot be read.
 */
export function deriveMessages(events: readonly LogEvent[]): readonly RequestMessage[] {
  const messages: RequestMessage[] = [];
  for (const { event, index } of surfaceOf(events)) {
    const message = messageOf(event.type, event.data, faultAt(index, event));
    if (message) {
      messages.push(frozenCopy(message));
    }
  }
  return Object.freeze(messages);
}
