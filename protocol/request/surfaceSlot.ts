import type { NewEvent } from '../log/sessionEvents.ts';
import type { PlacedEntry } from './appended.ts';
import type { JsonObject } from './json.ts';
import { sameJson } from './sameJson.ts';

/** What is read of a surface to compare a view with it; a `SurfaceEntry` has it. */
export interface SurfaceSlot {
  readonly seq: number;
  /** Absent where the event shows the model nothing. */
  readonly message: JsonObject | undefined;
  readonly keys: readonly string[];
  /** Shows this message, which is deep-frozen and equal to its own, from now on: then one look tells that they are the same. */
  adopt?(message: JsonObject): void;
}

/** A place on the surface and one in the view. */
export interface Bound {
  readonly slot: number;
  readonly entry: number;
}

export type HostMessageEvent = Extract<NewEvent, { readonly type: 'host/message' }>;

/** Whether a slot shows an entry's message. */
export function isShown(slot: SurfaceSlot | undefined, entry: PlacedEntry | undefined): boolean {
  const before = slot?.message;
  const now = entry?.message;
  if (before === undefined || now === undefined || before === now) {
    return before !== undefined && before === now;
  }
  const isEqual = sameJson(before, now, 'ordered');
  if (isEqual) {
    slot?.adopt?.(now);
  }
  return isEqual;
}
