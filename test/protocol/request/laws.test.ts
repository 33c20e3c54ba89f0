import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CorruptLogError } from '../../../protocol/request/corruptLogError.ts';
import { deriveMessages } from '../../../protocol/request/deriveMessages.ts';
import { foldRequestHeader } from '../../../protocol/request/foldRequestHeader.ts';
import { canonicalHeader, headerEquals, type RequestHeader } from '../../../protocol/request/header.ts';
import { applyHeaderDelta, diffHeader } from '../../../protocol/request/headerDelta.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { rebuildRequest } from '../../../protocol/request/rebuildRequest.ts';
import { recordHeader } from '../../../protocol/request/recordHeader.ts';
import { anyEvents, distinctTools, headers, messageEvents, rawHeaders } from './arbitraries.ts';
import { logOf, runInstance } from './logKit.ts';
import { deepFreeze, isDeepFrozen } from './vectorFile.ts';

// Everything handed over is deep-frozen: a function that changed what it was given would throw a TypeError.
const RUNS = { numRuns: 1000 };
const pairs = fc.tuple(headers(distinctTools), headers(distinctTools)).map(deepFreeze);

/** What stands of `next`'s tools can be said by name: the kept ones in their old order, then the new ones. */
function isExpressible(prev: RequestHeader, next: RequestHeader): boolean {
  const names = ({ tools = [] }: RequestHeader) => tools.map(tool => (tool as { name: string }).name);
  const before = names(prev);
  const after = names(next);
  const kept = before.filter(name => after.includes(name));
  return JSON.stringify(after) === JSON.stringify([...kept, ...after.filter(name => !before.includes(name))]);
}

test('law: request-log 6: applying a difference gives the next header wherever it can be said', () => {
  fc.assert(
    fc.property(pairs, ([prev, next]) => {
      const delta = diffHeader(prev, next);
      const applied = delta ? applyHeaderDelta(prev, deepFreeze(delta)) : prev;
      assert.equal(headerEquals(applied, next), isExpressible(prev, next));
      const { tools: _, ...rest } = next;
      assert.ok(headerEquals({ ...applied, tools: [] }, rest), 'every part but tools always round-trips');
    }),
    RUNS,
  );
});

test('law: request-log 6: there is no difference exactly between equal headers', () => {
  fc.assert(
    fc.property(fc.oneof(pairs, fc.tuple(headers(), headers())), ([prev, next]) => {
      assert.equal(diffHeader(prev, next) === undefined, headerEquals(prev, next));
      assert.equal(headerEquals(prev, next), headerEquals(next, prev));
      assert.equal(diffHeader(prev, JSON.parse(JSON.stringify(prev)) as RequestHeader), undefined);
    }),
    RUNS,
  );
});

test('law: request-log 3.2: tools and prefix are equal exactly when their JSON texts are', () => {
  fc.assert(
    fc.property(headers(), headers(), (a, b) => {
      const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);
      const { config, ...parts } = a;
      const { config: _, ...others } = b;
      const equal = same(parts, others);
      assert.equal(headerEquals(a, { ...b, config }), equal);
    }),
    RUNS,
  );
});

test('law: request-log 3.1: canonical form is idempotent and equal to what it was made of', () => {
  fc.assert(
    fc.property(rawHeaders.map(deepFreeze), raw => {
      const canonical = canonicalHeader(raw);
      assert.deepEqual(canonicalHeader(canonical), canonical);
      assert.ok(headerEquals(raw, canonical));
    }),
    RUNS,
  );
});

test('law: request-log 7: whatever headers any instances send, the log folds to each, cut anywhere', () => {
  const runs = fc.array(fc.array(headers(), { maxLength: 4 }), { maxLength: 4 });
  fc.assert(
    fc.property(runs, instances => {
      let log: readonly LogEvent[] = [];
      for (const sent of instances) {
        for (const count of sent.keys()) {
          const { log: after } = runInstance(log, sent.slice(0, count + 1));
          assert.ok(headerEquals(foldRequestHeader(after) ?? { config: {} }, sent[count] ?? { config: {} }));
        }
        log = runInstance(log, sent).log;
      }
      const whole = foldRequestHeader(log);
      for (let cut = 0; cut <= log.length; cut++) {
        const held = foldRequestHeader(log.slice(0, cut));
        assert.ok(isDeepFrozen(held));
        assert.deepEqual(foldRequestHeader(log.slice(cut), held), whole);
      }
    }),
    { numRuns: 200 },
  );
});

/** The surface as plainly as it can be written. */
function slowSurface(events: readonly LogEvent[]): readonly number[] {
  const surface: number[] = [];
  for (const { seq, surfaceOp } of events) {
    if (surfaceOp === 'append') {
      surface.push(seq);
    } else if (surfaceOp) {
      const start = surface.indexOf(surfaceOp.start);
      surface.splice(start, surface.indexOf(surfaceOp.end) - start + 1, seq);
    }
  }
  return surface;
}

test('law: request-log 2.4: the surface is that of a list that is cut and filled by position', () => {
  fc.assert(
    fc.property(messageEvents, entries => {
      const events = logOf(...entries);
      const expected = slowSurface(events).map(seq => ({ role: 'user', content: [{ type: 'text', text: `${seq}` }] }));
      assert.deepEqual(deriveMessages(events), expected);
    }),
    RUNS,
  );
});

/** Runs it twice: both times the same value, or both times the same named error. */
function outcome(run: () => unknown): unknown {
  const [first, second] = [0, 1].map(() => {
    try {
      return { value: run() };
    } catch (error) {
      assert.ok(error instanceof CorruptLogError, String(error));
      return { message: error.message, index: error.index, seq: error.seq };
    }
  });
  assert.deepEqual(first, second);
  return first;
}

test('law: reading arbitrary JSON throws nothing but CorruptLogError, the same each time, and changes nothing', () => {
  const config = deepFreeze({ model: 'm' });
  fc.assert(
    fc.property(anyEvents, items => {
      const events = deepFreeze(items) as readonly LogEvent[];
      outcome(() => foldRequestHeader(events));
      outcome(() => foldRequestHeader(events, { config, system: 'one\ntwo' }));
      outcome(() => deriveMessages(events));
      outcome(() => recordHeader(events, { loggedHeader: true }, { config }));
      for (let seq = -1; seq <= events.length; seq++) {
        outcome(() => rebuildRequest(events, seq));
      }
    }),
    { numRuns: 1500 },
  );
});

test('law: values nested a hundred thousand deep are read, compared and written like any other', () => {
  const deep = (leaf: string) => JSON.parse(`${'['.repeat(100_000)}${leaf}${']'.repeat(100_000)}`) as never;
  const logged = (seq: number, type: string, data: unknown) => ({ type, seq, time: 0, data }) as LogEvent;
  const header = {
    config: { model: deep('1') },
    system: deep('1'),
    tools: [deep('1')],
    messagePrefix: [{ a: deep('1') }],
  };
  const events = [
    logged(0, 'request/header', { header }),
    { ...logged(1, 'user/message', { content: [{ a: deep('1') }] }), surfaceOp: 'append' as const },
    logged(2, 'step/start', {}),
    logged(3, 'request/header-delta', { tools: { added: [], removed: [], changed: [deep('2')] } }),
  ];
  assert.equal(rebuildRequest(events, 2).messages.length, 2);
  assert.equal(recordHeader(events, { loggedHeader: true }, { ...header, tools: [deep('2')] }), undefined);
  assert.deepEqual(Object.keys(diffHeader(header, { ...header, tools: [deep('3')] }) ?? {}), ['tools']);
});
