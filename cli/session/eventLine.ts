import { renderMessage } from '../../protocol/lifecycle/text.ts';
import { eventSentence } from '../../protocol/log/eventSentence.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { printable } from '../printable.ts';

/** What an event says to a person, harmless in a terminal. */
export function sentenceOf(event: LogEvent): string {
  return printable(renderMessage(eventSentence(event)));
}

/** Event 41 is `#41` wherever it is named. */
export function eventLine(event: LogEvent): string {
  return `#${event.seq} ${printable(event.type)}: ${sentenceOf(event)}`;
}
