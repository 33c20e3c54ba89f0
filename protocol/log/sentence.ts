import type { Message } from '../lifecycle/text.ts';
import type { LogEvent } from '../request/logEvent.ts';
import type { EventData, SessionEventType } from './sessionEvents.ts';

/** What an event of each of these types says to a person. */
export type Sentences<Type extends SessionEventType> = {
  readonly [Each in Type]: (data: EventData<Each>, event: LogEvent) => Message;
};

/** A sentence with its values, in the order of its `{0}`, `{1}` … */
export function sentence(template: string, ...values: readonly (string | number)[]): Message {
  return { template, values: values.map(String) };
}
