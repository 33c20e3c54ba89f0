import { Vector } from '../vector.ts';
import { type Fault, faultAt } from './corruptLogError.ts';
import { isJsonObject } from './json.ts';
import { type LogEvent, typeOf } from './logEvent.ts';
import { isMessageType } from './messageTypes.ts';
import { SurfaceEntry } from './surfaceEntry.ts';

/** An entry, or in a place that was taken away the number of a place further on before which all are taken away. */
type Slot = SurfaceEntry | number;

/**
 * The events whose messages the model sees, in order (request-log 2.4). It never changes: `after` gives another one that
 * shares nearly all of it, so that a history can keep the surface of many moments. A slot never moves: an append takes the
 * next one, and a replacement takes the first one of its range. So the order of slots is the order of the surface, and
 * finding an event's slot says whether it stands there. Each event is put on and taken off once: a fold is linear.
 */
export class Surface {
  static readonly EMPTY = new Surface(Vector.empty(), Vector.empty(), undefined, undefined);

  readonly #slots: Vector<Slot>;
  /** Every entry that there ever was, by rising seq. */
  readonly #placed: Vector<SurfaceEntry>;
  /** The entry of the last event that said anything of the surface; absent before the first. */
  readonly newest: SurfaceEntry | undefined;
  /** The last entry; absent on an empty surface. */
  readonly last: SurfaceEntry | undefined;

  private constructor(
    slots: Vector<Slot>,
    placed: Vector<SurfaceEntry>,
    newest: SurfaceEntry | undefined,
    last: SurfaceEntry | undefined,
  ) {
    this.#slots = slots;
    this.#placed = placed;
    this.newest = newest;
    this.last = last;
  }

  /**
   * The surface after one more event, which stands at this place in the log; the same one where the event says nothing of
   * it. Throws `CorruptLogError` when an event that carries a message is not at its own `seq`, has no `surfaceOp`, or
   * replaces a range that is not there; and when any other event has a `surfaceOp`.
   */
  after(event: LogEvent, index: number): Surface {
    const type = typeOf(event);
    if (type === undefined) {
      return this;
    }
    if (isMessageType(type)) {
      return this.#with(event, index, faultAt(index, event));
    }
    if (event.surfaceOp !== undefined) {
      // request-log 2.1: only message types have one. What shows a message that we cannot read is not passed over.
      throw faultAt(index, event)(`it has a surfaceOp, but ${JSON.stringify(type)} carries no message`);
    }
    return this;
  }

  /** In order, those that show the model nothing too. */
  entries(): readonly SurfaceEntry[] {
    const entries: SurfaceEntry[] = [];
    for (let entry = this.#from(0); entry; entry = this.#from(entry.slot + 1)) {
      entries.push(entry);
    }
    return entries;
  }

  /** The entry of an event that is on the surface; absent for all others. */
  entryOf(seq: unknown): SurfaceEntry | undefined {
    const entry = typeof seq === 'number' ? this.#everPlaced(seq) : undefined;
    return entry && this.entryAt(entry.slot) === entry ? entry : undefined;
  }

  /** The entry in a slot; absent where there is none. */
  entryAt(slot: number): SurfaceEntry | undefined {
    const held = this.#slots.get(slot);
    return typeof held === 'number' ? undefined : held;
  }

  /** The entry behind one of this surface; absent behind the last. */
  next({ slot }: SurfaceEntry): SurfaceEntry | undefined {
    return this.#from(slot + 1);
  }

  #from(slot: number): SurfaceEntry | undefined {
    let held = this.#slots.get(slot);
    while (typeof held === 'number') {
      held = this.#slots.get(held);
    }
    return held;
  }

  #everPlaced(seq: number): SurfaceEntry | undefined {
    let low = 0;
    let high = this.#placed.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const entry = this.#placed.get(middle);
      if (!entry || entry.seq === seq) {
        return entry;
      }
      if (entry.seq < seq) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return undefined;
  }

  #with(event: LogEvent, index: number, fault: Fault): Surface {
    if (event.seq !== index) {
      throw fault('its seq is not its place in the log');
    }
    const op: unknown = event.surfaceOp;
    if (op === 'append') {
      const entry = new SurfaceEntry(event, index, this.#slots.length);
      return new Surface(this.#slots.push(entry), this.#placed.push(entry), entry, entry);
    }
    if (!isJsonObject(op) || op['op'] !== 'replace') {
      throw fault('its surfaceOp is neither "append" nor a replace');
    }
    const start = this.entryOf(op['start']);
    const end = this.entryOf(op['end']);
    if (!start || !end) {
      throw fault('it replaces from or to an event that is not on the surface');
    }
    // Ranges are by position: after one replace the seqs on the surface are no longer in order.
    if (start.slot > end.slot) {
      throw fault('it replaces a range whose start stands after its end');
    }
    const entry = new SurfaceEntry(event, index, start.slot);
    const slots = this.#cleared(start.slot, end.slot).set(start.slot, entry);
    return new Surface(slots, this.#placed.push(entry), entry, end === this.last ? entry : this.last);
  }

  /** The slots behind the first of a range taken away, of which the first leads past the others. */
  #cleared(start: number, end: number): Vector<Slot> {
    let slots = this.#slots;
    for (let slot = start + 1; slot <= end; ) {
      const held = slots.get(slot);
      if (typeof held === 'number') {
        slot = held;
      } else {
        slots = slots.set(slot, end + 1);
        slot++;
      }
    }
    return start < end ? slots.set(start + 1, end + 1) : slots;
  }
}

/** The surface after these events, the start of a log. Throws what `Surface.after` throws. */
export function surfaceOf(events: readonly LogEvent[]): Surface {
  let surface = Surface.EMPTY;
  for (const [index, event] of events.entries()) {
    surface = surface.after(event, index);
  }
  return surface;
}
