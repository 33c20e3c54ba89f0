import type { NewEvent, Outcome, Usage } from '../log/sessionEvents.ts';
import type { SessionState } from '../log/sessionState.ts';
import type { Json } from './json.ts';
import { isJsonObject } from './json.ts';
import type { LogEvent } from './logEvent.ts';

/** What the rules read of a session's state. */
export type Turns = Pick<SessionState, 'turn' | 'step' | 'lastTurn' | 'lastStep'>;

/** Why a turn ended (request-log 2.5). */
export type TurnEnd =
  | { readonly kind: 'completed' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'error'; readonly step: number; readonly message: string }
  /** The session was closed. */
  | { readonly kind: 'disposed' }
  /** The instance died; only crash repair writes it. */
  | { readonly kind: 'interrupted' };

/** What is known when a request is built. */
export interface NextRequest {
  readonly requestSequence: number;
  /** Set when a user unit is in the view that was not in the last one: where it comes from, such as `{kind: "user"}`. */
  readonly userUnit?: Json;
  /** Whether the last answer in the view, if it is new, calls a tool; absent where there is none. */
  readonly answerCalled?: boolean;
  /** Each end of an answer is reported, so that a step that is open belongs to an answer that still runs. */
  readonly runsOn?: boolean;
}

/** What is known when an answer has ended. */
export interface EndedAnswer {
  readonly requestSequence: number;
  readonly outcome: Outcome;
  readonly usage?: Usage;
  /** Whether it calls a tool; absent where only the next request will tell. */
  readonly answerCalled?: boolean;
  /** Of a failed answer, for a person. */
  readonly message?: string;
}

/** The numbers of the open step; absent when none is open. */
export function stepOf({ turn, step }: Turns): { readonly turn: number; readonly step: number } | undefined {
  return turn && step && { turn: turn.turn, step: step.step };
}

/**
 * The events with which a request's step starts; the last is its `step/start`. A turn starts with the first request after a
 * new user unit (DESIGN, flow 2) and goes on while answers call tools: what a user says meanwhile steers the open turn. A
 * step whose end nobody reported was given up where the view has no answer to it; else how it ended is not known, or it runs on
 * beside this one, in the same turn. A request
 * for which no turn is open starts one, also without a new user unit: that is a host that tries again. Numbers go on from the
 * log, so a resume continues them.
 */
export function startStep(turns: Turns, request: NextRequest): readonly NewEvent[] {
  const { requestSequence, userUnit, answerCalled, runsOn = false } = request;
  const isUnanswered = turns.step !== undefined && answerCalled === undefined;
  const isGivenUp = isUnanswered && !runsOn;
  const events = endOpenStep(turns, isGivenUp ? 'aborted' : undefined);
  const isOver =
    answerCalled === false || (userUnit !== undefined && answerCalled !== true && !(isUnanswered && runsOn));
  if (turns.turn && !isOver) {
    const { turn } = turns.turn;
    return [...events, { type: 'step/start', data: { turn, step: turns.lastStep + 1, requestSequence } }];
  }
  if (turns.turn) {
    events.push(turnEnd(turns.turn.turn, { kind: isGivenUp ? 'aborted' : 'completed' }));
  }
  const turn = turns.lastTurn + 1;
  return [
    ...events,
    { type: 'turn/start', data: { turn, trigger: { kind: 'message', source: userUnit ?? { kind: 'user' } } } },
    { type: 'step/start', data: { turn, step: 1, requestSequence } },
  ];
}

/**
 * The events with which an answer ends its step, and the turn where it is the turn's last: it failed, was aborted, or calls
 * no tool. None when this request's step is not open any more.
 */
export function endStep(turns: Turns, ended: EndedAnswer): readonly NewEvent[] {
  const { requestSequence, outcome, usage, answerCalled, message } = ended;
  const open = stepOf(turns);
  if (!open || turns.step?.requestSequence !== requestSequence) {
    return [];
  }
  const { turn, step } = open;
  const end: NewEvent = { type: 'step/end', data: { turn, step, requestSequence, outcome, ...(usage && { usage }) } };
  switch (outcome) {
    case 'failed':
      return [end, turnEnd(turn, { kind: 'error', step, message: message ?? 'the answer failed' })];
    case 'aborted':
      return [end, turnEnd(turn, { kind: 'aborted' })];
    case 'completed':
      return answerCalled === false ? [end, turnEnd(turn, { kind: 'completed' })] : [end];
  }
}

/** The event that tells how an answer ended whose step had to end before it did; absent for all others. */
export function lateEnd(
  requests: SessionState['requests'],
  { requestSequence, outcome, usage }: EndedAnswer,
): NewEvent | undefined {
  const request = requests.get(requestSequence - 1);
  if (!request?.ended || request.ended.outcome !== undefined) {
    return undefined;
  }
  const { turn, step } = request;
  return { type: 'step/end', data: { turn, step, requestSequence, outcome, ...(usage && { usage }) } };
}

/** The events that end what is open when a session is closed. */
export function endSession(turns: Turns): readonly NewEvent[] {
  return endAll(turns, { kind: 'disposed' });
}

/**
 * Crash repair (request-log 2.5): the events with which an instance ends what the one before it left open, one error result
 * for each tool call of the open step that has none, the step, the turn. `stepEvents` are the log's events since the
 * `step/start`. They happened when the last real event did: that is their time.
 */
export function repairTail(turns: Turns, stepEvents: readonly LogEvent[]): readonly NewEvent[] {
  return [...interruptedResults(turns, stepEvents), ...endAll(turns, { kind: 'interrupted' })];
}

/**
 * The events of an appended message (request-log 10): the message itself where a turn is open in the log; else a turn of its
 * own, which runs no model.
 */
export function injection(turns: Turns, message: NewEvent, source: Json): readonly NewEvent[] {
  if (turns.turn) {
    return [message];
  }
  const turn = turns.lastTurn + 1;
  return [
    { type: 'turn/start', data: { turn, trigger: { kind: 'injection', source } } },
    message,
    turnEnd(turn, { kind: 'completed' }),
  ];
}

function endAll(turns: Turns, reason: TurnEnd): readonly NewEvent[] {
  const events = endOpenStep(turns, 'aborted');
  return turns.turn ? [...events, turnEnd(turns.turn.turn, reason)] : events;
}

function endOpenStep(turns: Turns, outcome: Outcome | undefined): NewEvent[] {
  const open = stepOf(turns);
  const requestSequence = turns.step?.requestSequence;
  return open
    ? [
        {
          type: 'step/end',
          data: { ...open, ...(requestSequence !== undefined && { requestSequence }), ...(outcome && { outcome }) },
        },
      ]
    : [];
}

function turnEnd(turn: number, reason: TurnEnd): NewEvent {
  return { type: 'turn/end', data: { turn, reason } };
}

function interruptedResults(turns: Turns, stepEvents: readonly LogEvent[]): readonly NewEvent[] {
  const open = stepOf(turns);
  const callIds = (type: string) => stepEvents.flatMap(event => (event.type === type ? callIdOf(event) : []));
  const answered = new Set(callIds('tool/result'));
  const unanswered = open ? callIds('tool/call').filter(callId => !answered.has(callId)) : [];
  return unanswered.map(callId => {
    const data = { ...open, callId, content: [INTERRUPTED], isError: true, error: { code: 'interrupted' } };
    return { type: 'tool/result', data, surfaceOp: 'append' };
  });
}

const INTERRUPTED = { type: 'text', text: 'The tool call was interrupted: there is no result.' };

function callIdOf({ data }: LogEvent): readonly string[] {
  const callId = isJsonObject(data) ? data['callId'] : undefined;
  return typeof callId === 'string' ? [callId] : [];
}
