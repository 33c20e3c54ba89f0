import type { EventData, SessionEventType } from '../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';

/** Whether it is an event of this type. The reader of the log, or of the wire, has checked its data. */
export function isEvent<Type extends SessionEventType>(
  event: LogEvent,
  type: Type,
): event is LogEvent & { readonly data: EventData<Type> & LogEvent['data'] } {
  return event.type === type;
}
