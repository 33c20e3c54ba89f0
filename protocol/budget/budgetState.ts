import type { OrderedMap } from '../orderedMap.ts';
import type { Vector } from '../vector.ts';
import type { BudgetData, BudgetEventType, Edit } from './budgetEvents.ts';

/** What an event said, with where and when it said it. */
export type Told<Type extends BudgetEventType> = BudgetData<Type> & { readonly seq: number; readonly time: number };

/** An edit without its content: no state depends on that. */
export type EditState = Omit<Edit, 'message' | 'summary'> & { readonly seq: number; readonly time: number };

/** The first tier without its texts. */
export interface Tier1State {
  /** Of the message in the prefix. */
  readonly sha256: string;
  readonly hasObjective: boolean;
  /** IDs of the constraints in force, those of updates too. */
  readonly constraints: readonly string[];
  /** Updates since it was set, which the prefix does not hold. */
  readonly updates: number;
}

export interface DocumentState {
  readonly document: string;
  readonly units: readonly string[];
  readonly sha256?: string;
  /** How long the host's transcript was when it was loaded, or touched last. */
  readonly messages: number;
}

/** Seed 3's layer after some events. Never changed: `reduceBudget` gives a new one. */
export interface BudgetState {
  /** One a request, in their order; requests that were blocked are among them. */
  readonly measures: Vector<Told<'budget/measured'>>;
  readonly passes: Vector<Told<'budget/pass'>>;
  /** Passes that changed the view. */
  readonly compressions: number;
  /** Whether the next request above the trigger may be compressed, whatever its history has grown by. */
  readonly armed: boolean;
  /** By number, from 1: the first stands at 0. */
  readonly edits: Vector<EditState>;
  readonly refused: number;
  /** The last one that a provider taught. */
  readonly learned?: Told<'budget/limit-learned'> | undefined;
  /** Somebody was asked for a new session, and no request has kept the limit since. */
  readonly resetPending: boolean;
  /** Completed requests, and turns that ended completed. */
  readonly requests: number;
  readonly turns: number;
  readonly lastCheck?: Told<'budget/checked'> | undefined;
  /** Interactions at the last check of an interval, and at the last anchor. */
  readonly checkedAt: number;
  readonly anchoredAt: number;
  readonly contradictions: number;
  /** Absent where nobody set it. */
  readonly tier1?: Tier1State | undefined;
  /** The last one. */
  readonly drift?: Told<'budget/drift'> | undefined;
  readonly drifts: number;
  readonly documents: OrderedMap<DocumentState>;
}
