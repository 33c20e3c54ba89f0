import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SpliceList } from '../../protocol/spliceList.ts';

test('law: a list is what splices of an array give, and earlier lists stay as they were', () => {
  const step = fc.tuple(fc.nat(), fc.nat(), fc.array(fc.nat(), { maxLength: 40 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      let list = SpliceList.empty<number>();
      const kept: (readonly [SpliceList<number>, readonly number[]])[] = [];
      for (const [a, b, insert] of steps) {
        const before = kept.at(-1)?.[1] ?? [];
        const keepStart = a % (before.length + 1);
        const keepEnd = b % (before.length - keepStart + 1);
        list = list.splice(keepStart, keepEnd, insert);
        kept.push([list, [...before.slice(0, keepStart), ...insert, ...before.slice(before.length - keepEnd)]]);
      }
      for (const [made, expected] of kept) {
        assert.deepEqual(made.toArray(), expected);
        assert.equal(made.length, expected.length);
      }
    }),
  );
});

test('200,000 splices one after the other share what they keep', () => {
  let list = SpliceList.empty<number>().splice(0, 0, [-1, -2]);
  for (let count = 0; count < 200_000; count++) {
    list = list.splice(list.length - 1, 1, [count]);
  }
  const items = list.toArray();
  assert.equal(items.length, 200_002);
  assert.deepEqual([items[0], items[1], items.at(-2), items.at(-1)], [-1, 0, 199_999, -2]);
});
