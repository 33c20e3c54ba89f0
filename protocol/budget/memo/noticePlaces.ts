import { type Anchor, anchorOf, type KnownOrder } from '../../request/appended.ts';
import type { Edit } from '../budgetEvents.ts';
import { type EditedEntry, editKey } from '../editedEntry.ts';
import type { GroupList } from './groupList.ts';
import type { LeftView } from './leftView.ts';

/** Where a notice goes: sorted by these numbers in turn. */
interface Place extends Anchor {
  readonly entry: EditedEntry;
  /** Of the entry before which it goes. */
  readonly at: number;
}

/** What is appended to a view, and where. */
export interface Notice {
  readonly edit: Edit;
  readonly entry: EditedEntry;
}

const NO_ORDER: KnownOrder = { before: () => '' };

/**
 * Puts notices into one view after another (DESIGN, flow 2): each after the unit that it follows, or what stands for that unit;
 * never between a call and its result. What was found out for units that are gone is kept while it holds.
 */
export class NoticePlaces {
  readonly #left: LeftView;
  #order: KnownOrder = NO_ORDER;
  /** What units that are gone stood behind. */
  #gone = new Map<string, Anchor>();
  /** The last entry that any of them stood behind. */
  #last = -1;
  /** What stands before notices that were passed by on the way: they are shown, and may be elsewhere in the next request. */
  #passed: ReadonlyMap<string, string> = new Map();

  constructor(left: LeftView) {
    this.#left = left;
  }

  /** Units that may have come, or come back, and how many entries at the start are the same as before. */
  changed(units: readonly string[], same: number): void {
    if (same === 0 || this.#last >= same || (this.#gone.size > 0 && units.some(unit => this.#gone.has(unit)))) {
      this.#forget();
    }
  }

  /** Among the entries of this list, which are those that edits left. */
  placed(
    list: GroupList<EditedEntry>,
    notices: readonly Notice[],
    order: KnownOrder = NO_ORDER,
  ): readonly EditedEntry[] {
    if (order !== this.#order || [...this.#passed].some(([key, before]) => order.before(key) !== before)) {
      this.#forget();
      this.#order = order;
    }
    const unsorted = this.#placesOf(list, notices);
    const passed = notices.map(({ edit }) => editKey(edit)).filter(key => this.#gone.has(key));
    this.#passed = new Map(passed.map(key => [key, order.before(key)]));
    const places = unsorted.toSorted((a, b) => a.at - b.at || a.anchor - b.anchor || a.distance - b.distance);
    const placed: readonly EditedEntry[] = [];
    const pieces: (readonly EditedEntry[])[] = [];
    let from = 0;
    for (const { at, entry } of places) {
      pieces.push(list.entries.slice(from, at), [entry]);
      from = at;
    }
    return placed.concat(...pieces, list.entries.slice(from));
  }

  #placesOf(list: GroupList<EditedEntry>, notices: readonly Notice[]): readonly Place[] {
    const placed = new Map<string, Place>();
    return notices.map(({ edit, entry }) => {
      const { follows = '' } = edit;
      const after = this.#left.standInFor(follows) ?? follows;
      const { anchor, distance } = placed.get(after) ?? this.#anchorOf(after);
      const at = anchor === -1 ? 0 : list.endOf(list.groupAt(anchor));
      const place = { entry, at, anchor, distance };
      placed.set(editKey(edit), place);
      return place;
    });
  }

  #anchorOf(unit: string): Anchor {
    const found = anchorOf(unit, { get: key => this.#left.placeOf(key) }, this.#order, this.#gone);
    if (found.distance > 0) {
      this.#last = Math.max(this.#last, found.anchor);
    }
    return found;
  }

  #forget(): void {
    this.#gone = new Map();
    this.#last = -1;
  }
}
