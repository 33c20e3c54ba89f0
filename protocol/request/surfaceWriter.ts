import type { PlacedEntry } from './appended.ts';
import type { SurfaceOp } from './logEvent.ts';
import { type Bound, type HostMessageEvent, isShown, type SurfaceSlot } from './surfaceSlot.ts';

type Data = HostMessageEvent['data'];

/** An entry that has no slot yet, and where its units stood before. */
interface Homeless {
  readonly entry: PlacedEntry;
  readonly was: SurfaceSlot | undefined;
}

/** Walks a surface and a view side by side, and writes the events that make the one show the other. */
export class SurfaceWriter {
  readonly events: HostMessageEvent[] = [];
  readonly #surface: readonly SurfaceSlot[];
  readonly #entries: readonly PlacedEntry[];
  /** Slots and entries before this are settled or among the open ones. */
  #reached: Bound;
  /** Slots whose messages do not stay where they are, and entries that have no slot yet, both since the last that stayed. */
  #slots: SurfaceSlot[] = [];
  #open: Homeless[] = [];
  /** Where an entry's units stood before; set before anything is met. */
  moved: (entry: PlacedEntry) => SurfaceSlot | undefined = () => undefined;
  /** Whether an appended message, which moves by itself, gave its slot to this entry; set with `moved`. */
  madeRoom: (slot: SurfaceSlot, entry: PlacedEntry | undefined) => boolean = () => false;
  /** Whether the message with these keys is one of an edit of the budget layer, or was taken out by one; set with `moved`. */
  edited: (keys: readonly string[]) => boolean = () => false;

  constructor(surface: readonly SurfaceSlot[], entries: readonly PlacedEntry[], start: Bound) {
    this.#surface = surface;
    this.#entries = entries;
    this.#reached = start;
  }

  /** The units of this slot are those of this entry. */
  meet(slot: number, entry: number): void {
    this.#reach({ slot, entry });
    this.#reached = { slot: slot + 1, entry: entry + 1 };
    const [held, wanted] = [this.#surface[slot], this.#entries[entry]];
    if (!held || !wanted) {
      return;
    }
    if (this.#open.length > this.#slots.length) {
      this.#slots.push(held);
      this.#open.push({ entry: wanted, was: held });
      return;
    }
    this.#settle();
    if (!isShown(held, wanted)) {
      this.#replace([held], { entry: wanted, was: held });
    }
  }

  /** From here to the end, every message on the surface is that of the entry beside it. */
  meetEnd(end: Bound): void {
    this.#reach(end);
    let { entry } = end;
    for (let { slot } = end; slot < this.#surface.length; slot++) {
      if (this.#surface[slot]?.message) {
        this.meet(slot, entry++);
      }
    }
    this.#reach({ slot: this.#surface.length, entry });
    const room = this.#slots.some(({ message }) => message) ? this.#slots.length : 0;
    const rest = this.#open.splice(room);
    this.#settle();
    for (const homeless of rest) {
      this.#write(homeless, 'append', undefined);
    }
  }

  #reach({ slot, entry }: Bound): void {
    for (let { slot: at } = this.#reached; at < slot; at++) {
      const held = this.#surface[at];
      if (held) {
        this.#slots.push(held);
      }
    }
    for (let { entry: at } = this.#reached; at < entry; at++) {
      const wanted = this.#entries[at];
      if (wanted) {
        this.#open.push({ entry: wanted, was: this.moved(wanted) });
      }
    }
    this.#reached = { slot, entry };
  }

  /** Puts the open entries, of which there are no more than slots, into the open slots; the first one takes what is too much. */
  #settle(): void {
    const [slots, open] = [this.#slots, this.#open];
    this.#slots = [];
    this.#open = [];
    const [first, ...others] = open;
    const spare = slots.length - others.length;
    if (first) {
      this.#replace(slots.slice(0, spare), first);
      for (const [place, homeless] of others.entries()) {
        this.#replace(slots.slice(spare + place, spare + place + 1), homeless);
      }
      return;
    }
    const from = slots.findIndex(({ message }) => message);
    const to = slots.findLastIndex(({ message }) => message);
    if (from >= 0) {
      this.#write(undefined, rangeOf(slots.slice(from, to + 1)), slots.slice(from, to + 1));
    }
  }

  #replace(slots: readonly SurfaceSlot[], homeless: Homeless): void {
    if (slots.length > 1 || !isShown(slots[0], homeless.entry)) {
      this.#write(homeless, rangeOf(slots), slots);
    }
  }

  #write(homeless: Homeless | undefined, surfaceOp: SurfaceOp, replaced: readonly SurfaceSlot[] | undefined): void {
    const cause = this.#causeOf(homeless, replaced);
    this.events.push({
      type: 'host/message',
      data: homeless ? hostMessage(homeless.entry, cause) : { message: null, units: [], ...(cause && { cause }) },
      surfaceOp,
      ...(replaced && { sourceEventSeqs: replaced.map(({ seq }) => seq) }),
    });
  }

  #causeOf(homeless: Homeless | undefined, replaced: readonly SurfaceSlot[] | undefined): Data['cause'] {
    if (homeless && isShown(homeless.was, homeless.entry)) {
      return 'moved';
    }
    if (homeless ? this.edited(homeless.entry.keys) : replaced?.every(({ keys }) => this.edited(keys))) {
      return 'budget';
    }
    if (homeless?.entry.changed) {
      return 'tombstone';
    }
    return replaced?.every(slot => this.madeRoom(slot, homeless?.entry)) ? undefined : replaced && 'host-rewrite';
  }
}

function hostMessage(entry: PlacedEntry, cause: Data['cause']): Data {
  const { message, keys, failed, appended } = entry;
  return {
    message,
    units: keys,
    ...(cause && { cause }),
    ...(appended && { after: appended.after }),
    ...(appended?.channel && { channel: appended.channel }),
    ...(appended?.source !== undefined && { source: appended.source }),
    ...(failed && { failed }),
  };
}

function rangeOf(slots: readonly SurfaceSlot[]): SurfaceOp {
  const start = slots[0]?.seq ?? 0;
  return { op: 'replace', start, end: slots.at(-1)?.seq ?? start };
}
