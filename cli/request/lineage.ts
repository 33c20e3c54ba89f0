import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { Surface } from '../../protocol/request/surface.ts';
import type { SurfaceEntry } from '../../protocol/request/surfaceEntry.ts';

/** What became of the messages of one request until another one, as the log says it. */
export interface Lineage {
  /** Those that show the model something, in order. */
  readonly before: readonly SurfaceEntry[];
  readonly after: readonly SurfaceEntry[];
  /** The events that replaced a message of `before` one after the other; empty for one that still stands. */
  replacements(entry: SurfaceEntry): readonly LogEvent[];
}

/**
 * The messages behind the prefix of two requests, given by the `seq`s of their `step/start`, the earlier one first. Throws
 * `CorruptLogError` when the log cannot be read until then.
 */
export function lineageOf(events: readonly LogEvent[], from: number, to: number): Lineage {
  let surface = Surface.EMPTY;
  let before = surface;
  const replacedBy = new Map<number, LogEvent>();
  for (const [index, event] of events.slice(0, to).entries()) {
    if (index === from) {
      before = surface;
    }
    if (index >= from) {
      for (const { seq } of replacedEntries(surface, event)) {
        replacedBy.set(seq, event);
      }
    }
    surface = surface.after(event, index);
  }
  return {
    before: shown(from === to ? surface : before),
    after: shown(surface),
    replacements: ({ seq }) => chainOf(seq, replacedBy),
  };
}

function shown(surface: Surface): readonly SurfaceEntry[] {
  return surface.entries().filter(({ message }) => message !== undefined);
}

function replacedEntries(surface: Surface, { surfaceOp }: LogEvent): readonly SurfaceEntry[] {
  if (surfaceOp === undefined || surfaceOp === 'append') {
    return [];
  }
  const replaced: SurfaceEntry[] = [];
  const end = surface.entryOf(surfaceOp.end);
  for (let entry = surface.entryOf(surfaceOp.start); entry; entry = surface.next(entry)) {
    replaced.push(entry);
    if (entry === end) {
      break;
    }
  }
  return replaced;
}

function chainOf(seq: number, replacedBy: ReadonlyMap<number, LogEvent>): readonly LogEvent[] {
  const chain: LogEvent[] = [];
  for (let event = replacedBy.get(seq); event; event = replacedBy.get(event.seq)) {
    chain.push(event);
  }
  return chain;
}
