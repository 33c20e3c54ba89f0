import type { LifecycleSession } from '../protocol/lifecycle/lifecycleSession.ts';
import { type NewEvent, OUTCOMES } from '../protocol/log/sessionEvents.ts';
import type { SessionState } from '../protocol/log/sessionState.ts';
import { endStep, lateEnd } from '../protocol/request/turns.ts';
import type { BudgetLayer } from './budget/budgetLayer.ts';
import { plausibleUsage } from './plausibleUsage.ts';
import { UnloggableEventError } from './requestErrors.ts';
import type { SessionLog } from './sessionLog.ts';
import type { Ended } from './sessionTypes.ts';

export interface EndingAnswer {
  readonly log: SessionLog;
  readonly lifecycle: LifecycleSession;
  /** Absent where the layer is off. */
  readonly budget: BudgetLayer | undefined;
}

/**
 * The answer to a request is over: what that is to the log, to what was consumed, and to the budget layer. Nothing where it was over
 * before. Throws `UnloggableEventError` for an outcome that is none.
 */
export function endAnswer({ log, lifecycle, budget }: EndingAnswer, requestSequence: number, ended: Ended): void {
  const { outcome, error } = ended;
  if (!OUTCOMES.includes(outcome)) {
    throw new UnloggableEventError('step/end', `its outcome is not ${OUTCOMES.join(', ')}`);
  }
  const ends = answerEnd(log.state, requestSequence, ended);
  ends.forEach(event => log.append(event));
  lifecycle.ended(requestSequence, outcome);
  if (ends.length > 0 && error !== undefined && outcome === 'failed') {
    budget?.failed(requestSequence, error);
  }
}

function answerEnd(state: SessionState, requestSequence: number, ended: Ended): readonly NewEvent[] {
  const { outcome, callsTools } = ended;
  const usage = plausibleUsage(ended.usage);
  const answer = {
    requestSequence,
    outcome,
    ...(usage && { usage }),
    ...(callsTools !== undefined && { answerCalled: callsTools }),
  };
  const late = lateEnd(state.requests, answer);
  return late ? [late] : endStep(state, answer);
}
