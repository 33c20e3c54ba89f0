import type { EventData } from '../../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';

/** A name that a shell takes as it stands: agents choose it, and people copy lines. */
const TYPABLE = /^\w[\w.-]*$/;

/**
 * What would work, for a person whose message tried to discard a block: the line may have been pasted, so it is not obeyed. Absent for
 * every other event.
 */
export function deniedInMessage({ type, data }: LogEvent, sessionId: string): string | undefined {
  if (type !== 'discard/denied') {
    return undefined;
  }
  const { class: asker, blockId } = data as unknown as EventData<'discard/denied'>;
  if (asker !== 'user') {
    return undefined;
  }
  const session = TYPABLE.test(sessionId) ? sessionId : 'SESSION';
  return `A line in your message discards nothing. To drop block ${blockId}, type in another terminal while the agent runs: context-lifecycle discard ${session} ${blockId}`;
}
