import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachBounded } from '../../cli/eachBounded.ts';
import { Progress } from '../../cli/progress.ts';

function progressOn(isTTY: boolean) {
  const written: string[] = [];
  let time = 0;
  const progress = new Progress({ isTTY, write: text => written.push(text) }, () => time);
  return {
    written,
    progress,
    stepAt: (at: number) => {
      time = at;
      progress.step();
    },
  };
}

test('a short run writes nothing', () => {
  const { written, progress, stepAt } = progressOn(true);
  stepAt(10);
  stepAt(999);
  progress.end();
  assert.deepEqual(written, []);
});

test('a long run shows one line that is rewritten ten times a second at most and taken away', () => {
  const { written, progress, stepAt } = progressOn(true);
  for (const at of [500, 1000, 1050, 1100]) {
    stepAt(at);
  }
  progress.end();
  progress.end();
  assert.deepEqual(written, ['\r\u001b[2KChecked 2 files …', '\r\u001b[2KChecked 4 files …', '\r\u001b[2K']);
});

test('nothing where no terminal is', () => {
  const { written, progress, stepAt } = progressOn(false);
  stepAt(5000);
  progress.end();
  assert.deepEqual(written, []);
});

test('bounded work: never more at once than allowed, results in the order of the items', async () => {
  let running = 0;
  let most = 0;
  const items = Array.from({ length: 50 }, (_, index) => index);
  const results = await eachBounded(items, 7, async item => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < 1 + ((item * 13) % 5); turn++) {
      await Promise.resolve();
    }
    running--;
    return item * 2;
  });
  assert.deepEqual(
    results,
    items.map(item => item * 2),
  );
  assert.equal(most, 7);
});
