import { editsInForce } from '../applyEdits.ts';
import type { Edit, Limits } from '../budgetEvents.ts';
import type { BudgetView } from '../budgetView.ts';
import type { BudgetFold, Classified } from '../classification.ts';
import type { EditedEntry } from '../editedEntry.ts';
import { type Edited, EditedView } from './editedView.ts';
import { GroupList } from './groupList.ts';
import { newWork, type PlanningWork } from './planningWork.ts';
import { TierList } from './tierList.ts';

/** A view as edits leave it, in its tiers. */
export interface Planned extends Edited, Classified {}

/** What is known of the last view: all of it belongs together. */
interface Last {
  readonly edited: EditedView;
  readonly groups: GroupList<EditedEntry>;
  readonly tiers: TierList;
}

/**
 * What planning has learned of one session's requests: the next one costs what is new in it. Views hold the same objects for
 * entries that have not changed, and the log only grows.
 */
export class PlanningMemo {
  readonly #work: PlanningWork;
  #last: Last | undefined;
  #edits: readonly Edit[] = [];
  #inForce: readonly Edit[] = [];

  /** `work` counts what planning costs. */
  constructor(work: PlanningWork = newWork()) {
    this.#work = work;
  }

  /** `editsInForce`, and the same list again while they are the same edits. */
  inForce(edits: readonly Edit[]): readonly Edit[] {
    const before = this.#edits;
    if (edits.length !== before.length || edits.some((edit, place) => edit !== before[place])) {
      this.#inForce = editsInForce(edits);
    }
    this.#edits = edits;
    return this.#inForce;
  }

  /** The view with these edits, which are all in force, tier by tier. */
  plan(view: BudgetView, edits: readonly Edit[], fold: BudgetFold, limits: Limits): Planned {
    const last = this.#last ?? this.#begin();
    // Should a counter throw, the next view begins anew.
    this.#last = undefined;
    const edited = last.edited.apply(view.entries, edits, view.order);
    const { kept } = last.groups.update(edited.entries);
    const classified = last.tiers.update(kept, view, fold, limits);
    this.#last = last;
    return { ...edited, ...classified };
  }

  #begin(): Last {
    const groups = new GroupList<EditedEntry>(this.#work);
    return { edited: new EditedView(this.#work), groups, tiers: new TierList(groups, this.#work) };
  }
}
