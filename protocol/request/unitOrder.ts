import type { LogEvent } from './logEvent.ts';
import { Surface } from './surface.ts';

/**
 * Which unit stood before which, for units that are gone too: what followed a unit that the host compacted away goes after
 * the nearest earlier one that is left (DESIGN, flow 2). It follows from the log alone, so a resume knows it again.
 */
export class UnitOrder {
  /** Of each unit that ever was in the history, the one before it where it stood last; "" is the start. */
  readonly #before = new Map<string, string>();

  /** After these events, the start of a log that a surface was made of before. */
  static after(events: readonly LogEvent[]): UnitOrder {
    const order = new UnitOrder();
    let surface = Surface.EMPTY;
    for (const [index, event] of events.entries()) {
      const next = surface.after(event, index);
      order.follow(surface, next);
      surface = next;
    }
    return order;
  }

  /** Takes over what one event did to the surface. */
  follow(before: Surface, after: Surface): void {
    const entry = after.newest;
    if (!entry || before === after) {
      return;
    }
    const replaced = before.entryAt(entry.slot);
    const start = replaced ? this.before(replaced.keys[0] ?? '') : (before.last?.keys.at(-1) ?? '');
    const last = this.#chain(start, entry.keys);
    const next = replaced && after.next(entry)?.keys[0];
    if (next !== undefined) {
      this.#before.set(next, last);
    }
  }

  /** The unit before one; "" at the start, and where nothing is known of it. */
  before(unit: string): string {
    return this.#before.get(unit) ?? '';
  }

  #chain(start: string, units: readonly string[]): string {
    let last = start;
    for (const unit of units) {
      if (unit !== last) {
        this.#before.set(unit, last);
        last = unit;
      }
    }
    return last;
  }
}
