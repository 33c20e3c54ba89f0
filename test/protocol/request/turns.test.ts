import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import {
  endSession,
  endStep,
  injection,
  repairTail,
  startStep,
  stepOf,
  type Turns,
} from '../../../protocol/request/turns.ts';

const NONE: Turns = { lastTurn: 0, lastStep: 0 };
const user = { kind: 'user' };

/** The state after some events, as plainly as it can be written; events that do not fit throw. */
class Log {
  turns: Turns = NONE;
  readonly written: string[] = [];
  #seq = 0;

  add(...events: readonly NewEvent[]): void {
    for (const event of events) {
      this.#add(event);
    }
  }

  #add({ type, data }: NewEvent): void {
    const seq = this.#seq++;
    const { lastTurn, lastStep, turn, step } = this.turns;
    switch (type) {
      case 'turn/start':
        assert.ok(!turn && data.turn === lastTurn + 1);
        this.turns = { turn: { turn: data.turn, seq }, lastTurn: data.turn, lastStep: 0 };
        break;
      case 'step/start':
        assert.ok(turn && !step && data.turn === turn.turn && data.step === lastStep + 1);
        this.turns = { turn, step: { ...data, seq }, lastTurn, lastStep: data.step };
        break;
      case 'step/end':
        assert.ok(turn && step && data.turn === turn.turn && data.step === step.step);
        this.turns = { turn, lastTurn, lastStep };
        break;
      case 'turn/end':
        assert.ok(turn && !step && data.turn === turn.turn);
        this.turns = { lastTurn, lastStep };
        break;
      default:
        assert.ok(turn, 'every other event lies in a turn');
    }
    this.written.push(brief({ type, data } as NewEvent));
  }

  start(requestSequence: number, known: { userUnit?: object; answerCalled?: boolean } = {}): void {
    this.add(...startStep(this.turns, { requestSequence, ...known } as never));
  }

  end(requestSequence: number, outcome: 'completed' | 'failed' | 'aborted', answerCalled?: boolean): void {
    const known = answerCalled === undefined ? {} : { answerCalled };
    this.add(...endStep(this.turns, { requestSequence, outcome, ...known }));
  }

  /** What was written since this was asked last. */
  news(): readonly string[] {
    return this.written.splice(0);
  }
}

function brief(event: NewEvent): string {
  switch (event.type) {
    case 'turn/start':
      return `turn ${event.data.turn} by ${(event.data.trigger as { kind: string }).kind}`;
    case 'turn/end':
      return `end ${event.data.turn} ${(event.data.reason as { kind: string }).kind}`;
    case 'step/start':
      return `step ${event.data.turn}.${event.data.step} #${event.data.requestSequence}`;
    case 'step/end':
      return `end ${event.data.turn}.${event.data.step} ${event.data.outcome ?? 'unknown'}`;
    default:
      return event.type;
  }
}

test('request-log 2.5: a turn starts with the first request after a new user unit, and its steps count from 1', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  assert.deepEqual(log.news(), ['turn 1 by message', 'step 1.1 #1']);
  assert.deepEqual(stepOf(log.turns), { turn: 1, step: 1 });
  log.end(1, 'completed', true);
  log.start(2, { answerCalled: true });
  assert.deepEqual(log.news(), ['end 1.1 completed', 'step 1.2 #2']);
});

test('DESIGN flow 2: a turn ends with the answer that calls no tool', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  log.end(1, 'completed', false);
  assert.deepEqual(log.news().slice(2), ['end 1.1 completed', 'end 1 completed']);
  assert.equal(stepOf(log.turns), undefined);
  log.start(2, { userUnit: user });
  assert.deepEqual(log.news(), ['turn 2 by message', 'step 2.1 #2']);
});

test('DESIGN flow 2: where only the next request tells whether the answer called a tool, the turn ends then', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  log.end(1, 'completed');
  log.start(2, { userUnit: user, answerCalled: false });
  assert.deepEqual(log.news().slice(2), ['end 1.1 completed', 'end 1 completed', 'turn 2 by message', 'step 2.1 #2']);
});

test('request-log 2.5: what a user says while tools are called steers the open turn', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  log.end(1, 'completed', true);
  log.start(2, { userUnit: user, answerCalled: true });
  assert.deepEqual(log.news().slice(3), ['step 1.2 #2']);
});

test('request-log 2.5: a failed or aborted answer ends its turn, and a try again is another turn', () => {
  for (const [outcome, reason] of [
    ['failed', 'error'],
    ['aborted', 'aborted'],
  ] as const) {
    const log = new Log();
    log.start(1, { userUnit: user });
    log.end(1, outcome);
    log.start(2);
    assert.deepEqual(log.news().slice(2), [
      `end 1.1 ${outcome}`,
      `end 1 ${reason}`,
      'turn 2 by message',
      'step 2.1 #2',
    ]);
  }
});

test('request-log 2.5: the end of a failed turn says in which step, and why', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  const [, end] = endStep(log.turns, { requestSequence: 1, outcome: 'failed', message: 'HTTP 500' });
  assert.deepEqual(end?.data, { turn: 1, reason: { kind: 'error', step: 1, message: 'HTTP 500' } });
});

test('request-log 2.5: at most one step is open: a request that the host gave up is ended by the next one', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  log.start(2);
  assert.deepEqual(log.news().slice(2), ['end 1.1 aborted', 'step 1.2 #2']);
  log.start(3, { userUnit: user });
  assert.deepEqual(log.news(), ['end 1.2 aborted', 'end 1 aborted', 'turn 2 by message', 'step 2.1 #3']);
});

test('DESIGN flow 2: how an answer ended that nobody reported is not guessed', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  log.start(2, { answerCalled: true });
  assert.deepEqual(log.news().slice(2), ['end 1.1 unknown', 'step 1.2 #2']);
});

test('request-log 2.5: an answer to a request whose step is not open any more writes nothing', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  log.start(2, { userUnit: user });
  assert.deepEqual(endStep(log.turns, { requestSequence: 1, outcome: 'completed' }), []);
  log.end(2, 'completed', false);
  assert.deepEqual(endStep(log.turns, { requestSequence: 2, outcome: 'failed' }), []);
  assert.deepEqual(endStep(NONE, { requestSequence: 1, outcome: 'failed' }), []);
});

test('request-log 2.5: usage of an answer stands in its step/end', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  const [end] = endStep(log.turns, { requestSequence: 1, outcome: 'completed', usage: { input: 5 } });
  assert.deepEqual(end?.data, { turn: 1, step: 1, requestSequence: 1, outcome: 'completed', usage: { input: 5 } });
});

test('request-log 2.5: numbers go on after a resume', () => {
  const log = new Log();
  log.turns = { lastTurn: 7, lastStep: 4 };
  log.start(12, { userUnit: user });
  assert.deepEqual(log.news(), ['turn 8 by message', 'step 8.1 #12']);
});

test('request-log 2.5: the trigger of a turn says where the message comes from', () => {
  const source = { kind: 'plugin', plugin: 'cron' };
  const [start] = startStep(NONE, { requestSequence: 1, userUnit: source });
  assert.deepEqual(start?.data, { turn: 1, trigger: { kind: 'message', source } });
});

test('request-log 2.5: closing a session ends its open step and turn', () => {
  const log = new Log();
  assert.deepEqual(endSession(log.turns), []);
  log.start(1, { userUnit: user });
  log.add(...endSession(log.turns));
  assert.deepEqual(log.news().slice(2), ['end 1.1 aborted', 'end 1 disposed']);
  log.start(2, { userUnit: user });
  log.end(2, 'completed', true);
  log.add(...endSession(log.turns));
  assert.deepEqual(log.news().slice(3), ['end 2 disposed']);
});

test('request-log 2.5: crash repair ends an open step, then an open turn, and nothing where nothing is open', () => {
  const log = new Log();
  assert.deepEqual(repairTail(log.turns, []), []);
  log.start(1, { userUnit: user });
  log.add(...repairTail(log.turns, []));
  assert.deepEqual(log.news().slice(2), ['end 1.1 aborted', 'end 1 interrupted']);
  log.start(2, { userUnit: user });
  log.end(2, 'completed', true);
  log.add(...repairTail(log.turns, []));
  assert.deepEqual(log.news().slice(3), ['end 2 interrupted']);
});

test('request-log 2.5: crash repair first writes one error result for each unanswered tool call of the open step', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  const event = (type: string, data: object): LogEvent => ({ type, seq: 0, time: 0, data }) as LogEvent;
  const call = (callId: string) => event('tool/call', { turn: 1, step: 1, callId, name: 'dig', arguments: '{}' });
  const since = [call('a'), call('b'), event('tool/result', { callId: 'a' }), call('c'), event('tool/call', {})];
  const repair = repairTail(log.turns, since);
  assert.deepEqual(
    repair.map(({ type }) => type),
    ['tool/result', 'tool/result', 'step/end', 'turn/end'],
  );
  assert.deepEqual(repair[0], {
    type: 'tool/result',
    data: {
      turn: 1,
      step: 1,
      callId: 'b',
      content: [{ type: 'text', text: 'The tool call was interrupted: there is no result.' }],
      isError: true,
      error: { code: 'interrupted' },
    },
    surfaceOp: 'append',
  });
});

const message: NewEvent = { type: 'host/message', data: { message: {}, units: ['x'] }, surfaceOp: 'append' };

test('request-log 10: an injection while nothing runs is a turn of its own, and runs no model', () => {
  const log = new Log();
  log.add(...injection(log.turns, message, { kind: 'plugin' }));
  assert.deepEqual(log.news(), ['turn 1 by injection', 'host/message', 'end 1 completed']);
  log.start(1, { userUnit: user });
  assert.deepEqual(log.news(), ['turn 2 by message', 'step 2.1 #1']);
});

test('request-log 10: an injection while a turn is open in the log is no turn of its own', () => {
  const log = new Log();
  log.start(1, { userUnit: user });
  log.add(...injection(log.turns, message, { kind: 'plugin' }));
  log.end(1, 'completed', true);
  log.add(...injection(log.turns, message, { kind: 'plugin' }));
  assert.deepEqual(log.news().slice(2), ['host/message', 'end 1.1 completed', 'host/message']);
});

const acts = fc.array(
  fc.record({
    act: fc.constantFrom('start', 'end', 'inject', 'close', 'crash'),
    userUnit: fc.boolean(),
    answerCalled: fc.option(fc.boolean(), { nil: undefined }),
    outcome: fc.constantFrom('completed' as const, 'failed' as const, 'aborted' as const),
  }),
  { maxLength: 30 },
);

test('law: request-log 2.5: whatever happens in whatever order, turns and steps are nested, numbered and closed', () => {
  fc.assert(
    fc.property(acts, list => {
      const log = new Log();
      let sequence = 0;
      for (const { act, userUnit, answerCalled, outcome } of list) {
        if (act === 'start') {
          log.start(++sequence, {
            ...(userUnit && { userUnit: user }),
            ...(answerCalled !== undefined && { answerCalled }),
          });
          assert.equal(log.turns.step?.requestSequence, sequence);
        } else if (act === 'end') {
          log.end(sequence, outcome, answerCalled);
          assert.equal(log.turns.step, undefined);
        } else if (act === 'inject') {
          log.add(...injection(log.turns, message, user));
        } else {
          log.add(...(act === 'close' ? endSession(log.turns) : repairTail(log.turns, [])));
          assert.equal(log.turns.turn, undefined);
        }
      }
    }),
    { numRuns: 500 },
  );
});
