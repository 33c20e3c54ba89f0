import { budgetEvents } from '../budget/budgetEvents.ts';
import { countInteraction, EMPTY_BUDGET, reduceBudget } from '../budget/reduceBudget.ts';
import { lifecycleEvents } from '../lifecycle/lifecycleEvents.ts';
import { EMPTY_LIFECYCLE, reduceLifecycle } from '../lifecycle/reduceLifecycle.ts';
import { CorruptLogError } from '../request/corruptLogError.ts';
import type { LogEvent } from '../request/logEvent.ts';
import { Vector } from '../vector.ts';
import { AUDIT_TYPES, auditEntry } from './auditEntry.ts';
import type { Advance, Draft } from './draft.ts';
import { requestReducers } from './reduceRequests.ts';
import { sessionReducers } from './reduceSession.ts';
import { vocabulary } from './sessionEvents.ts';
import type { SessionState } from './sessionState.ts';

/** Before the first event. */
export const initialState: SessionState = {
  nextSeq: 0,
  time: undefined,
  clockWentBack: 0,
  opened: undefined,
  instances: 0,
  closed: false,
  lifecycle: EMPTY_LIFECYCLE,
  budget: EMPTY_BUDGET,
  requests: Vector.empty(),
  turn: undefined,
  step: undefined,
  lastTurn: 0,
  lastStep: 0,
  audit: Vector.empty(),
  problems: Vector.empty(),
  unknown: 0,
};

const audited: ReadonlySet<string> = new Set(AUDIT_TYPES);

/** What an event of each type does to the state; those that do nothing but take their place are not in it. */
const reducers: ReadonlyMap<string, Advance> = new Map<string, Advance>([
  ...Object.keys(lifecycleEvents).map(type => [type, audited.has(type) ? reduceAudited : reduceUnaudited] as const),
  ...Object.keys(budgetEvents).map(type => [type, reduceBudgeted] as const),
  ...sessionReducers,
  ...requestReducers,
]);

const known: ReadonlySet<string> = new Set(Object.keys(vocabulary));

/**
 * The state after one more event, which `readEvent` or the writer has checked. The state given is not changed, and shares
 * nearly everything with the new one. Throws `CorruptLogError` when the event contradicts the events before it: then the
 * state given is still right.
 */
export function reduce(state: SessionState, event: LogEvent): SessionState {
  if (event.seq !== state.nextSeq) {
    throw new CorruptLogError(state.nextSeq, event.seq, 'its seq is not its place in the log');
  }
  const next = {
    ...state,
    nextSeq: state.nextSeq + 1,
    time: event.time,
    clockWentBack: state.clockWentBack + (state.time !== undefined && event.time < state.time ? 1 : 0),
  };
  const advance = reducers.get(event.type);
  if (advance) {
    advance(next, event);
    next.budget = countInteraction(next.budget, event);
  } else if (!known.has(event.type)) {
    next.unknown++;
  }
  return next;
}

function reduceUnaudited(next: Draft, event: LogEvent): void {
  next.lifecycle = reduceLifecycle(next.lifecycle, event);
}

function reduceBudgeted(next: Draft, event: LogEvent): void {
  next.budget = reduceBudget(next.budget, event);
}

function reduceAudited(next: Draft, event: LogEvent): void {
  next.lifecycle = reduceLifecycle(next.lifecycle, event);
  next.audit = next.audit.push(auditEntry(event));
}
