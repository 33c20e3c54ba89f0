import { OrderedMap } from '../orderedMap.ts';
import { CorruptLogError } from '../request/corruptLogError.ts';
import { isJsonObject } from '../request/json.ts';
import type { LogEvent } from '../request/logEvent.ts';
import { Vector } from '../vector.ts';
import type { BudgetData, BudgetEvent } from './budgetEvents.ts';
import type { BudgetState, Tier1State } from './budgetState.ts';
import { isOverTrigger } from './limits.ts';

/** Before the first event. */
export const EMPTY_BUDGET: BudgetState = Object.freeze({
  measures: Vector.empty<never>(),
  passes: Vector.empty<never>(),
  compressions: 0,
  armed: true,
  edits: Vector.empty<never>(),
  refused: 0,
  learned: undefined,
  resetPending: false,
  requests: 0,
  turns: 0,
  lastCheck: undefined,
  checkedAt: 0,
  anchoredAt: 0,
  contradictions: 0,
  tier1: undefined,
  drift: undefined,
  drifts: 0,
  documents: OrderedMap.empty<never>(),
});

/**
 * The state after one more event, whose data is known to have its shape; the state given is not changed. Events of other
 * types, and those that change nothing here, give the state itself. Throws `CorruptLogError` when the event contradicts
 * the events before it.
 */
export function reduceBudget(state: BudgetState, event: LogEvent): BudgetState {
  const { type, data } = event as unknown as BudgetEvent;
  const { seq, time } = event;
  switch (type) {
    case 'budget/measured':
      return measured(state, { ...data, seq, time });
    case 'budget/pass':
      requireNext(data.pass, state.passes.length, event);
      return {
        ...state,
        passes: state.passes.push({ ...data, seq, time }),
        compressions: state.compressions + (data.edits > 0 ? 1 : 0),
        armed: false,
      };
    case 'budget/edit':
      return edited(state, data, event);
    case 'budget/edit-refused':
      return { ...state, refused: state.refused + 1, anchoredAt: data.interactions ?? state.anchoredAt };
    case 'budget/reset-requested':
      return { ...state, resetPending: true };
    case 'budget/limit-learned':
      return { ...state, learned: { ...data, seq, time } };
    case 'budget/tier1-set':
      return { ...state, tier1: tier1Of(data) };
    case 'budget/tier1-updated':
      return { ...state, tier1: updated(state.tier1, data, event) };
    case 'budget/drift':
      return { ...state, drift: { ...data, seq, time }, drifts: state.drifts + 1 };
    case 'budget/checked': {
      const checkedAt = data.occasion === 'interactions' ? data.interactions : state.checkedAt;
      return { ...state, lastCheck: { ...data, seq, time }, checkedAt };
    }
    case 'budget/contradiction':
      return { ...state, contradictions: state.contradictions + 1 };
    case 'budget/document': {
      const { requestSequence: _, ...document } = data;
      return { ...state, documents: state.documents.with(data.document, document) };
    }
    case 'budget/document-touched':
      return touched(state, data, event);
    default:
      return state;
  }
}

/** seed 3, rule 3: what counts as an interaction (tiers 4): a request that was answered whole, or a turn that ended so. */
export function countInteraction(state: BudgetState, { type, data }: LogEvent): BudgetState {
  const { requestSequence, outcome, reason } = isJsonObject(data) ? data : {};
  if (type === 'step/end') {
    return requestSequence !== undefined && outcome === 'completed'
      ? { ...state, requests: state.requests + 1 }
      : state;
  }
  const kind = isJsonObject(reason) ? reason['kind'] : reason;
  return type === 'turn/end' && kind === 'completed' ? { ...state, turns: state.turns + 1 } : state;
}

function measured(
  state: BudgetState,
  data: BudgetData<'budget/measured'> & { seq: number; time: number },
): BudgetState {
  const last = state.passes.get(state.passes.length - 1);
  // A request of another conversation beside it (a title, say) shows no edit, and says nothing of the one that was compressed.
  const isSame = data.edited || last?.edits === 0;
  return {
    ...state,
    measures: state.measures.push(data),
    armed: state.armed || (isSame && !isOverTrigger(data.total.tokens, data.limits)),
    resetPending: state.resetPending && data.gate !== 'sent',
  };
}

function edited(state: BudgetState, data: BudgetData<'budget/edit'>, event: LogEvent): BudgetState {
  requireNext(data.edit, state.edits.length, event);
  if (data.replaces.some(replaced => replaced >= data.edit)) {
    throw contradiction(event, 'it replaces an edit that was not made yet');
  }
  const { message: _, summary: __, ...facts } = data;
  return {
    ...state,
    edits: state.edits.push({ ...facts, seq: event.seq, time: event.time }),
    anchoredAt: data.notice === 'anchor' && data.interactions !== undefined ? data.interactions : state.anchoredAt,
  };
}

function tier1Of({ sha256, objective, constraints }: BudgetData<'budget/tier1-set'>): Tier1State {
  return {
    sha256,
    hasObjective: objective !== undefined,
    constraints: constraints.map(({ id }) => id),
    updates: 0,
  };
}

function updated(
  tier1: Tier1State | undefined,
  { id, new: value }: BudgetData<'budget/tier1-updated'>,
  event: LogEvent,
): Tier1State {
  if (!tier1) {
    throw contradiction(event, 'it updates a first tier that was never set');
  }
  const updates = tier1.updates + 1;
  if (id === 'objective') {
    return { ...tier1, updates, hasObjective: value !== undefined };
  }
  if (id === 'identity' || id === 'outputFormat') {
    return { ...tier1, updates };
  }
  const others = tier1.constraints.filter(known => known !== id);
  const isKnown = others.length < tier1.constraints.length;
  const constraints = value === undefined ? others : isKnown ? tier1.constraints : [...others, id];
  return { ...tier1, updates, constraints };
}

function touched(
  state: BudgetState,
  { document: id, messages }: BudgetData<'budget/document-touched'>,
  event: LogEvent,
): BudgetState {
  const document = state.documents.get(id);
  if (!document) {
    throw contradiction(event, `it is about the document ${JSON.stringify(id)}, which was never loaded`);
  }
  return { ...state, documents: state.documents.with(id, { ...document, messages }) };
}

function requireNext(number: number, before: number, event: LogEvent): void {
  if (number !== before + 1) {
    throw contradiction(event, `it has the number ${number}, but ${before + 1} is the next`);
  }
}

function contradiction({ seq }: LogEvent, reason: string): CorruptLogError {
  return new CorruptLogError(seq, seq, reason);
}
