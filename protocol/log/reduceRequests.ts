import type { LogEvent } from '../request/logEvent.ts';
import { type Advance, contradiction, type Draft, dataOf, placed } from './draft.ts';
import type { SessionEventType } from './sessionEvents.ts';
import type { OpenStep, OpenTurn } from './sessionState.ts';

/** Turns, steps and requests (request-log 2.5): at most one turn and one step are open, and each names its number. */
export const requestReducers: readonly (readonly [SessionEventType, Advance])[] = [
  ['turn/start', startTurn],
  ['turn/end', endTurn],
  ['step/start', startStep],
  ['step/end', endStep],
  ['request/sealed', seal],
  ['request/body', carry],
  ['request/receipt', receive],
];

function startTurn(next: Draft, event: LogEvent): void {
  const { turn } = dataOf('turn/start', event);
  if (next.turn) {
    throw contradiction(event, `it starts turn ${turn}, but turn ${next.turn.turn} is open`);
  }
  if (turn !== next.lastTurn + 1) {
    throw contradiction(event, `it starts turn ${turn} after turn ${next.lastTurn}`);
  }
  next.turn = { turn, seq: event.seq };
  next.lastTurn = turn;
  next.lastStep = 0;
}

function endTurn(next: Draft, event: LogEvent): void {
  openTurn(next, event, dataOf('turn/end', event).turn);
  if (next.step) {
    throw contradiction(event, `it ends a turn whose step ${next.step.step} is open`);
  }
  next.turn = undefined;
}

function startStep(next: Draft, event: LogEvent): void {
  const { turn, step, requestSequence } = dataOf('step/start', event);
  openTurn(next, event, turn);
  if (next.step) {
    throw contradiction(event, `it starts step ${step}, but step ${next.step.step} is open`);
  }
  if (step !== next.lastStep + 1) {
    throw contradiction(event, `it starts step ${step} after step ${next.lastStep}`);
  }
  if (requestSequence !== undefined && requestSequence !== next.requests.length + 1) {
    throw contradiction(event, `it starts request ${requestSequence} after request ${next.requests.length}`);
  }
  next.step = { step, seq: event.seq, ...(requestSequence !== undefined && { requestSequence }) };
  next.lastStep = step;
}

/** A step whose request was never sealed ends as well; then there is no request that ended. */
function endStep(next: Draft, event: LogEvent): void {
  const { turn, step, requestSequence } = dataOf('step/end', event);
  if (isLate(next, event)) {
    return;
  }
  openTurn(next, event, turn);
  const open = openStep(next, event);
  if (open.step !== step) {
    throw contradiction(event, `it ends step ${step}, but step ${open.step} is open`);
  }
  const request = next.requests.get(next.requests.length - 1);
  const sealed = request?.sealed.stepStart === open.seq ? request.sealed.requestSequence : undefined;
  if (requestSequence !== undefined && requestSequence !== (sealed ?? open.requestSequence)) {
    throw contradiction(event, `it answers request ${requestSequence}, which is not the request of this step`);
  }
  if (request && sealed !== undefined) {
    next.requests = next.requests.set(sealed - 1, { ...request, ended: placed('step/end', event) });
  }
  next.step = undefined;
}

/** The end of an answer that ran on while the next request was made: only the request learns of it. */
function isLate(next: Draft, event: LogEvent): boolean {
  const ended = placed('step/end', event);
  const { turn, step, requestSequence = 0, outcome } = ended;
  const request = next.requests.get(requestSequence - 1);
  if (
    outcome === undefined ||
    !request?.ended ||
    request.ended.outcome !== undefined ||
    request.turn !== turn ||
    request.step !== step
  ) {
    return false;
  }
  next.requests = next.requests.set(requestSequence - 1, { ...request, ended });
  return true;
}

function seal(next: Draft, event: LogEvent): void {
  const sealed = placed('request/sealed', event);
  const step = openStep(next, event);
  const last = next.requests.get(next.requests.length - 1);
  if (sealed.requestSequence !== next.requests.length + 1) {
    throw contradiction(event, `it seals request ${sealed.requestSequence} after request ${next.requests.length}`);
  }
  if (sealed.stepStart !== step.seq || last?.sealed.stepStart === step.seq) {
    throw contradiction(event, 'its stepStart is not the step that is open, or that step has a request already');
  }
  if ((sealed.prefixMessages ?? 0) > sealed.messages) {
    throw contradiction(event, `its prefix has ${sealed.prefixMessages} messages, but it has ${sealed.messages}`);
  }
  next.requests = next.requests.push({ sealed, turn: next.lastTurn, step: step.step });
}

/** A request has at most one body: what is sent again is another request. */
function carry(next: Draft, event: LogEvent): void {
  const { requestSequence, bytes, sha256, encoding } = dataOf('request/body', event);
  const request = next.requests.get(requestSequence - 1);
  if (!request) {
    throw contradiction(event, `it is the body of request ${requestSequence}, which was never sealed`);
  }
  if (request.body) {
    throw contradiction(event, `request ${requestSequence} has a body already`);
  }
  const body = { bytes, sha256, ...(encoding !== undefined && { encoding }) };
  next.requests = next.requests.set(requestSequence - 1, { ...request, body });
}

/** A mismatch stays: what left once cannot be made good by what left later. */
function receive(next: Draft, event: LogEvent): void {
  const receipt = placed('request/receipt', event);
  const { requestSequence } = receipt;
  const request = next.requests.get(requestSequence - 1);
  if (!request) {
    throw contradiction(event, `it is a receipt of request ${requestSequence}, which was never sealed`);
  }
  if (request.receipt?.result !== 'mismatch') {
    next.requests = next.requests.set(requestSequence - 1, { ...request, receipt });
  }
}

function openTurn({ turn: open }: Draft, event: LogEvent, turn: number): OpenTurn {
  if (open?.turn !== turn) {
    throw contradiction(event, `it names turn ${turn}, but ${open ? `turn ${open.turn}` : 'no turn'} is open`);
  }
  return open;
}

function openStep({ step }: Draft, event: LogEvent): OpenStep {
  if (!step) {
    throw contradiction(event, 'no step is open');
  }
  return step;
}
