import { CorruptLogError } from '../request/corruptLogError.ts';
import type { LogEvent } from '../request/logEvent.ts';
import type { EventData, SessionEventType } from './sessionEvents.ts';
import type { Placed, SessionState } from './sessionState.ts';

/** The next state while `reduce` makes it; nobody else has seen it yet. */
export type Draft = { -readonly [Member in keyof SessionState]: SessionState[Member] };

/** Brings a draft, which has its `nextSeq` and `time` already, to what the event says. Throws `CorruptLogError`. */
export type Advance = (next: Draft, event: LogEvent) => void;

/** The data of an event whose type is this one: `readEvent` or the writer has checked it. */
export function dataOf<Type extends SessionEventType>(_: Type, event: LogEvent): EventData<Type> {
  return event.data as EventData<Type>;
}

export function placed<Type extends SessionEventType>(type: Type, event: LogEvent): Placed<Type> {
  return { ...dataOf(type, event), seq: event.seq, time: event.time };
}

/** An event that cannot be true after those before it; `index` and `seq` are the same in a log that was folded so far. */
export function contradiction({ seq }: LogEvent, reason: string): CorruptLogError {
  return new CorruptLogError(seq, seq, reason);
}
