import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import { eventSentence } from '../../../protocol/log/eventSentence.ts';
import type { EventData } from '../../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';

/**
 * What a person should hear of the budget layer who has no editor open: a request that is sent although it is above its limit, and
 * a limit that a provider taught. A request that is not sent is told by its refusal. Absent for every other event.
 */
export function budgetNotice(event: LogEvent): string | undefined {
  const isWarned =
    event.type === 'budget/measured' && (event.data as unknown as EventData<'budget/measured'>).gate === 'warned';
  return isWarned || event.type === 'budget/limit-learned' ? renderMessage(eventSentence(event)) : undefined;
}
