import type { EventData } from '../../protocol/log/sessionEvents.ts';
import { isJsonObject } from '../../protocol/request/json.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';

/** What a log says of one request beside what was sent. */
export interface LoggedRequest {
  readonly event: LogEvent;
  readonly sealed: EventData<'request/sealed'>;
  readonly turn?: number;
  readonly step?: number;
  readonly ended?: EventData<'step/end'>;
  /** Absent where the log says nothing of the body that carried it. */
  readonly body?: EventData<'request/body'>;
  /** The first that is a mismatch, else the last. */
  readonly receipt?: EventData<'request/receipt'>;
}

/** Absent where no request of this number was sealed. */
export function loggedRequest(events: readonly LogEvent[], requestSequence: number): LoggedRequest | undefined {
  const isOfIt = ({ data }: LogEvent): boolean => isJsonObject(data) && data['requestSequence'] === requestSequence;
  const event = events.find(each => each.type === 'request/sealed' && isOfIt(each));
  if (!event) {
    return undefined;
  }
  const sealed = dataOf<'request/sealed'>(event);
  const start = events[sealed.stepStart];
  // The second one, where there are two, tells more.
  const ended = events.findLast(each => each.type === 'step/end' && isOfIt(each));
  const body = events.find(each => each.type === 'request/body' && isOfIt(each));
  const receipts = events
    .filter(each => each.type === 'request/receipt' && isOfIt(each))
    .map(each => dataOf<'request/receipt'>(each));
  // What left once cannot be made good by what left later.
  const receipt = receipts.find(({ result }) => result === 'mismatch') ?? receipts.at(-1);
  const { turn, step } = start?.type === 'step/start' ? dataOf<'step/start'>(start) : {};
  return {
    event,
    sealed,
    ...(turn !== undefined && { turn }),
    ...(step !== undefined && { step }),
    ...(ended && { ended: dataOf<'step/end'>(ended) }),
    ...(body && { body: dataOf<'request/body'>(body) }),
    ...(receipt && { receipt }),
  };
}

/** Data of an event that the log's reader has checked. */
function dataOf<Type extends 'request/sealed' | 'step/start' | 'step/end' | 'request/body' | 'request/receipt'>(
  event: LogEvent,
): EventData<Type> {
  return event.data as unknown as EventData<Type>;
}

/** Whether the log holds content at the moment of an event; where it holds hashes, requests cannot be read. */
export function holdsContent(events: readonly LogEvent[], seq: number): boolean {
  return events
    .slice(0, seq)
    .filter(({ type }) => type === 'session/opened')
    .every(({ data }) => isJsonObject(data) && data['content'] !== 'hashes');
}
