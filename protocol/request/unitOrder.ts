import type { Surface } from './surface.ts';
import type { SurfaceEntry } from './surfaceEntry.ts';

/**
 * Which unit stood before which, for units that are gone too: what followed a unit that the host compacted away goes after
 * the nearest earlier one that is left (DESIGN, flow 2). It follows from the log alone, so a resume knows it again.
 */
export class UnitOrder {
  /** Of each unit that ever was in the history, the one before it where it stood last; "" is the start. */
  readonly #before = new Map<string, string>();

  /** Takes over what one event did to the surface; `entry` is that event's. */
  follow(before: Surface, after: Surface, entry: SurfaceEntry): void {
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
