import type { ViewEntry } from '../../lifecycle/view.ts';
import type { KnownOrder } from '../../request/appended.ts';
import type { Edit } from '../budgetEvents.ts';
import { type EditedEntry, entryOf, isAnswer } from '../editedEntry.ts';
import { GroupList } from './groupList.ts';
import { LeftView } from './leftView.ts';
import { type Notice, NoticePlaces } from './noticePlaces.ts';
import type { PlanningWork } from './planningWork.ts';

/** A view as edits leave it. */
export interface Edited {
  /** Nobody changes it. */
  readonly entries: readonly EditedEntry[];
  /** Whether something of the view is gone, be it that a summary stands for it. */
  readonly hides: boolean;
}

/** Applies edits to one view after another; each costs what is new in it, and one whose edits take something else all of it. */
export class EditedView {
  readonly #entries = new WeakMap<Edit, EditedEntry>();
  readonly #view: GroupList;
  readonly #left: LeftView;
  /** What is left, where edits take something. */
  readonly #remains: GroupList<EditedEntry>;
  readonly #places: NoticePlaces;
  #edits: readonly Edit[] = [];
  #notices: readonly Notice[] = [];

  constructor(work: PlanningWork) {
    this.#view = new GroupList(work);
    this.#left = new LeftView(this.#view, edit => this.#entryOf(edit), work);
    this.#remains = new GroupList(work);
    this.#places = new NoticePlaces(this.#left);
  }

  /** `edits` are all in force; without any the entries are the very list. */
  apply(view: readonly ViewEntry[], edits: readonly Edit[], order: KnownOrder | undefined): Edited {
    if (edits !== this.#edits) {
      this.#edits = edits;
      this.#notices = edits.filter(isPlaced).flatMap(edit => this.#noticeOf(edit));
    }
    const regrouped = this.#view.update(view);
    const from = this.#left.update(regrouped, edits);
    this.#places.changed(this.#left.unitsFrom(from), this.#left.leftBefore(from));
    const placed = this.#withNotices(order);
    const { question, standIns } = this.#left;
    const entries = question && isAnswer(placed[0]) ? [...question, ...placed] : placed;
    return { entries, hides: entries.length - standIns - this.#notices.length < view.length };
  }

  #withNotices(order: KnownOrder | undefined): readonly EditedEntry[] {
    const { entries, isWhole } = this.#left;
    if (this.#notices.length === 0) {
      return entries;
    }
    if (!isWhole) {
      this.#remains.update(entries);
    }
    return this.#places.placed(isWhole ? this.#view : this.#remains, this.#notices, order);
  }

  #noticeOf(edit: Edit): readonly Notice[] {
    const entry = this.#entryOf(edit);
    return entry ? [{ edit, entry }] : [];
  }

  /** The same object each time, so that what stands there is known again. */
  #entryOf(edit: Edit): EditedEntry | undefined {
    const entry = this.#entries.get(edit) ?? entryOf(edit);
    if (entry) {
      this.#entries.set(edit, entry);
    }
    return entry;
  }
}

/** What is appended; and what a session took over from another one, which stands for no unit of this one. */
function isPlaced({ kind, units }: Edit): boolean {
  return kind === 'append' || (kind === 'summarize' && units.length === 0);
}
