import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PairingCheck, pairingFault, placesOutsidePairs, unansweredCalls } from '../../../protocol/request/pairing.ts';
import { answering, calling, entry } from './viewKit.ts';

test('users-ask 55: a view whose results follow their calls has no fault', () => {
  const view = [
    calling('a', '1', '2'),
    answering('b', '2'),
    answering('c', '1'),
    calling('d', '3'),
    answering('e', '3'),
  ];
  assert.equal(pairingFault(view), undefined);
  assert.equal(pairingFault([]), undefined);
  assert.equal(pairingFault([entry('u')]), undefined);
});

test('users-ask 55: a result whose call was compacted away is a fault that names the id, however far back it stands', () => {
  const view = [answering('b', 'toolu_7'), ...Array.from({ length: 50 }, (_, index) => entry(`m${index}`))];
  assert.match(
    pairingFault(view) ?? '',
    /^The request was not built, because the tool result for the call "toolu_7" has no such call before it\. /,
  );
});

test('places that part nothing: not within an answer of several items, nor before any result of a call', () => {
  const view = [
    entry('u'),
    entry('thought', { item: true }),
    { ...calling('c', '1'), item: true },
    answering('first', '1'),
    entry('v'),
    answering('second', '1'),
    entry('w', { item: true }),
  ];
  assert.deepEqual(placesOutsidePairs(view), [0, 1, 6, 6, 6, 6, 6, 7]);
});

test('users-ask 55: a result before its call is a fault', () => {
  assert.match(pairingFault([answering('r', '1'), calling('c', '1')]) ?? '', /"1" has no such call before it/);
});

test('users-ask 55: two results for one call are a fault', () => {
  assert.match(
    pairingFault([calling('c', '1'), answering('r', '1'), answering('s', '1')]) ?? '',
    /the tool call "1" has two results/,
  );
});

test('users-ask 55: where a host’s calls may have many results, one more is no fault, and one without a call is', () => {
  const check = new PairingCheck(true);
  const view = [calling('c', '1'), answering('r', '1'), answering('s', '1')];
  assert.equal(check.fault(view), undefined);
  assert.match(check.fault([...view, answering('t', '2')]) ?? '', /"2" has no such call before it/);
});

test('users-ask 55: a call that is made again before it has a result is a fault', () => {
  assert.match(pairingFault([calling('c', '1'), calling('d', '1')]) ?? '', /"1" is made twice before it has a result/);
  assert.match(pairingFault([calling('c', '1', '1')]) ?? '', /"1" is made twice/);
});

test('users-ask 55: an id is used again after it was answered, as models do that count anew in each turn', () => {
  const round = [calling('c', 'call_0'), answering('r', 'call_0')];
  assert.equal(pairingFault([...round, ...round]), undefined);
});

test('users-ask 55: what a failed answer called may be called again by the answer that takes its place', () => {
  const failed = entry('c', { calls: ['call_0'], failed: true });
  const again = [calling('d', 'call_0'), answering('r', 'call_0')];
  assert.equal(pairingFault([entry('u'), failed, ...again]), undefined);
  assert.equal(pairingFault([failed, failed, ...again]), undefined);
  assert.equal(pairingFault([failed, answering('r', 'call_0')]), undefined, 'a host may answer it');
  assert.match(pairingFault([...again, answering('s', 'call_0')]) ?? '', /has two results/);
  assert.match(pairingFault([calling('c', 'call_0'), ...again]) ?? '', /made twice/);
  // That it failed is known only when the next request is built.
  const check = new PairingCheck();
  const before = calling('c', 'call_0');
  assert.equal(check.fault([before]), undefined);
  assert.equal(check.fault([{ ...before, failed: true }, ...again]), undefined);
});

test('users-ask 55: one message may hold text, calls and results, and answer its own call', () => {
  assert.equal(pairingFault([entry('search', { calls: ['1'], answers: ['1'] })]), undefined);
  const mixed = [calling('c', '1'), entry('result and text', { answers: ['1'] }), entry('u')];
  assert.equal(pairingFault(mixed), undefined);
});

test('request-log 2.5: a call without a result is legal', () => {
  assert.equal(pairingFault([calling('c', '1'), entry('u')]), undefined);
});

test('users-ask 55: calls without a result that are passed by are found, those that still wait are not', () => {
  assert.deepEqual(unansweredCalls([entry('u'), calling('c', '1', '2'), answering('r', '2'), entry('next')]), [
    { call: '1', index: 1 },
  ]);
  assert.deepEqual(unansweredCalls([entry('u'), calling('c', '1', '2'), answering('r', '2')]), []);
  assert.deepEqual(unansweredCalls([calling('c', '1')]), []);
  assert.deepEqual(unansweredCalls([calling('c', '1'), answering('r', '1'), entry('u')]), []);
});

test('law: users-ask 55: taking a call or doubling a result anywhere in a good view is always found', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 6 }), fc.nat(), (rounds, pick) => {
      const view = rounds.flatMap((count, round) => {
        const ids = Array.from({ length: count }, (_, call) => `${round}.${call}`);
        return [entry('u'), calling('c', ...ids), ...ids.map(id => answering('r', id))];
      });
      assert.equal(pairingFault(view), undefined);
      const results = view.flatMap(({ answers }, index) => (answers.length > 0 ? [index] : []));
      const at = results[pick % results.length] ?? 0;
      const id = view[at]?.answers[0] ?? '';
      const call = view.findIndex(({ calls }) => calls.includes(id));
      assert.ok(pairingFault(view.toSpliced(call, 1))?.includes(JSON.stringify(view[call]?.calls[0])));
      assert.ok(pairingFault(view.toSpliced(at, 0, answering('r', id)))?.includes(JSON.stringify(id)));
    }),
    { numRuns: 300 },
  );
});

test('law: users-ask 55: a check that has seen the views before answers for each what a new one answers', () => {
  const one = fc.oneof(
    fc.constant(entry('u')),
    fc.nat(3).map(id => calling('c', `${id}`)),
    fc.nat(3).map(id => entry('c', { calls: [`${id}`], failed: true })),
    fc.nat(3).map(id => answering('r', `${id}`)),
  );
  const edit = fc.record({ keep: fc.nat(8), drop: fc.nat(2), add: fc.array(one, { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), edits => {
      const check = new PairingCheck();
      let view: ReturnType<typeof entry>[] = [];
      for (const { keep, drop, add } of edits) {
        // As for a tombstone: another entry with the same calls and answers.
        view = view.toSpliced(keep, drop).map((same, index) => (index === keep ? { ...same, changed: true } : same));
        view.push(...add);
        assert.equal(check.fault(view), pairingFault(view));
      }
    }),
    { numRuns: 500 },
  );
});
