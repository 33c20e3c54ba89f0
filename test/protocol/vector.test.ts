import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Vector } from '../../protocol/vector.ts';

test('law: a vector holds what a plain list would, whichever it grew from, and every other one stays as it was', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(), fc.integer(), fc.constantFrom(1, 1, 1, 2, 5, 40)), {
    maxLength: 200,
    size: 'max',
  });
  fc.assert(
    fc.property(fc.nat(2200), steps, (start, changes) => {
      const first = Array.from({ length: start }, (_, index) => index);
      const versions: [Vector<number>, readonly number[]][] = [[Vector.of(first), first]];
      for (const [push, place, item, back] of changes) {
        const [vector, list] = versions.at(-back) ?? [Vector.empty<number>(), []];
        if (push || list.length === 0) {
          versions.push([vector.push(item), [...list, item]]);
        } else {
          versions.push([vector.set(place % list.length, item), list.with(place % list.length, item)]);
        }
      }
      for (const [vector, list] of versions.filter((_, index) => index % 50 === 0 || index === versions.length - 1)) {
        assert.equal(vector.length, list.length);
        assert.deepEqual(vector.toArray(), list);
        assert.deepEqual([...vector], list);
        assert.deepEqual(JSON.parse(JSON.stringify(vector)), list);
        for (const index of [0, 31, 32, 33, 1023, 1024, 1055, 1056, list.length - 1]) {
          assert.equal(vector.get(index), list[index]);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('a vector that is looked through does not see what is added meanwhile', () => {
  const first = Vector.of([1, 2, 3]);
  let vector = first;
  const seen: number[] = [];
  for (const item of first) {
    seen.push(item);
    vector = vector.push(item * 10);
  }
  assert.deepEqual(seen, [1, 2, 3]);
  assert.deepEqual(first.toArray(), [1, 2, 3]);
  assert.deepEqual(vector.toArray(), [1, 2, 3, 10, 20, 30]);
});

test('a vector of more than 32 * 32 * 32 items finds each of them', () => {
  const vector = Vector.of(Array.from({ length: 33_900 }, (_, index) => index));
  for (let index = 0; index < vector.length; index++) {
    assert.equal(vector.get(index), index);
  }
  assert.equal(vector.set(32_768, -1).get(32_768), -1);
  assert.equal(vector.get(32_768), 32_768);
});

test('outside a vector there is nothing to get, and setting is a RangeError', () => {
  const vector = Vector.of(['a']);
  for (const index of [-1, 1, Number.NaN]) {
    assert.equal(vector.get(index), undefined);
  }
  for (const index of [-1, 1, Number.NaN]) {
    assert.throws(() => vector.set(index, 'b'), RangeError);
  }
});
