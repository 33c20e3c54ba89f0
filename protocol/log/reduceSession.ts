import type { LogEvent } from '../request/logEvent.ts';
import { type Advance, type Draft, placed } from './draft.ts';
import type { SessionEventType } from './sessionEvents.ts';

/** Events about the session as a whole. */
export const sessionReducers: readonly (readonly [SessionEventType, Advance])[] = [
  [
    'session/opened',
    (next, event) => {
      endOpenStep(next, event);
      next.opened = placed('session/opened', event);
      next.instances++;
      next.closed = false;
    },
  ],
  [
    'session/closed',
    (next, event) => {
      endOpenStep(next, event);
      next.closed = true;
    },
  ],
  [
    'session/problem',
    (next, event) => {
      next.problems = next.problems.push(placed('session/problem', event));
    },
  ],
];

/** An instance that died, or ended, answered nothing any more: what was open is closed, and its request aborted. */
function endOpenStep(next: Draft, event: LogEvent): void {
  const { turn, step } = next;
  const request = next.requests.get(next.requests.length - 1);
  if (turn && step && request?.sealed.stepStart === step.seq) {
    const { requestSequence } = request.sealed;
    const { seq, time } = event;
    next.requests = next.requests.set(requestSequence - 1, {
      ...request,
      ended: { turn: turn.turn, step: step.step, requestSequence, outcome: 'aborted', seq, time },
    });
  }
  next.turn = undefined;
  next.step = undefined;
}
