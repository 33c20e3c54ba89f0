import type { Json } from './json.ts';

/** Where an event that carries a message stands on the surface (request-log 2.4); `start` and `end` are seqs. */
export type SurfaceOp = 'append' | { readonly op: 'replace'; readonly start: number; readonly end: number };

/** One event of a session's log (request-log 2.1). Its `seq` is its place in the log, from 0. */
export interface LogEvent {
  readonly type: string;
  readonly seq: number;
  /** Unix milliseconds. */
  readonly time: number;
  readonly data: Json;
  /** Only, and always, on events that carry a message. */
  readonly surfaceOp?: SurfaceOp;
  /** Only on events that carry a message. */
  readonly sourceEventSeqs?: readonly number[];
  /** A reader that does not know the type may pass over the event. */
  readonly ignorable?: boolean;
}

/** An event's type; absent where an item of the list is no event. Logs are read from files, so nothing is taken for granted. */
export function typeOf(event: unknown): string | undefined {
  const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined;
  return typeof type === 'string' ? type : undefined;
}
