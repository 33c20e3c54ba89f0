import type { Message } from '../lifecycle/text.ts';
import type { LogEvent } from '../request/logEvent.ts';
import { budgetSentences } from './budgetSentences.ts';
import { lifecycleSentences } from './lifecycleSentences.ts';
import { messageSentences } from './messageSentences.ts';
import { requestSentences } from './requestSentences.ts';
import { type Sentences, sentence } from './sentence.ts';
import type { EventData, SessionEventType } from './sessionEvents.ts';

const sentences: Sentences<SessionEventType> = {
  ...lifecycleSentences,
  ...budgetSentences,
  ...messageSentences,
  ...requestSentences,
  'session/opened': openedSentence,
  'session/closed': ({ reason }) =>
    reason === undefined ? sentence('The session ended.') : sentence('The session ended: {0}.', reason),
  'session/problem': ({ sentence: said }) => sentence('Problem: {0}', said),
  'log/torn': ({ bytes }) =>
    sentence('The line before was not written to its end, and counts for nothing (bytes: {0}).', bytes),
};

const byType = new Map<string, (data: never, event: LogEvent) => Message>(Object.entries(sentences));

/** Every type of event that this version knows, in alphabetical order. */
export const EVENT_TYPES: readonly string[] = [...byType.keys()].sort();

/**
 * What an event says to a person, in one sentence. Its values come from the log as they are: whoever prints them escapes
 * them. The event was read with `readEvent`; also one of an unknown type has its sentence.
 */
export function eventSentence(event: LogEvent): Message {
  const say = byType.get(event.type);
  return say
    ? say(event.data as never, event)
    : sentence('An event of the type {0}, which this version does not know.', event.type);
}

function openedSentence({ reason, agent, forkedFrom, earlierUnknown }: EventData<'session/opened'>): Message {
  if (reason === 'forked') {
    return sentence('A session of {0} began as a copy of session {1}.', agent, forkedFrom ?? '?');
  }
  if (earlierUnknown) {
    return sentence('A session of {0} is logged from here on; earlier discards are unknown.', agent);
  }
  return reason === 'new' ? sentence('A session of {0} began.', agent) : sentence('The session of {0} went on.', agent);
}
