import type { ViewEntry } from '../../lifecycle/view.ts';
import type { Edit } from '../budgetEvents.ts';
import { type EditedEntry, editKey } from '../editedEntry.ts';
import { type Group, isQuestion } from '../groups.ts';
import type { GroupList, Regrouped } from './groupList.ts';
import type { PlanningWork } from './planningWork.ts';

/** What became of one group of the view. */
interface Fate {
  /** The edit that took it. */
  readonly edit: Edit | undefined;
  /** How many entries are left of it and of those before it. */
  readonly end: number;
}

/** Where an edit shows its message. */
interface StandIn {
  readonly edit: Edit;
  /** The first group that it took, and the place of its entry among those that are left; absent without a message. */
  readonly group: number;
  readonly place: number | undefined;
}

/**
 * What edits leave of one view after another, and what they show in the place of the rest. A group goes only as a whole, when
 * every unit of it belongs to the edit. Where a view begins with the groups of the one before, and nothing else about the edits
 * is new, only what follows is looked at.
 */
export class LeftView {
  readonly #work: PlanningWork;
  readonly #entryOf: (edit: Edit) => EditedEntry | undefined;
  #view: GroupList;
  #given: readonly Edit[] = [];
  /** Of those, the ones that take something. */
  #edits: readonly Edit[] = [];
  /** The units by which it is decided whether an edit covers anything. */
  #deciding: ReadonlySet<string> = new Set();
  #covering: readonly Edit[] = [];
  /** Which of the covering edits each unit belongs to. */
  #covered: ReadonlyMap<string, Edit> = new Map();
  readonly #fates: Fate[] = [];
  readonly #left: EditedEntry[] = [];
  readonly #shown: StandIn[] = [];
  /** The same by unit, and by edit. */
  readonly #standIns = new Map<string | Edit, StandIn>();
  /** The questions of those groups that went before anything was shown. */
  readonly #questions: number[] = [];
  #asked = -1;
  #messages = 0;

  /** `entryOf` gives what an edit shows, the same object each time; absent where it shows nothing. */
  constructor(view: GroupList, entryOf: (edit: Edit) => EditedEntry | undefined, work: PlanningWork) {
    this.#view = view;
    this.#entryOf = entryOf;
    this.#work = work;
  }

  /** Whether edits cover nothing: all of the view is left. */
  get isWhole(): boolean {
    return this.#covered.size === 0;
  }

  /** How many messages of edits are in it. */
  get standIns(): number {
    return this.#messages;
  }

  /** The last question of those that went before anything was shown; absent without one. */
  get question(): readonly EditedEntry[] | undefined {
    return this.isWhole ? undefined : this.#view.groups[this.#questions.at(-1) ?? -1]?.entries;
  }

  /** Another list each time, unless edits cover nothing. */
  get entries(): readonly EditedEntry[] {
    return this.isWhole ? this.#view.entries : this.#left.slice();
  }

  /**
   * The view's list was updated just now; `edits` are all in force. Gives the number of the first group that was looked at: what
   * became of those before it is as it was.
   */
  update({ kept, dropped }: Regrouped<ViewEntry>, edits: readonly Edit[]): number {
    const { groups, asked } = this.#view;
    const mayDiffer = this.#take(edits) || [...dropped, ...groups.slice(kept)].some(group => this.#decides(group));
    const isOther = mayDiffer && this.#cover();
    const from = isOther ? 0 : Math.min(kept, this.#firstAskedAnew(asked));
    this.#asked = asked;
    if (!this.isWhole) {
      this.#cut(Math.min(from, this.#fates.length));
      for (let number = this.#fates.length; number < groups.length; number++) {
        this.#decide(groups[number] as Group, number);
      }
    }
    return from;
  }

  /** How many entries are left of the groups before this one. */
  leftBefore(group: number): number {
    return this.isWhole ? this.#view.startOf(group) : this.#endBefore(group);
  }

  /** All units that may be found in or behind this group: those of the view, and those of edits' messages. */
  unitsFrom(group: number): readonly string[] {
    const units = this.#view.groups.slice(group).flatMap(({ keys }) => keys);
    for (let place = this.#shown.length - 1; place >= 0; place--) {
      const shown = this.#shown[place];
      if (!shown || shown.group < group) {
        break;
      }
      units.push(editKey(shown.edit));
    }
    return units;
  }

  /** The place of the entry that holds a unit, among those that are left; absent where none does. */
  placeOf(unit: string): number | undefined {
    const place = this.#view.placeOf(unit);
    if (this.isWhole || place === undefined) {
      return place ?? this.#standIns.get(unit)?.place;
    }
    const number = this.#view.groupAt(place);
    return this.#fates[number]?.edit ? undefined : this.#endBefore(number) + place - this.#view.startOf(number);
  }

  /** The unit that stands where an edit took this one: its message's, or the one before; absent where none took it. */
  standInFor(unit: string): string | undefined {
    const place = this.isWhole ? undefined : this.#view.placeOf(unit);
    const { edit, end } = (place === undefined ? undefined : this.#fates[this.#view.groupAt(place)]) ?? {};
    if (!edit || end === undefined) {
      return undefined;
    }
    return edit.message ? editKey(edit) : (this.#left[end - 1]?.keys.at(-1) ?? '');
  }

  /** Whether these are other edits. */
  #take(given: readonly Edit[]): boolean {
    if (given === this.#given) {
      return false;
    }
    const edits = given.filter(({ units }) => units.length > 0);
    const isSame = sameItems(edits, this.#edits);
    this.#given = given;
    this.#edits = edits;
    if (!isSame) {
      this.#deciding = new Set(edits.map(lastUnit));
    }
    return !isSame;
  }

  #decides({ keys }: Pick<Group, 'keys'>): boolean {
    return keys.some(key => this.#deciding.has(key));
  }

  /**
   * Which edit each unit belongs to; whether that changed. An edit whose last unit is gone covers none: a transcript that was
   * taken back to a place within it is shown as it is, and no summary tells of what was undone.
   */
  #cover(): boolean {
    const covering = this.#edits.filter(edit => this.#view.placeOf(lastUnit(edit)) !== undefined);
    if (sameItems(covering, this.#covering)) {
      return false;
    }
    this.#covering = covering;
    this.#covered = new Map(covering.flatMap(edit => edit.units.map(unit => [unit, edit] as const)));
    this.#cut(0);
    return true;
  }

  /** The first group that counts for the last question no more, or does since now, and that an edit would take. */
  #firstAskedAnew(asked: number): number {
    const moved = asked === this.#asked ? [] : [asked, this.#asked];
    const spared = moved.filter(number => {
      const group = this.#view.groups[number];
      return group && isSparedBy(this.#editOf(group));
    });
    return Math.min(...spared, Number.POSITIVE_INFINITY);
  }

  #decide(group: Group, number: number): void {
    this.#work.compared++;
    const found = this.#editOf(group);
    // Whatever is said again is the same unit where the host dropped the first.
    const edit = number === this.#asked && isSparedBy(found) ? undefined : found;
    if (!edit) {
      for (const entry of group.entries) {
        this.#left.push(entry);
      }
    } else if (this.#left.length === 0 && isQuestion(group)) {
      this.#questions.push(number);
    }
    if (edit && !this.#standIns.has(edit)) {
      this.#show(edit, number);
    }
    this.#fates.push({ edit, end: this.#left.length });
  }

  #show(edit: Edit, group: number): void {
    const entry = this.#entryOf(edit);
    const shown = { edit, group, place: entry && this.#left.length };
    this.#shown.push(shown);
    this.#standIns.set(edit, shown).set(editKey(edit), shown);
    if (entry) {
      this.#left.push(entry);
      this.#messages++;
    }
  }

  /** The one edit that all units of a group belong to. */
  #editOf({ keys }: Pick<Group, 'keys'>): Edit | undefined {
    const edit = this.#covered.get(keys[0] ?? '');
    return edit && keys.every(key => this.#covered.get(key) === edit) ? edit : undefined;
  }

  #endBefore(number: number): number {
    return this.#fates[number - 1]?.end ?? 0;
  }

  /** Forgets what became of the groups from this one on. */
  #cut(from: number): void {
    this.#fates.length = from;
    this.#left.length = this.#endBefore(from);
    for (let last = this.#shown.at(-1); last && last.group >= from; last = this.#shown.at(-1)) {
      this.#standIns.delete(last.edit);
      this.#standIns.delete(editKey(last.edit));
      this.#messages -= last.place === undefined ? 0 : 1;
      this.#shown.pop();
    }
    while ((this.#questions.at(-1) ?? -1) >= from) {
      this.#questions.pop();
    }
  }
}

/** The last question of a user is never taken, but by who unloads a document. */
function isSparedBy(edit: Edit | undefined): boolean {
  return edit !== undefined && edit.kind !== 'unload';
}

function lastUnit({ units }: Edit): string {
  return units.at(-1) ?? '';
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, place) => item === right[place]);
}
