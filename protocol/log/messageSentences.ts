import type { Message } from '../lifecycle/text.ts';
import { isJsonObject } from '../request/json.ts';
import type { LogEvent } from '../request/logEvent.ts';
import { type Sentences, sentence } from './sentence.ts';
import type { EventData } from './sessionEvents.ts';

const CHANGED = {
  tombstone: 'A message of the history changed: a tombstone stands in it now.',
  'host-rewrite': 'A message of the history changed: the agent rewrote it.',
  moved: 'A message of the history moved to another place.',
  budget: 'A message of the budget layer was put in.',
} as const;

/** Messages, and what an answer is made of. */
export const messageSentences: Sentences<
  | 'host/message'
  | 'user/message'
  | 'assistant/message'
  | 'tool/result'
  | 'context/message'
  | 'steering/message'
  | 'assistant/chunk'
  | 'tool/call'
  | 'prompt/blocked'
  | 'todo/write'
> = {
  'host/message': hostMessage,
  'user/message': () => sentence('A message of the user was added.'),
  'assistant/message': () => sentence('An answer was added.'),
  'tool/result': ({ isError }) =>
    isError ? sentence('A tool result that is an error was added.') : sentence('A tool result was added.'),
  'context/message': () => sentence('Additional context was added.'),
  'steering/message': () => sentence('A correction by the user was added.'),
  'assistant/chunk': () => sentence('A piece of an answer arrived.'),
  'tool/call': ({ name }) => sentence('The model called the tool {0}.', name),
  'prompt/blocked': () => sentence('A hook refused a prompt.'),
  'todo/write': () => sentence('The list of things to do was written.'),
};

function hostMessage(data: EventData<'host/message'>, { surfaceOp }: LogEvent): Message {
  const { message, cause, channel, source, failed } = data;
  if (!isJsonObject(message)) {
    return cause === 'budget'
      ? sentence('The budget layer took messages out of the requests.')
      : sentence('Messages left the history.');
  }
  if (cause !== undefined) {
    return sentence(CHANGED[cause]);
  }
  if (surfaceOp !== 'append') {
    return sentence('Messages of the history were replaced.');
  }
  if (channel !== undefined) {
    return sentence('A message of {0} was added through the channel {1}.', source ?? '?', channel);
  }
  if (failed) {
    return sentence('An answer that failed was added; it consumes nothing.');
  }
  const { role } = message;
  return typeof role === 'string'
    ? sentence('A message with the role {0} was added.', role)
    : sentence('A message was added.');
}
