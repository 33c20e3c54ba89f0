import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../../protocol/log/sessionState.ts';
import { endStep, lateEnd, startStep } from '../../../protocol/request/turns.ts';

const HASH = '0'.repeat(64);
const user = { kind: 'user' };

function after(state: SessionState, events: readonly NewEvent[]): SessionState {
  return events.reduce((now, event) => reduce(now, { ...event, seq: now.nextSeq, time: 0 } as never), state);
}

/** A request that is sealed, in the log. */
function asked(state: SessionState, requestSequence: number): SessionState {
  const started = after(state, startStep(state, { requestSequence, userUnit: user, runsOn: true }));
  const stepStart = started.step?.seq ?? 0;
  const data = { requestSequence, stepStart, hash: HASH, bytes: 1, messages: 1, prefixMessages: 0, changes: [] };
  return after(started, [{ type: 'request/sealed', data }]);
}

test('a request beside an answer that runs on is a step of the same turn, and says nothing of how the answer ends', () => {
  const one = asked(initialState, 1);
  const both = asked(one, 2);
  assert.deepEqual([both.lastTurn, both.lastStep, both.turn?.turn], [1, 2, 1]);
  assert.deepEqual([both.requests.get(0)?.ended?.outcome, both.requests.get(0)?.ended?.step], [undefined, 1]);
  const { requests } = both;
  assert.equal(lateEnd(requests, { requestSequence: 2, outcome: 'completed' }), undefined, 'its step is open');
  const late = lateEnd(requests, { requestSequence: 1, outcome: 'completed', usage: { output: 3 } });
  assert.ok(late);
  const told = after(both, [late]);
  assert.deepEqual(
    [told.requests.get(0)?.ended?.outcome, told.requests.get(0)?.ended?.usage],
    ['completed', { output: 3 }],
  );
  assert.equal(told.step?.step, 2, 'the open step stays open');
  assert.equal(lateEnd(told.requests, { requestSequence: 1, outcome: 'failed' }), undefined, 'it ends once');
  assert.throws(() => after(told, [late]), /ends step 1, but step 2 is open/);
  const done = after(told, endStep(told, { requestSequence: 2, outcome: 'completed', answerCalled: false }));
  assert.deepEqual([done.turn, done.step], [undefined, undefined]);
});

test('an end without an outcome tells no request anything late', () => {
  const both = asked(asked(initialState, 1), 2);
  const end: NewEvent = { type: 'step/end', data: { turn: 1, step: 1, requestSequence: 1 } };
  assert.throws(() => after(both, [end]), /ends step 1, but step 2 is open/);
});
