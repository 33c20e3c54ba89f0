import type { NewEvent } from '../protocol/log/sessionEvents.ts';
import type { SessionState } from '../protocol/log/sessionState.ts';
import { endStep, lateEnd } from '../protocol/request/turns.ts';
import { plausibleUsage } from './plausibleUsage.ts';
import type { Ended } from './sessionTypes.ts';

/** How the answer to a request ended, for the log; none where it was over before. */
export function answerEnd(state: SessionState, requestSequence: number, ended: Ended): readonly NewEvent[] {
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
