import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CrashLimit } from '../../client/crashLimit.ts';

test('editor-bugs 54: four ends are forgiven, the fifth within three minutes is not', () => {
  let now = 0;
  const limit = new CrashLimit(() => now);
  const answers = [0, 10_000, 20_000, 30_000, 180_000].map(at => {
    now = at;
    return limit.allowsRestart();
  });
  assert.deepEqual(answers, [true, true, true, true, false]);
});

test('ends that are longer ago than three minutes do not count', () => {
  let now = 0;
  const limit = new CrashLimit(() => now);
  for (let count = 0; count < 20; count++) {
    now += 45_001;
    assert.equal(limit.allowsRestart(), true);
  }
});
