import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import type { SessionState } from '../../../protocol/log/sessionState.ts';
import { stateFromJson, stateToJson } from '../../../protocol/log/stateJson.ts';
import { assertCorrupt } from '../request/logKit.ts';
import { HASH, logOf, opened } from './sessions.ts';

const foldOf = (...events: readonly NewEvent[]): SessionState => logOf(events).reduce(reduce, initialState);

const turnStart = (turn: number): NewEvent => ({ type: 'turn/start', data: { turn, trigger: { kind: 'message' } } });
const turnEnd = (turn: number): NewEvent => ({ type: 'turn/end', data: { turn, reason: 'completed' } });
const stepStart = (turn: number, step: number, requestSequence?: number): NewEvent => ({
  type: 'step/start',
  data: { turn, step, ...(requestSequence !== undefined && { requestSequence }) },
});
const stepEnd = (turn: number, step: number, requestSequence?: number): NewEvent => ({
  type: 'step/end',
  data: { turn, step, outcome: 'completed', ...(requestSequence !== undefined && { requestSequence }) },
});
const sealed = (requestSequence: number, stepStartSeq: number): NewEvent => ({
  type: 'request/sealed',
  data: { requestSequence, stepStart: stepStartSeq, hash: HASH, bytes: 1, messages: 0, changes: [] },
});
const body = (requestSequence: number): NewEvent => ({
  type: 'request/body',
  data: { requestSequence, bytes: 3, sha256: HASH, encoding: 'zstd', decoded: { bytes: 9, sha256: HASH } },
  ignorable: true,
});
const receipt = (requestSequence: number, result: 'matched' | 'mismatch' | 'not-reported' = 'matched'): NewEvent => ({
  type: 'request/receipt',
  data: { requestSequence, result },
});
const resumed: NewEvent = { ...opened, data: { ...opened.data, reason: 'resumed' } } as NewEvent;
const closed: NewEvent = { type: 'session/closed', data: {} };

test('request-log 2.5: turns and steps count from 1, and steps begin anew with each turn', () => {
  const state = foldOf(turnStart(1), stepStart(1, 1), stepEnd(1, 1), stepStart(1, 2));
  assert.deepEqual(
    [state.turn, state.step],
    [
      { turn: 1, seq: 0 },
      { step: 2, seq: 3 },
    ],
  );
  assert.deepEqual([state.lastTurn, state.lastStep], [1, 2]);
  const next = foldOf(turnStart(1), stepStart(1, 1), stepEnd(1, 1), turnEnd(1), turnStart(2), stepStart(2, 1));
  assert.deepEqual([next.lastTurn, next.lastStep], [2, 1]);
  const between = foldOf(turnStart(1), turnEnd(1));
  assert.deepEqual([between.turn, between.step, between.lastTurn, between.lastStep], [undefined, undefined, 1, 0]);
});

test('a request is known from its seal, ends with its step, and has its receipt', () => {
  const events = [turnStart(1), stepStart(1, 1, 1), sealed(1, 1), receipt(1), stepEnd(1, 1, 1)];
  const [open] = foldOf(...events.slice(0, 3)).requests;
  assert.deepEqual(
    [open?.turn, open?.step, open?.sealed.seq, open?.ended, open?.receipt],
    [1, 1, 2, undefined, undefined],
  );
  const [request] = foldOf(...events).requests;
  assert.deepEqual([request?.receipt?.seq, request?.ended?.seq, request?.ended?.outcome], [3, 4, 'completed']);
});

test('a step whose request was never sealed ends without a request; the next one has the same number', () => {
  const state = foldOf(turnStart(1), stepStart(1, 1, 1), stepEnd(1, 1, 1), stepStart(1, 2, 1), sealed(1, 3));
  assert.equal(state.requests.length, 1);
  assert.equal(state.requests.get(0)?.step, 2);
  assert.deepEqual(state.step, { step: 2, seq: 3, requestSequence: 1 });
});

test('a request whose body is logged keeps how long it is, its hash, and how it is compressed', () => {
  const state = foldOf(turnStart(1), stepStart(1, 1, 1), sealed(1, 1), body(1), receipt(1));
  assert.deepEqual(state.requests.get(0)?.body, { bytes: 3, sha256: HASH, encoding: 'zstd' });
  assert.deepEqual(stateToJson(stateFromJson(JSON.parse(JSON.stringify(stateToJson(state))))), stateToJson(state));
});

test('a receipt that says mismatch stays, whatever is seen later; of others the last counts', () => {
  const events = [turnStart(1), stepStart(1, 1), sealed(1, 1)];
  const result = (...receipts: readonly NewEvent[]) => foldOf(...events, ...receipts).requests.get(0)?.receipt?.result;
  assert.equal(result(receipt(1, 'mismatch'), receipt(1)), 'mismatch');
  assert.equal(result(receipt(1, 'not-reported'), receipt(1)), 'matched');
  assert.equal(result(receipt(1), receipt(1, 'mismatch')), 'mismatch');
});

for (const end of [resumed, closed]) {
  test(`an open turn, step and request are over with ${end.type}: the request was aborted`, () => {
    const state = foldOf(opened, turnStart(1), stepStart(1, 1), sealed(1, 2), end);
    assert.deepEqual([state.turn, state.step], [undefined, undefined]);
    assert.deepEqual(state.requests.get(0)?.ended, {
      turn: 1,
      step: 1,
      requestSequence: 1,
      outcome: 'aborted',
      seq: 4,
      time: 1004,
    });
    assert.equal(foldOf(opened, turnStart(1), stepStart(1, 1), end).requests.length, 0);
    const answered = foldOf(opened, turnStart(1), stepStart(1, 1), sealed(1, 2), stepEnd(1, 1), end);
    assert.equal(answered.requests.get(0)?.ended?.outcome, 'completed');
  });
}

test('instances are counted, and the last one says what it is', () => {
  const state = foldOf(opened, closed, resumed);
  assert.deepEqual([state.instances, state.closed, state.opened?.reason, state.opened?.seq], [2, false, 'resumed', 2]);
  assert.equal(foldOf(opened, closed).closed, true);
});

test('DESIGN The log: a clock that goes back is counted, and its times stay as they are', () => {
  const times = [5, 9, 3, 3, 4, -1];
  const events = logOf(times.map(() => ({ type: 'log/torn', data: { bytes: 1 } })));
  const state = events.map((event, index) => ({ ...event, time: times[index] ?? 0 })).reduce(reduce, initialState);
  assert.deepEqual([state.clockWentBack, state.time, state.nextSeq], [2, -1, 6]);
});

test('V1: activations, discard attempts and consumptions are audited, each with its place and request', () => {
  const audit = { source: 'a.md', class: 'context-file', trigger: 'load', rule: 'r', requestSequence: 1 } as const;
  const state = foldOf(
    {
      type: 'source/loaded',
      data: { source: 'a.md', class: 'context-file', sha256: HASH, bytes: 1, blocks: [], problems: [] },
    },
    { type: 'block/activated', data: { ...audit, blockId: 'a', endLine: 2, bytes: 1, sha256: HASH, text: 'x' } },
    { type: 'block/discarded', data: { ...audit, blockId: 'a' } },
    { type: 'discard/overflow', data: { source: 'b', class: 'plugin', rest: 2, requestSequence: 1 } },
  );
  const common = { source: 'a.md', requestSequence: 1, blockId: 'a' };
  assert.deepEqual(state.audit.toArray(), [
    { ...common, seq: 1, time: 1001, type: 'block/activated' },
    { ...common, seq: 2, time: 1002, type: 'block/discarded' },
    { seq: 3, time: 1003, type: 'discard/overflow', source: 'b', requestSequence: 1 },
  ]);
});

test('problems are kept; unknown events are counted and do nothing else', () => {
  const unknown = { type: 'future/thing', data: 1, ignorable: true } as unknown as NewEvent;
  const state = foldOf({ type: 'session/problem', data: { code: 'c', sentence: 'S.' } }, unknown, unknown);
  assert.deepEqual(state.problems.toArray(), [{ code: 'c', sentence: 'S.', seq: 0, time: 1000 }]);
  assert.equal(state.unknown, 2);
  assert.equal(state.nextSeq, 3);
});

const CONTRADICTIONS: readonly (readonly [string, readonly NewEvent[], RegExp])[] = [
  ['a second turn inside a turn', [turnStart(1), turnStart(2)], /turn 1 is open/],
  ['a turn that skips a number', [turnStart(2)], /turn 2 after turn 0/],
  ['a turn with an old number', [turnStart(1), turnEnd(1), turnStart(1)], /turn 1 after turn 1/],
  ['the end of no turn', [turnEnd(1)], /no turn is open/],
  ['the end of another turn', [turnStart(1), turnEnd(2)], /names turn 2, but turn 1 is open/],
  ['the end of a turn whose step is open', [turnStart(1), stepStart(1, 1), turnEnd(1)], /whose step 1 is open/],
  ['a step outside a turn', [stepStart(1, 1)], /no turn is open/],
  ['a step in a step', [turnStart(1), stepStart(1, 1), stepStart(1, 2)], /step 1 is open/],
  ['a step that skips a number', [turnStart(1), stepStart(1, 2)], /step 2 after step 0/],
  ['a step of a later request', [turnStart(1), stepStart(1, 1, 2)], /request 2 after request 0/],
  ['the end of no step', [turnStart(1), stepEnd(1, 1)], /no step is open/],
  ['the end of another step', [turnStart(1), stepStart(1, 1), stepEnd(1, 2)], /ends step 2, but step 1/],
  ['a response to an unknown request', [turnStart(1), stepStart(1, 1), stepEnd(1, 1, 1)], /answers request 1/],
  [
    'a response to another request',
    [turnStart(1), stepStart(1, 1), sealed(1, 1), stepEnd(1, 1, 2)],
    /answers request 2, which is not the request of this step/,
  ],
  ['a seal outside a step', [turnStart(1), sealed(1, 0)], /no step is open/],
  ['a seal of another step', [turnStart(1), stepStart(1, 1), sealed(1, 0)], /stepStart/],
  ['a seal that skips a number', [turnStart(1), stepStart(1, 1), sealed(2, 1)], /request 2 after request 0/],
  ['a second seal in a step', [turnStart(1), stepStart(1, 1), sealed(1, 1), sealed(2, 1)], /has a request already/],
  [
    'a prefix of more messages than the request has',
    [
      turnStart(1),
      stepStart(1, 1),
      {
        type: 'request/sealed',
        data: { requestSequence: 1, stepStart: 1, hash: HASH, bytes: 1, messages: 1, prefixMessages: 2, changes: [] },
      },
    ],
    /its prefix has 2 messages, but it has 1/,
  ],
  ['a body of no request', [body(1)], /request 1, which was never sealed/],
  [
    'a second body of a request',
    [turnStart(1), stepStart(1, 1), sealed(1, 1), body(1), body(1)],
    /request 1 has a body already/,
  ],
  ['a receipt of no request', [receipt(1)], /request 1, which was never sealed/],
  [
    'a discard of a block that is not there',
    [
      {
        type: 'block/discarded',
        data: { blockId: 'a', source: 's', class: 'plugin', trigger: 'control', rule: 'r', requestSequence: 1 },
      },
    ],
    /"a"/,
  ],
];

for (const [what, events, reason] of CONTRADICTIONS) {
  test(`an event that contradicts those before it is a named error with its seq: ${what}`, () => {
    const before = logOf(events).slice(0, -1).reduce(reduce, initialState);
    const held = JSON.stringify(stateToJson(before));
    assertCorrupt(() => foldOf(...events), events.length - 1, reason);
    assert.equal(JSON.stringify(stateToJson(before)), held);
  });
}

test('an event that is not the next one is a named error', () => {
  const [, second] = logOf([opened, closed]);
  assert.ok(second);
  assertCorrupt(() => reduce(initialState, second), 0, /seq is not its place/);
});

test('what is no state of a session is refused by a sentence', () => {
  const state = stateToJson(foldOf(opened, turnStart(1), stepStart(1, 1), sealed(1, 2)));
  for (const [value, reason] of [
    [null, /no object/],
    [[], /no object/],
    [{}, /its nextSeq is not a whole number/],
    [{ ...state, nextSeq: -1 }, /its nextSeq/],
    [{ ...state, requests: {} }, /its requests is no list/],
    [{ ...state, requests: [{}] }, /its sealed is no object/],
    [
      { ...state, requests: [...state.requests, ...state.requests] },
      /its requests are not numbered one after the other/,
    ],
    [{ ...state, lifecycle: { ...state.lifecycle, blocks: [{ id: 'a' }] } }, /its status/],
    [{ ...state, audit: [{ seq: 1, time: 1, type: 'nothing' }] }, /its type/],
    [{ ...state, audit: [{ seq: 1, time: 1, type: 'session/opened' }] }, /its type/],
  ] as const) {
    assertCorrupt(() => stateFromJson(value), undefined, reason);
  }
  assert.throws(
    () => stateFromJson({}),
    /^CorruptLogError: This state of a session cannot be used: .* Read the events/,
  );
});
