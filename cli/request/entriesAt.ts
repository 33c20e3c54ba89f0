import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { Surface } from '../../protocol/request/surface.ts';
import type { SurfaceEntry } from '../../protocol/request/surfaceEntry.ts';

/** The events whose messages the request of a step holds behind its prefix, in order. Throws `CorruptLogError`. */
export function entriesAt(events: readonly LogEvent[], stepStart: number): readonly SurfaceEntry[] {
  let surface = Surface.EMPTY;
  for (const [index, event] of events.slice(0, stepStart).entries()) {
    surface = surface.after(event, index);
  }
  return surface.entries().filter(({ message }) => message !== undefined);
}
