import type { Limits } from '../budgetEvents.ts';
import type { BudgetView } from '../budgetView.ts';
import {
  type BudgetFold,
  type Classified,
  isRecent,
  recentTiers,
  type TieredGroup,
  tieredGroup,
  transcriptLength,
} from '../classification.ts';
import type { EditedEntry } from '../editedEntry.ts';
import type { Group } from '../groups.ts';
import type { GroupList } from './groupList.ts';
import { MeasuredGroups } from './measuredGroups.ts';
import type { PlanningWork } from './planningWork.ts';
import { TierSums } from './tierSums.ts';
import { UnitMarks } from './unitMarks.ts';

/**
 * The tiers of one list of groups after another (tiers 4, rule 1). The groups that are older than the last messages stay what they
 * are, unless something else is said of their units; only what is recent is looked at each time.
 */
export class TierList {
  readonly #work: PlanningWork;
  readonly #list: GroupList<EditedEntry>;
  readonly #measured: MeasuredGroups;
  readonly #marks = new UnitMarks();
  /** Those that are older than the last messages, and what they take. */
  readonly #older: TieredGroup[] = [];
  readonly #sums = TierSums.empty();
  /** Groups with a message of the host. */
  readonly #hosted: number[] = [];
  #asked = -1;
  #known = 0;

  constructor(list: GroupList<EditedEntry>, work: PlanningWork) {
    this.#list = list;
    this.#work = work;
    this.#measured = new MeasuredGroups(work);
  }

  /** The list was updated just now, and so many of its groups are the same as before. */
  update(same: number, view: BudgetView, fold: BudgetFold, limits: Limits): Classified {
    const { groups } = this.#list;
    const kept = Math.min(same, this.#known);
    this.#known = groups.length;
    const messages = transcriptLength(view);
    this.#shorten(Math.min(kept, this.#older.length));
    this.#find(groups, kept);
    const marked = this.#marks.update(fold, view.pinned);
    const changed = this.#measured.update(groups, kept, view);
    const asked = this.#asked;
    this.#asked = this.#list.asked;
    const moved = asked === this.#asked ? [] : [asked, this.#asked];
    new Set([...this.#holding(marked), ...changed, ...moved]).forEach(number => this.#renew(number, messages));
    const start = this.#firstRecent(groups, messages);
    this.#shorten(start);
    while (this.#older.length < start) {
      const group = this.#tiered(this.#older.length, messages);
      this.#sums.add(group);
      this.#older.push(group);
    }
    const recent = recentTiers(
      groups.slice(start).map((_, place) => this.#tiered(start + place, messages)),
      limits,
      view,
    );
    return { ...recent, groups: this.#older.concat(recent.groups), messages, sums: this.#sums.with(recent.groups) };
  }

  /** Numbers of the groups that hold one of these units. */
  #holding(units: readonly string[]): readonly number[] {
    return units.flatMap(unit => {
      const place = this.#list.placeOf(unit);
      return place === undefined ? [] : this.#list.groupAt(place);
    });
  }

  #renew(number: number, messages: number): void {
    const before = this.#older[number];
    if (before) {
      const group = this.#tiered(number, messages);
      this.#sums.subtract(before);
      this.#sums.add(group);
      this.#older[number] = group;
    }
  }

  #shorten(length: number): void {
    while (this.#older.length > length) {
      const group = this.#older.pop();
      if (group) {
        this.#sums.subtract(group);
      }
    }
  }

  #find(groups: readonly Group[], kept: number): void {
    while ((this.#hosted.at(-1) ?? -1) >= kept) {
      this.#hosted.pop();
    }
    for (let number = kept; number < groups.length; number++) {
      if (groups[number]?.lastHost !== undefined) {
        this.#hosted.push(number);
      }
    }
  }

  /** Messages of the host stand in its order. */
  #firstRecent(groups: readonly Group[], messages: number): number {
    let first = groups.length;
    for (let place = this.#hosted.length - 1; place >= 0; place--) {
      const number = this.#hosted[place] ?? 0;
      if (!isRecent(groups[number] ?? {}, messages)) {
        break;
      }
      first = number;
    }
    return first;
  }

  #tiered(number: number, messages: number): TieredGroup {
    this.#work.tiered++;
    const group = this.#list.groups[number] as Group<EditedEntry>;
    const document = this.#marks.documentOf(group);
    return tieredGroup(
      {
        ...group,
        counted: this.#measured.of(number),
        isPinned: this.#marks.isPinned(group),
        isHeld: number === this.#asked || this.#marks.isWaiting(group),
        ...(document !== undefined && { document }),
      },
      messages,
    );
  }
}
