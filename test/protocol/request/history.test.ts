import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { CorruptLogError } from '../../../protocol/request/corruptLogError.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { rebuildRequest } from '../../../protocol/request/rebuildRequest.ts';
import { headerChange, recordHeader } from '../../../protocol/request/recordHeader.ts';
import { RequestHistory } from '../../../protocol/request/requestHistory.ts';
import { anyEvents, headers } from './arbitraries.ts';
import { assertCorrupt, assistant, delta, type Entry, logOf, snapshot, text, user } from './logKit.ts';
import { deepFreeze, isDeepFrozen, vectorCases } from './vectorFile.ts';
import { entry, textsOf, ViewLog } from './viewKit.ts';

const header = { config: { model: 'm' }, system: 's', messagePrefix: [{ role: 'user', content: [text('open')] }] };
const step = (requestSequence: number): Entry => ({
  type: 'step/start',
  data: { turn: 1, step: requestSequence, requestSequence },
});
const sealed = (requestSequence: number, stepStart: number): Entry => ({
  type: 'request/sealed',
  data: { requestSequence, stepStart, hash: 'h', bytes: 1, messages: 1, changes: [] },
});

function historyOf(events: readonly LogEvent[]): RequestHistory {
  const history = new RequestHistory();
  for (const event of events) {
    history.append(event);
  }
  return history;
}

test('request-log 1: every request that was sealed is rebuilt by its number: config, system, tools, prefix and view', () => {
  const history = historyOf(
    logOf(
      user('a'),
      step(1),
      snapshot(header),
      sealed(1, 1),
      assistant(text('b')),
      user('c'),
      step(2),
      delta({ messagePrefix: [] }),
      sealed(2, 6),
    ),
  );
  const first = history.rebuild(1);
  assert.deepEqual(first, {
    config: { model: 'm' },
    system: 's',
    messages: [...header.messagePrefix, { role: 'user', content: [text('a')] }],
  });
  assert.ok(isDeepFrozen(first));
  assert.deepEqual(textsOf(history.rebuild(2)?.messages ?? []), ['a', 'b', 'c']);
  assert.equal(history.requests, 2);
  assert.equal(
    history.sealedText(1),
    '{"config":{"model":"m"},"system":"s","messages":[{"role":"user","content":[{"type":"text","text":"open"}]},{"role":"user","content":[{"type":"text","text":"a"}]}]}',
  );
});

test('request-log 1: a request that was never sealed is none', () => {
  const history = historyOf(logOf(user('a'), step(1)));
  for (const sequence of [0, 1, 2, -1, Number.NaN]) {
    assert.equal(history.rebuild(sequence), undefined);
    assert.equal(history.sealedText(sequence), undefined);
  }
});

test('request-log 1: a sealed request without a header is a named error', () => {
  const history = historyOf(logOf(user('a'), step(1), sealed(1, 1)));
  assertCorrupt(() => history.rebuild(1), 1, /no header was logged/);
});

test('request-log 2.7: what comes after the step has started belongs to the next request', () => {
  const history = historyOf(
    logOf(user('a'), step(1), user('late'), snapshot(header), user('later'), sealed(1, 1), step(2), sealed(2, 6)),
  );
  assert.deepEqual(textsOf(history.rebuild(1)?.messages ?? []), ['open', 'a']);
  assert.deepEqual(textsOf(history.rebuild(2)?.messages ?? []), ['open', 'a', 'late', 'later']);
});

test('request-log 4: a header event after the seal is not of the sealed request', () => {
  const history = historyOf(
    logOf(step(1), snapshot(header), sealed(1, 0), delta({ config: { model: 'n' } }), step(2), sealed(2, 4)),
  );
  assert.deepEqual(
    [1, 2].map(sequence => history.rebuild(sequence)?.config),
    [{ model: 'm' }, { model: 'n' }],
  );
});

test('request-log 2.2: an event that contradicts those before it is a named error, and is not taken', () => {
  const history = historyOf(logOf(user('a'), step(1), snapshot(header), sealed(1, 1)));
  const bad: readonly (readonly [Entry, RegExp])[] = [
    [user('x', { op: 'replace', start: 9, end: 9 }), /not on the surface/],
    [user('x', { op: 'replace', start: 1, end: 1 }), /not on the surface/],
    [delta({ config: null }), /config is no object/],
    [sealed(1, 1), /request 1 was sealed before/],
    [sealed(2, 0), /no request of a step/],
    [{ type: 'request/sealed', data: null }, /no request of a step/],
  ];
  for (const [event, reason] of bad) {
    assertCorrupt(() => history.append({ ...event, seq: 4, time: 0 } as LogEvent), 4, reason);
  }
  assertCorrupt(() => history.append({ ...user('x'), seq: 9, time: 0 } as LogEvent), 4, /seq is not its place/);
  history.append({ ...user('b'), seq: 4, time: 0 } as LogEvent);
  assert.deepEqual(
    history.surface.map(({ seq }) => seq),
    [0, 4],
  );
  assert.deepEqual(history.header, header);
});

test('request-log 7: the header that the history folds to is the baseline of the next header event', () => {
  fc.assert(
    fc.property(fc.array(headers(), { maxLength: 6 }), fc.boolean(), (sent, resumed) => {
      const history = new RequestHistory();
      const events: LogEvent[] = [];
      for (const [index, next] of sent.entries()) {
        const instance = { loggedHeader: resumed ? index > 1 : index > 0 };
        const event = headerChange(history.header, instance, next);
        assert.deepEqual(event, recordHeader(events, instance, next));
        if (event) {
          const placed = deepFreeze({ ...structuredClone(event), seq: events.length, time: 0 }) as unknown as LogEvent;
          history.append(placed);
          events.push(placed);
        }
        assert.equal(JSON.stringify(history.header?.tools), JSON.stringify(next.tools));
      }
    }),
    { numRuns: 200 },
  );
});

test('request-log 13: every reconstruct vector gives every request of its log, by its step', () => {
  for (const { id, events, requests } of vectorCases('reconstruct')) {
    const history = historyOf(events);
    for (const { stepStartSeq, request } of requests) {
      const { config, ...others } = history.rebuildStep(stepStartSeq);
      assert.equal(JSON.stringify({ ...config, ...others }), JSON.stringify(request), `${id} ${stepStartSeq}`);
    }
  }
});

test('request-log 8.2: the header of a history, and what is rebuilt with it, is deep-frozen and shares nothing with the log', () => {
  const events = JSON.parse(JSON.stringify(logOf(step(1), snapshot(header), sealed(1, 0)))) as LogEvent[];
  const history = historyOf(events);
  assert.ok(isDeepFrozen(history.header));
  assert.ok(isDeepFrozen(history.rebuild(1)));
  (events[1] as unknown as { data: { header: { config: { model: string } } } }).data.header.config.model = 'changed';
  assert.deepEqual(history.header, header);
});

test('request-log 2.4: messages that stand deep-frozen in their events are given as they are, others as frozen copies', () => {
  const inner = [1];
  const loose = {
    seq: 0,
    time: 0,
    type: 'host/message',
    data: { message: { a: inner } },
    surfaceOp: 'append',
  } as const;
  const event = deepFreeze(structuredClone(loose));
  const [held] = historyOf([event]).surface;
  assert.equal(held?.message, event.data.message);
  const [copied] = historyOf([loose]).surface;
  assert.deepEqual(copied?.message, { a: [1] });
  assert.ok(isDeepFrozen(copied?.message));
  inner.push(2);
  assert.deepEqual(copied?.message, { a: [1] });
  const halfFrozen = { ...loose, data: { message: Object.freeze({ a: [1] }) } };
  assert.ok(isDeepFrozen(historyOf([halfFrozen]).surface[0]?.message));
  assert.equal(copied?.message, copied?.message, 'the same object each time');
});

test('DESIGN flow 2: the last unit is that of the last message that is shown', () => {
  const log = new ViewLog();
  assert.equal(log.history.lastUnit, '');
  log.show(['a', 'b', 'c'].map(value => entry(value)));
  assert.equal(log.history.lastUnit, 'c');
  log.show([entry('a'), entry('b'), entry('C')]);
  assert.equal(log.history.lastUnit, 'C', 'another one in the last place');
  log.show([entry('a'), entry('S', { keys: ['s1', 's2'] })]);
  assert.equal(log.history.lastUnit, 's2', 'one in the place of the last two');
  log.show([entry('a')]);
  assert.equal(log.history.lastUnit, 'a', 'the last one was taken away');
  log.show([entry('a'), entry('d')]);
  assert.equal(log.history.lastUnit, 'd');
  log.show([]);
  assert.equal(log.history.lastUnit, '');
});

/** A session of many requests: appends, tombstones, compactions, header changes. */
function longLog(requests: number): readonly LogEvent[] {
  const entries: Entry[] = [];
  let surface: number[] = [];
  for (let request = 1; request <= requests; request++) {
    for (let turn = 0; turn < 3; turn++) {
      surface.push(entries.length);
      entries.push(user(`m${entries.length}`));
    }
    if (request % 3 === 0) {
      const at = surface.length - 2;
      const [seq = 0] = surface.splice(at, 1, entries.length);
      entries.push(user(`t${entries.length}`, { op: 'replace', start: seq, end: seq }));
    }
    if (surface.length > 60) {
      const [start = 0, end = 0] = [surface[0], surface[40]];
      surface = [entries.length, ...surface.slice(41)];
      entries.push(user(`s${entries.length}`, { op: 'replace', start, end }));
    }
    const stepStart = entries.length;
    entries.push(step(request));
    if (request === 1) {
      entries.push(snapshot(header));
    } else if (request % 5 === 0) {
      entries.push(delta({ config: { model: `m${request}` } }));
    }
    entries.push(sealed(request, stepStart));
  }
  return logOf(...entries);
}

test('law: request-log 1: by checkpoints every request of a long log is rebuilt as by a fold from the start', () => {
  const events = longLog(400);
  assert.ok(events.length > 2_000, 'more than a few checkpoints');
  const history = historyOf(events);
  for (let sequence = 1; sequence <= 400; sequence++) {
    const rebuilt = history.rebuild(sequence);
    assert.ok(rebuilt);
    const { config, ...others } = rebuilt;
    const stepStart = events.findIndex(
      ({ type, data }) => type === 'step/start' && (data as JsonObject)['step'] === sequence,
    );
    assert.equal(JSON.stringify({ ...config, ...others }), JSON.stringify(rebuildRequest(events, stepStart)));
  }
});

test('DESIGN speed: a rebuild in a log of 100,000 events looks at a few hundred of them', () => {
  const requests = 20_000;
  let looked = 0;
  const history = new RequestHistory();
  const events = longLog(requests);
  assert.ok(events.length > 100_000);
  for (const { type, ...others } of events) {
    const counted = {
      ...others,
      get type() {
        looked++;
        return type;
      },
    };
    history.append(counted);
  }
  for (const request of [1, 2, requests / 2, requests]) {
    looked = 0;
    assert.ok(history.rebuild(request));
    assert.ok(looked < 2_500, `${looked} looks at an event's type, several an event`);
  }
});

/** Runs it: its value, or the named error. */
function outcome(run: () => unknown): unknown {
  try {
    return { value: JSON.stringify(run()) };
  } catch (error) {
    assert.ok(error instanceof CorruptLogError, String(error));
    return { message: error.message };
  }
}

test('law: reading arbitrary JSON into a history throws nothing but CorruptLogError, and where it reads it agrees', () => {
  fc.assert(
    fc.property(anyEvents, items => {
      const events = deepFreeze(items) as readonly LogEvent[];
      const history = new RequestHistory();
      const read = events.findIndex(event => 'message' in (outcome(() => history.append(event)) as object));
      const good = read < 0 ? events : events.slice(0, read);
      for (let seq = -1; seq <= good.length; seq++) {
        const expected = outcome(() => rebuildRequest(good, seq)) as { message?: string };
        const found = outcome(() => {
          const { config, ...others } = history.rebuildStep(seq);
          return { ...config, ...others };
        });
        // Only a request in one object can mistake a member of its config for a part.
        if (!expected.message?.includes('which is no config')) {
          assert.deepEqual(found, expected);
        }
      }
    }),
    { numRuns: 800 },
  );
});

test('issue 3, 2: for every request of a session, the log alone gives the text whose hash was sealed', () => {
  const events = longLog(60);
  const history = historyOf(events);
  const hashes = new Set<string>();
  for (let sequence = 1; sequence <= 60; sequence++) {
    const sealedText = history.sealedText(sequence) ?? '';
    assert.equal(sealedText, JSON.stringify(history.rebuild(sequence)));
    hashes.add(createHash('sha256').update(sealedText).digest('hex'));
  }
  assert.equal(hashes.size, 60);
});
