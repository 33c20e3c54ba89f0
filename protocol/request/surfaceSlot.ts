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
  return before !== undefined && now !== undefined && (before === now || sameJson(before, now, 'ordered'));
}
