import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashedHeader, hashedMessage } from '../../../protocol/log/hashedContent.ts';
import { readEvent } from '../../../protocol/log/readEvent.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { SessionState } from '../../../protocol/log/sessionState.ts';
import { StateHistory } from '../../../protocol/log/stateHistory.ts';
import { stateFromJson, stateToJson } from '../../../protocol/log/stateJson.ts';
import { withoutContent } from '../../../protocol/log/withoutContent.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { deepFreeze } from '../request/vectorFile.ts';
import { longSession, secretsIn, sessions, sha256 } from './sessions.ts';

const RUNS = { numRuns: 300 };

const fold = (events: readonly LogEvent[], from = initialState): SessionState => events.reduce(reduce, from);

/** Vectors hide their items from `deepEqual`, so states are compared as JSON. */
function assertSame(left: SessionState, right: SessionState): void {
  assert.deepEqual(stateToJson(left), stateToJson(right));
}

test('law: every event of a session is read as what it is', () => {
  fc.assert(
    fc.property(sessions, events => {
      for (const [index, event] of events.entries()) {
        assert.equal(readEvent(event, index), event);
      }
    }),
    RUNS,
  );
});

test('law: folding a session piece by piece is folding it whole, cut anywhere, and changes nothing that it was given', () => {
  fc.assert(
    fc.property(sessions.map(deepFreeze), events => {
      const whole = fold(events);
      for (let cut = 0; cut <= events.length; cut++) {
        const before = fold(events.slice(0, cut));
        const json = JSON.stringify(stateToJson(before));
        assert.equal(before.nextSeq, cut);
        assertSame(fold(events.slice(cut), before), whole);
        assert.equal(JSON.stringify(stateToJson(before)), json);
      }
    }),
    { numRuns: 100 },
  );
});

test('law: a session folds to the same state with and without its content', () => {
  fc.assert(
    fc.property(sessions, events => {
      const stripped = events.map((event, index) => readEvent(withoutContent(event, sha256), index));
      assertSame(fold(stripped), fold(events));
    }),
    RUNS,
  );
});

test('law: no content is left in events without content, and they are JSON', () => {
  let found = 0;
  fc.assert(
    fc.property(sessions, events => {
      for (const event of events) {
        const stripped = withoutContent(event, sha256);
        found += secretsIn(event).length;
        assert.deepEqual(secretsIn(stripped), [], event.type);
        assert.deepEqual(JSON.parse(JSON.stringify(stripped)), stripped);
      }
    }),
    RUNS,
  );
  assert.ok(found > 2000, `${found} contents`);
});

test('law: a state that went through JSON is the same state, and folding goes on from it', () => {
  fc.assert(
    fc.property(sessions, fc.nat(60), (events, place) => {
      const cut = Math.min(place, events.length);
      const state = fold(events.slice(0, cut));
      const copy = stateFromJson(JSON.parse(JSON.stringify(stateToJson(state))));
      assert.deepEqual(copy, state);
      assertSame(copy, state);
      assertSame(fold(events.slice(cut), copy), fold(events));
    }),
    RUNS,
  );
});

test('law: a history gives the state at every place, and from a snapshot on the same ones', () => {
  const events = longSession(1200);
  const history = new StateHistory();
  for (const event of events) {
    history.append(event);
  }
  const late = new StateHistory(history.at(700));
  for (const event of events.slice(700)) {
    late.append(event);
  }
  let state = initialState;
  for (const [seq, event] of events.entries()) {
    if (seq % 7 === 0 || seq % 256 < 2) {
      assertSame(history.at(seq) ?? initialState, state);
      assert.equal(late.at(seq) === undefined, seq < 700);
      assertSame(late.at(seq) ?? state, state);
    }
    assert.equal(history.event(seq), event);
    state = reduce(state, event);
  }
  assertSame(history.latest, state);
  assertSame(history.at(1200) ?? initialState, state);
  assert.equal(late.event(699), undefined);
  for (const outside of [-1, 1201, 0.5, Number.NaN]) {
    assert.equal(history.at(outside), undefined);
  }
});

const contents = fc.stringMatching(/^secret-[a-z]{8,12}$/);
const values = fc.letrec(tie => ({
  value: fc.oneof(
    contents,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'text'), tie('value')),
  ),
})).value;

test('law: hashed messages and headers hold no content, are told apart, and stay as they are when hashed again', () => {
  const messages = fc.record({ role: fc.constantFrom('user', 'assistant'), content: values, calls: values });
  fc.assert(
    fc.property(messages, messages, values, values, (message, other, system, tool) => {
      const hashed = hashedMessage(message as never, sha256);
      assert.deepEqual(secretsIn(hashed), []);
      assert.deepEqual(hashedMessage(hashed, sha256), hashed);
      assert.equal(hashed['role'], message.role);
      assert.equal(
        JSON.stringify(hashedMessage(other as never, sha256)) === JSON.stringify(hashed),
        JSON.stringify(other) === JSON.stringify(message),
      );
      const tools = [tool, { name: 'dig', tool }, { function: { name: 'rake', tool } }, { type: 'sow', tool }] as never;
      const header = hashedHeader(
        { config: { model: 'm' }, system: system as never, tools, messagePrefix: [message as never] },
        sha256,
      );
      assert.deepEqual(secretsIn(header), []);
      assert.deepEqual(hashedHeader(header, sha256), header);
    }),
    RUNS,
  );
});
