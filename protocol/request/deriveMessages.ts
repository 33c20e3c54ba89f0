import type { RequestMessage } from './header.ts';
import type { LogEvent } from './logEvent.ts';
import { type Surface, surfaceOf } from './surface.ts';

/**
 * The history that these events, the start of a log, show the model (request-log 2.3 and 2.4): a fresh list of messages,
 * copied off the log where it is not deep-frozen, and deep-frozen. Event types that carry no message are passed over.
 * Throws `CorruptLogError` when a message, or its place on the surface, cannot be read.
 */
export function deriveMessages(events: readonly LogEvent[]): readonly RequestMessage[] {
  return messagesOn(surfaceOf(events));
}

/** These messages and then what a surface shows the model: a fresh, frozen list of deep-frozen messages. */
export function messagesOn(surface: Surface, prefix: readonly RequestMessage[] = []): readonly RequestMessage[] {
  const messages = [...prefix];
  for (const { message } of surface.entries()) {
    if (message) {
      messages.push(message);
    }
  }
  return Object.freeze(messages);
}
