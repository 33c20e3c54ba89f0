import type { ViewEntry } from '../../lifecycle/view.ts';
import { type Group, groupOf, isQuestion } from '../groups.ts';
import type { PlanningWork } from './planningWork.ts';
import { UndoMap } from './undoMap.ts';

/** What one more list of entries left of the groups before. */
export interface Regrouped<Entry extends ViewEntry> {
  /** How many groups at the start are the very same. */
  readonly kept: number;
  /** Those that are not there any more. */
  readonly dropped: readonly Group<Entry>[];
}

/**
 * The groups of one list of entries after another. Where a list begins with the entries of the one before, the very objects,
 * only what follows is grouped; and what a result that came since belongs to. Every entry is in one group.
 */
export class GroupList<Entry extends ViewEntry = ViewEntry> {
  readonly #work: Pick<PlanningWork, 'grouped'>;
  #entries: readonly Entry[] = [];
  readonly #groups: Group<Entry>[] = [];
  /** The place of each group's first entry. */
  readonly #starts: number[] = [];
  /** Which groups are questions. */
  readonly #questions: number[] = [];
  /** The places of the entries that made calls; answered ones too, since some calls have more results than one. */
  readonly #made = new UndoMap<number>();
  /** The place of each unit's entry. */
  readonly #places = new UndoMap<number>();

  constructor(work: Pick<PlanningWork, 'grouped'>) {
    this.#work = work;
  }

  /** Never changed by an update. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Of the last update; the next one changes this very list. */
  get groups(): readonly Group<Entry>[] {
    return this.#groups;
  }

  /** The number of the last group that is a question; -1 without one. */
  get asked(): number {
    return this.#questions.at(-1) ?? -1;
  }

  update(entries: readonly Entry[]): Regrouped<Entry> {
    const before = this.#entries;
    const shared = sharedStart(before, entries);
    let kept = this.#groups.length;
    while (kept > 0 && this.endOf(kept - 1) > shared) {
      kept--;
    }
    const from = this.#starts[kept] ?? before.length;
    this.#starts.length = kept;
    this.#made.undo(from);
    this.#places.undo(from);
    this.#entries = entries;
    for (let place = from; place < entries.length; place++) {
      this.#add(entries[place] as Entry, place);
      // The last group has grown, and a result may have made one of several.
      kept = Math.min(kept, this.#starts.length - 1);
    }
    return { kept, dropped: this.#regroup(kept) };
  }

  /** The place of a group's first entry. */
  startOf(group: number): number {
    return this.#starts[group] ?? this.#entries.length;
  }

  /** The place behind a group's last entry. */
  endOf(group: number): number {
    return this.startOf(group + 1);
  }

  /** The place of the entry that holds a unit; absent where none does. */
  placeOf(unit: string): number | undefined {
    return this.#places.get(unit);
  }

  /** The number of the group that the entry at a place belongs to. */
  groupAt(place: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= place) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** As `placesOutsidePairs` parts entries. */
  #add({ keys, calls, answers, item = false }: Entry, place: number): void {
    for (const key of keys) {
      this.#places.write(place, key, place);
    }
    for (const call of calls) {
      this.#made.write(place, call, place);
    }
    const before = item && this.#entries[place - 1]?.item ? place - 1 : place;
    const start = Math.min(before, ...answers.map(call => this.#made.get(call) ?? place));
    while ((this.#starts.at(-1) ?? -1) > start) {
      this.#starts.pop();
    }
    if (start === place) {
      this.#starts.push(place);
    }
  }

  /** Makes all groups from this one on anew; gives the old ones. */
  #regroup(from: number): readonly Group<Entry>[] {
    const dropped = this.#groups.splice(from);
    while ((this.#questions.at(-1) ?? -1) >= from) {
      this.#questions.pop();
    }
    for (let number = from; number < this.#starts.length; number++) {
      const group = groupOf(this.#entries.slice(this.startOf(number), this.endOf(number)));
      this.#work.grouped += group.entries.length;
      this.#groups.push(group);
      if (isQuestion(group)) {
        this.#questions.push(number);
      }
    }
    return dropped;
  }
}

function sharedStart(before: readonly unknown[], now: readonly unknown[]): number {
  const most = Math.min(before.length, now.length);
  if (before === now) {
    return most;
  }
  let shared = 0;
  while (shared < most && before[shared] === now[shared]) {
    shared++;
  }
  return shared;
}
