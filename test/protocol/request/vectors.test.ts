import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CorruptLogError } from '../../../protocol/request/corruptLogError.ts';
import { foldRequestHeader } from '../../../protocol/request/foldRequestHeader.ts';
import { canonicalHeader, headerEquals } from '../../../protocol/request/header.ts';
import { applyHeaderDelta, diffHeader } from '../../../protocol/request/headerDelta.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { rebuildRequest } from '../../../protocol/request/rebuildRequest.ts';
import { logOf, runInstance, snapshot } from './logKit.ts';
import { deepFreeze, vectorCases } from './vectorFile.ts';

/** Equal in value, and in the order of members at every depth. */
function assertSame(actual: unknown, expected: unknown, what: string): void {
  assert.deepEqual(actual, expected, what);
  assert.equal(JSON.stringify(actual), JSON.stringify(expected), what);
}

test('request-log 13: every binding diff vector gives the same delta, the same result and the same event', () => {
  const cases = vectorCases('diff').filter(({ strength }) => strength !== 'observed');
  assert.equal(cases.length, 336);
  for (const { id, note, prev, next, equal, delta, applied, needsFallback, written } of cases) {
    const what = `${id} ${note}`;
    const found = diffHeader(prev, next);
    assert.equal(headerEquals(prev, next), equal, what);
    assertSame(found ?? null, delta, what);
    if (found) {
      assertSame(applyHeaderDelta(prev, deepFreeze(found)), applied, what);
      assert.equal(headerEquals(applyHeaderDelta(prev, found), next), !needsFallback, what);
    }
    const { written: events, log } = runInstance([], [prev, next]);
    const event = events[1];
    const reason = event?.type === 'request/header' ? { reason: event.data.reason } : {};
    assert.deepEqual(event ? { type: event.type, ...reason } : null, written, what);
    assertSame(foldRequestHeader(log), written ? next : prev, what);
  }
});

test('request-log 3.2: a change of a config field that upstream does not compare is logged', () => {
  const cases = vectorCases('diff').filter(({ strength }) => strength === 'observed');
  assert.equal(cases.length, 2);
  for (const { id, prev, next } of cases) {
    assert.equal(headerEquals(prev, next), false, id);
    assertSame(diffHeader(prev, next), { config: next.config }, id);
    assertSame(foldRequestHeader(runInstance([], [prev, next]).log), next, id);
  }
});

test('request-log 13: every canonical vector', () => {
  const cases = vectorCases('canonical');
  assert.equal(cases.length, 8);
  for (const { id, note, raw, canonical } of cases) {
    assertSame(canonicalHeader(raw), canonical, `${id} ${note}`);
  }
});

test('request-log 13: every binding fold vector', () => {
  const cases = vectorCases('fold').filter(({ strength }) => strength === 'required');
  assert.equal(cases.length, 27);
  for (const { id, note, events, upTo, from, outcome, header } of cases) {
    const run = () => foldRequestHeader(events.slice(0, upTo), from);
    if (outcome === 'throws') {
      assert.throws(run, CorruptLogError, `${id} ${note}`);
    } else {
      assertSame(run() ?? null, header, `${id} ${note}`);
    }
  }
});

/** What upstream guesses at and we read as it stands, because DESIGN defines it; all others are refused. */
const READ_AS_IT_STANDS = new Map([
  ['two changes for one name', 'the last one counts, as in diff/tools-duplicate/010, which is binding'],
  ['snapshot without a reason', 'the fold does not read the reason'],
  ['system is a number', 'system may be any JSON'],
]);

test('request-log 8.4: every malformed log that upstream guesses at is a named error with the seq of its event', () => {
  const cases = vectorCases('fold').filter(({ strength }) => strength === 'observed');
  assert.equal(cases.length, 25);
  const read: string[] = [];
  for (const { id, note, events, upTo, from, header } of cases) {
    const run = () => foldRequestHeader(events.slice(0, upTo), from);
    if (!READ_AS_IT_STANDS.has(note)) {
      const last = events[upTo - 1];
      assert.throws(
        run,
        (error: unknown) => error instanceof CorruptLogError && error.seq === last?.seq,
        `${id} ${note}`,
      );
      continue;
    }
    read.push(note);
    assertSame(run(), note === 'system is a number' ? { ...header, system: 5 } : header, `${id} ${note}`);
  }
  assert.deepEqual(read, [...READ_AS_IT_STANDS.keys()]);
});

test('request-log 13: every writer vector gives the same events, instance by instance', () => {
  const cases = vectorCases('writer');
  assert.equal(cases.length, 16);
  for (const { id, note, instances, written } of cases) {
    let log: readonly LogEvent[] = [];
    const events = instances.flatMap(headers => {
      const run = runInstance(log, headers);
      log = run.log;
      return run.written;
    });
    assertSame(
      events.map(event => event ?? null),
      written,
      `${id} ${note}`,
    );
    assertSame(foldRequestHeader(log), instances.flat().at(-1), `${id} ${note}`);
  }
});

test('request-log 13: every reconstruct vector gives every request of its log', () => {
  const cases = vectorCases('reconstruct');
  assert.equal(cases.length, 8);
  for (const { id, note, events, requests } of cases) {
    assert.ok(requests.length > 0, id);
    for (const { stepStartSeq, request } of requests) {
      assertSame(rebuildRequest(events, stepStartSeq), request, `${id} ${note} ${stepStartSeq}`);
    }
  }
});

test('request-log 1: a later event of any kind changes no request that was built before it', () => {
  for (const { id, events, requests } of vectorCases('reconstruct')) {
    const later = [...events, ...logOf(snapshot({ config: { model: 'later' } }))];
    for (const { stepStartSeq, request } of requests) {
      assertSame(rebuildRequest(later, stepStartSeq), request, id);
    }
  }
});
