import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REFRESH_INTERVAL, RefreshGate } from '../../client/views/refreshGate.ts';

/** A gate with a clock that the test turns and refreshes that end when it says so. */
function gateOf() {
  const timers: { callback: () => void; milliseconds: number }[] = [];
  const refreshes: (() => void)[] = [];
  const gate = new RefreshGate(
    () => new Promise<void>(resolve => refreshes.push(resolve)),
    (callback, milliseconds) => {
      const timer = { callback, milliseconds };
      timers.push(timer);
      return () => timers.splice(timers.indexOf(timer), 1);
    },
  );
  return {
    gate,
    refreshes,
    timers,
    async endRefresh() {
      refreshes.at(-1)?.();
      await new Promise(resolve => setImmediate(resolve));
    },
    endPause() {
      for (const { callback } of timers.splice(0)) {
        callback();
      }
    },
  };
}

test('nothing is refreshed while the view is hidden, and once when it is seen', () => {
  const { gate, refreshes } = gateOf();
  gate.request();
  gate.request();
  assert.equal(refreshes.length, 0);
  gate.setVisible(true);
  assert.equal(refreshes.length, 1);
});

test('a view that is seen again without any change is not refreshed', async () => {
  const { gate, refreshes, endRefresh, endPause } = gateOf();
  gate.setVisible(true);
  gate.request();
  await endRefresh();
  endPause();
  gate.setVisible(false);
  gate.setVisible(true);
  assert.equal(refreshes.length, 1);
});

test('many requests become at most one refresh in a quarter of a second', async () => {
  const { gate, refreshes, timers, endRefresh, endPause } = gateOf();
  gate.setVisible(true);
  for (let count = 0; count < 100; count++) {
    gate.request();
  }
  await endRefresh();
  gate.request();
  assert.equal(refreshes.length, 1);
  assert.deepEqual(
    timers.map(({ milliseconds }) => milliseconds),
    [REFRESH_INTERVAL],
  );
  endPause();
  assert.equal(refreshes.length, 2);
});

test('editor-bugs 65: a refresh starts only after the one before has ended', async () => {
  const { gate, refreshes, endRefresh, endPause } = gateOf();
  gate.setVisible(true);
  gate.request();
  gate.request();
  endPause();
  assert.equal(refreshes.length, 1);
  await endRefresh();
  assert.equal(refreshes.length, 2);
});

test('a disposed gate lets nothing through and leaves no timer', async () => {
  const { gate, refreshes, timers, endRefresh } = gateOf();
  gate.setVisible(true);
  gate.request();
  gate.dispose();
  gate.request();
  await endRefresh();
  assert.equal(refreshes.length, 1);
  assert.equal(timers.length, 0);
});
