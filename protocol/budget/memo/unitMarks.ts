import type { LifecycleState } from '../../lifecycle/lifecycleState.ts';
import type { BudgetState, DocumentState } from '../budgetState.ts';
import type { BudgetFold } from '../classification.ts';
import type { Group } from '../groups.ts';

/** What the log and the adapter say of units, after one request after another; it tells which units are marked otherwise now. */
export class UnitMarks {
  #ephemerals: LifecycleState['ephemerals'] | undefined;
  /** How many ephemeral units were looked at, and which of them no answer had consumed. */
  #read = 0;
  #pending: readonly number[] = [];
  #waiting: ReadonlySet<string> = new Set();
  #pinned: ReadonlySet<string> = new Set();
  #documents: BudgetState['documents'] | undefined;
  #states: readonly DocumentState[] = [];
  readonly #documentOf = new Map<string, string>();
  /** Whether two documents claim one unit, which is the later one's. */
  #overlaps = false;

  /** Takes over what is said now; gives the units of which it says something else than before. */
  update({ lifecycle, budget }: BudgetFold, pinned: ReadonlySet<string> = new Set()): readonly string[] {
    return [...this.#wait(lifecycle), ...this.#pin(pinned), ...this.#load(budget)];
  }

  /** Whether no answer has consumed something of it yet; seed 1: it goes out whole once. */
  isWaiting({ keys }: Pick<Group, 'keys'>): boolean {
    return this.#waiting.size > 0 && keys.some(key => this.#waiting.has(key));
  }

  isPinned({ keys }: Pick<Group, 'keys'>): boolean {
    return this.#pinned.size > 0 && keys.some(key => this.#pinned.has(key));
  }

  /** The one document that all units of a group belong to. */
  documentOf({ keys }: Pick<Group, 'keys'>): string | undefined {
    const found = this.#documentOf.size > 0 ? this.#documentOf.get(keys[0] ?? '') : undefined;
    return found !== undefined && keys.every(key => this.#documentOf.get(key) === found) ? found : undefined;
  }

  /** What is consumed stays so: only what waited, and what came since, is looked at. */
  #wait({ ephemerals }: LifecycleState): readonly string[] {
    if (ephemerals === this.#ephemerals) {
      return [];
    }
    const goesOn = ephemerals.length >= this.#read;
    const candidates = goesOn ? [...this.#pending] : [];
    for (let ordinal = goesOn ? this.#read : 0; ordinal < ephemerals.length; ordinal++) {
      candidates.push(ordinal);
    }
    const before = this.#waiting;
    this.#ephemerals = ephemerals;
    this.#read = ephemerals.length;
    this.#pending = candidates.filter(ordinal => !ephemerals.get(ordinal)?.consumed);
    this.#waiting = new Set(this.#pending.flatMap(ordinal => ephemerals.get(ordinal)?.unit ?? []));
    return differing(before, this.#waiting);
  }

  #pin(pinned: ReadonlySet<string>): readonly string[] {
    const before = this.#pinned;
    // The set given may be another's, who goes on with it.
    this.#pinned = new Set(pinned);
    return differing(before, this.#pinned);
  }

  #load({ documents }: BudgetState): readonly string[] {
    if (documents === this.#documents) {
      return [];
    }
    const before = this.#states;
    this.#documents = documents;
    this.#states = [...documents.values()];
    // A document stays at its place.
    const goesOn = before.every(({ document }, place) => document === this.#states[place]?.document);
    const changed = goesOn && !this.#overlaps ? this.#loadChanged(before) : undefined;
    return changed ?? this.#loadAll(before);
  }

  /** Nothing where two documents claim one unit. */
  #loadChanged(before: readonly DocumentState[]): readonly string[] | undefined {
    const affected: string[] = [];
    for (const [place, { document, units }] of this.#states.entries()) {
      const known = before[place]?.units ?? [];
      if (known !== units) {
        known.forEach(unit => this.#documentOf.delete(unit));
        if (units.some(unit => this.#documentOf.has(unit))) {
          return undefined;
        }
        units.forEach(unit => this.#documentOf.set(unit, document));
        affected.push(...known, ...units);
      }
    }
    return affected;
  }

  #loadAll(before: readonly DocumentState[]): readonly string[] {
    this.#documentOf.clear();
    let claims = 0;
    for (const { document, units } of this.#states) {
      claims += new Set(units).size;
      units.forEach(unit => this.#documentOf.set(unit, document));
    }
    this.#overlaps = claims > this.#documentOf.size;
    return [...before, ...this.#states].flatMap(({ units }) => units);
  }
}

function differing(left: ReadonlySet<string>, right: ReadonlySet<string>): readonly string[] {
  return [...[...left].filter(item => !right.has(item)), ...[...right].filter(item => !left.has(item))];
}
