import type { PlacedEntry } from './appended.ts';
import { type Bound, type HostMessageEvent, isShown, type SurfaceSlot } from './surfaceSlot.ts';
import { SurfaceWriter } from './surfaceWriter.ts';

/**
 * The events after which a log's surface shows exactly the messages of a view; none where it does already. They are appended
 * in their order, with nothing on the surface changed in between.
 *
 * A message that stands where it stood needs no event, and is known by being the same object, or by being equal. One that
 * became another (a tombstone, a message that the host rewrote) replaces its own event; a range that became fewer messages
 * (a summary) or none is replaced as a range; what is new at the end is appended. A surface has no place between two events:
 * where more messages stand than before, those behind them move on by one place each until a place is free, or to the end.
 * Each event replaces only what was on the surface before, and names all that it replaces. `isEdited` tells by the keys of a
 * message whether an edit of the budget layer made it, or took it out.
 */
export function surfaceEdits(
  surface: readonly SurfaceSlot[],
  entries: readonly PlacedEntry[],
  isEdited: (keys: readonly string[]) => boolean = () => false,
): readonly HostMessageEvent[] {
  const start = sharedStart(surface, entries);
  const end = sharedEnd(surface, entries, start);
  const writer = new SurfaceWriter(surface, entries, start);
  writer.edited = isEdited;
  meetByKeys(surface, entries, start, end, writer);
  writer.meetEnd(end);
  return writer.events;
}

/** Behind the last of the leading messages that stay. Events that show nothing may lie between them. */
function sharedStart(surface: readonly SurfaceSlot[], entries: readonly PlacedEntry[]): Bound {
  let bound: Bound = { slot: 0, entry: 0 };
  for (let slot = 0; slot < surface.length && bound.entry < entries.length; slot++) {
    if (isShown(surface[slot], entries[bound.entry])) {
      bound = { slot: slot + 1, entry: bound.entry + 1 };
    } else if (surface[slot]?.message) {
      break;
    }
  }
  return bound;
}

/** At the first of the trailing messages that stay. */
function sharedEnd(surface: readonly SurfaceSlot[], entries: readonly PlacedEntry[], start: Bound): Bound {
  let bound: Bound = { slot: surface.length, entry: entries.length };
  for (let slot = surface.length - 1; slot >= start.slot && bound.entry > start.entry; slot--) {
    if (isShown(surface[slot], entries[bound.entry - 1])) {
      bound = { slot, entry: bound.entry - 1 };
    } else if (surface[slot]?.message) {
      break;
    }
  }
  return bound;
}

/** Tells the writer which of the messages in between are still the same units, whatever became of their text. */
function meetByKeys(
  surface: readonly SurfaceSlot[],
  entries: readonly PlacedEntry[],
  start: Bound,
  end: Bound,
  writer: SurfaceWriter,
): void {
  const lastOnSurface = new Map<string, number>();
  for (let slot = start.slot; slot < end.slot; slot++) {
    lastOnSurface.set(tokenOf(surface[slot]), slot);
  }
  const appended = new Set(entries.slice(start.entry).map(entry => (entry.appended ? tokenOf(entry) : '')));
  writer.madeRoom = (slot, entry) => appended.has(tokenOf(slot)) && tokenOf(slot) !== tokenOf(entry);
  writer.moved = entry => surface[lastOnSurface.get(tokenOf(entry)) ?? -1];
  for (let { slot, entry } = start; slot < end.slot && entry < end.entry; ) {
    const is = tokenOf(entries[entry]);
    if (tokenOf(surface[slot]) === is) {
      writer.meet(slot++, entry++);
    } else if ((lastOnSurface.get(is) ?? -1) < slot) {
      // It is new, or stood further ahead before: that counts as new, for it needs a place.
      entry++;
    } else {
      slot++;
    }
  }
}

function tokenOf(item: { readonly keys: readonly string[] } | undefined): string {
  return item ? item.keys.join(' ') : '';
}
