import { type Amount, NOTHING, sumOf } from '../log/amounts.ts';
import type { JsonObject } from '../request/json.ts';
import { editsInForce } from './applyEdits.ts';
import type { Edit, Limits } from './budgetEvents.ts';
import type { BudgetConfig, BudgetView } from './budgetView.ts';
import { amountOf, type BudgetFold, type Classified, type TieredGroup } from './classification.ts';
import { type EditedEntry, isAnswer } from './editedEntry.ts';
import { isOverLimit } from './gate.ts';
import { type Planned, PlanningMemo } from './memo/planningMemo.ts';
import { changedTotal, type Totals, totalsOf } from './totals.ts';

/** What an edit is made of; its number, its totals and its hash follow. */
export type EditDraft = Pick<Edit, 'kind' | 'cause' | 'actor' | 'units'> &
  Partial<Pick<Edit, 'document' | 'form' | 'summary' | 'replaces' | 'notice' | 'interactions' | 'follows'>> & {
    readonly message?: JsonObject;
  };

/** The view while edits are planned: what each edit leaves is measured before the next one is thought of. */
export class Workbench {
  readonly view: BudgetView;
  readonly fold: BudgetFold;
  readonly config: BudgetConfig;
  readonly limits: Limits;
  readonly #memo: PlanningMemo;
  readonly #before: readonly Edit[];
  readonly #planned: Edit[] = [];
  #plan: Planned;
  #totals: Totals;

  constructor(view: BudgetView, fold: BudgetFold, config: BudgetConfig, limits: Limits) {
    this.view = view;
    this.fold = fold;
    this.config = config;
    this.limits = limits;
    this.#memo = view.memo ?? new PlanningMemo();
    this.#before = this.#memo.inForce(view.edits);
    this.#plan = this.#memo.plan(view, this.#before, fold, limits);
    this.#totals = totalsOf(this.#plan.sums, view, config);
  }

  /** All edits in force, the planned ones too. */
  get edits(): readonly Edit[] {
    return editsInForce([...this.#before, ...this.#planned]);
  }

  get planned(): readonly Edit[] {
    return this.#planned;
  }

  get entries(): readonly EditedEntry[] {
    return this.#plan.entries;
  }

  get classified(): Classified {
    return this.#plan;
  }

  /** Whether something of the view is gone, be it that a summary stands for it. */
  get hides(): boolean {
    return this.#plan.hides;
  }

  get totals(): Totals {
    return this.#totals;
  }

  get isOverLimit(): boolean {
    return isOverLimit(this.#totals.bound, this.limits);
  }

  /** Makes several edits, and measures once; each edit says how the total changes with it. Gives the edits. */
  make(drafts: readonly EditDraft[], pass?: number): readonly Edit[] {
    if (drafts.length === 0) {
      return [];
    }
    const known = this.#planned.length;
    let { total } = this.#totals;
    const places = placesOf(this.classified.groups);
    for (const draft of drafts) {
      const edit = this.#editOf(draft, pass, total, places);
      total = edit.after;
      this.#planned.push(edit);
    }
    this.#plan = this.#memo.plan(this.view, this.edits, this.fold, this.limits);
    this.#totals = totalsOf(this.#plan.sums, this.view, this.config);
    return this.#planned.slice(known);
  }

  /**
   * Whether the view would begin with an answer without these groups, although the transcript does not: the APIs of models
   * refuse that.
   */
  wouldBeginWithAnswer(groups: readonly TieredGroup[]): boolean {
    const gone = new Set(groups.flatMap(({ entries }) => entries));
    const first = this.entries.find(entry => !gone.has(entry));
    return isAnswer(first) && !isAnswer(this.view.entries[0]);
  }

  #editOf(
    { message, replaces = [], ...draft }: EditDraft,
    pass: number | undefined,
    before: Amount,
    places: Places,
  ): Edit {
    const gone = this.#amountOf(draft.units, replaces, places);
    const come = message ? this.view.tokensOf(message) : NOTHING;
    return {
      edit: this.fold.budget.edits.length + this.#planned.length + 1,
      ...draft,
      replaces,
      ...(pass !== undefined && { pass }),
      ...(message && { message, sha256: this.view.sha256(JSON.stringify(message)) }),
      before,
      after: changedTotal(before, gone, come),
      counter: this.view.counter,
      requestSequence: this.view.requestSequence,
    };
  }

  /** What the groups of these units, and the messages of these edits, take in the view as it stands. */
  #amountOf(units: readonly string[], edits: readonly number[], { byKey, byEdit }: Places): Amount {
    const found = [...units.map(unit => byKey.get(unit)), ...edits.map(edit => byEdit.get(edit))];
    const groups = new Set(found.filter(group => group !== undefined));
    return sumOf([...groups].map(group => amountOf(group, this.view)));
  }
}

/** Groups by their first unit, and those that stand for others by their edit. */
interface Places {
  readonly byKey: ReadonlyMap<string, TieredGroup>;
  readonly byEdit: ReadonlyMap<number, TieredGroup>;
}

function placesOf(groups: readonly TieredGroup[]): Places {
  const byKey = new Map<string, TieredGroup>();
  const byEdit = new Map<number, TieredGroup>();
  for (const group of groups) {
    const [key] = group.keys;
    const { edit } = group.entries[0] ?? {};
    if (key !== undefined) {
      byKey.set(key, group);
    }
    if (edit) {
      byEdit.set(edit.edit, group);
    }
  }
  return { byKey, byEdit };
}

/** Groups that stand side by side and are all wanted, in their order. */
export function runsOf(
  groups: readonly TieredGroup[],
  isWanted: (group: TieredGroup) => boolean,
): readonly (readonly TieredGroup[])[] {
  const runs: TieredGroup[][] = [];
  let isOpen = false;
  for (const group of groups) {
    const wanted = isWanted(group);
    if (wanted && isOpen) {
      runs.at(-1)?.push(group);
    } else if (wanted) {
      runs.push([group]);
    }
    isOpen = wanted;
  }
  return runs;
}

/** All units of these groups. */
export function unitsOf(groups: readonly TieredGroup[]): readonly string[] {
  return groups.flatMap(({ keys, entries }) => entries[0]?.edit?.units ?? keys);
}

export function tokensOf(groups: readonly TieredGroup[], view: BudgetView): number {
  return sumOf(groups.map(group => amountOf(group, view))).tokens;
}

/** The place of an edit that stands for no unit, for one that replaces it. */
export function followed({ follows }: Edit): Pick<Edit, 'follows'> {
  return follows === undefined ? {} : { follows };
}
