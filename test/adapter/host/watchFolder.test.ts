import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Announcements } from '../../../local/announcements.ts';
import { watchAnnouncements } from '../../../local/watchAnnouncements.ts';
import { inTime } from '../../server/deadline.ts';
import { FakeSession, HandTimers, hosted, privateFolder } from './hostKit.ts';

/** Watches a folder and keeps the last that was told. */
function watched(t: TestContext, folder: string) {
  const told: Announcements[] = [];
  let wake = () => {};
  const end = watchAnnouncements(folder, announcements => {
    told.push(announcements);
    wake();
  });
  t.after(end);
  const until = async (what: string, isSo: (last: Announcements) => boolean) => {
    while (!isSo(told.at(-1) ?? { found: [], refused: [] })) {
      await inTime(
        new Promise<void>(resolve => {
          wake = resolve;
        }),
        what,
      );
    }
  };
  return { told, until, end };
}

const count = (expected: number) => (last: Announcements) => last.found.length === expected;

test('discovery: sessions that begin and end are told as they do', async t => {
  const folder = privateFolder(t);
  const { told, until } = watched(t, folder);
  assert.deepEqual(told, [{ found: [], refused: [] }]);
  const first = await hosted(t, new FakeSession(), { folder });
  await until('the first', count(1));
  await hosted(t, new FakeSession(), { folder });
  await until('the second', count(2));
  await first.host.close();
  await until('its end', count(1));
});

test('discovery: a folder that is made later, with all that is above it, is watched from then on', async t => {
  const folder = join(privateFolder(t), 'a', 'b', 'run');
  const { until } = watched(t, folder);
  await hosted(t, new FakeSession(), { folder });
  await until('the first', count(1));
  await hosted(t, new FakeSession(), { folder });
  await until('the second', count(2));
});

test('discovery: a folder that is removed and made again is watched again', async t => {
  const folder = join(privateFolder(t), 'run');
  mkdirSync(folder, { mode: 0o700 });
  const { until } = watched(t, folder);
  const { host } = await hosted(t, new FakeSession(), { folder });
  await until('a session', count(1));
  await host.close();
  rmSync(folder, { recursive: true });
  await until('nothing', count(0));
  await hosted(t, new FakeSession(), { folder });
  await until('a session again', count(1));
});

test('discovery: what becomes unsafe is told', async t => {
  const parent = privateFolder(t);
  const folder = join(parent, 'run');
  const { until } = watched(t, folder);
  symlinkSync(privateFolder(t), folder);
  await until('a refusal', last => last.refused.length === 1);
});

test('discovery: nothing is told twice, and nothing after the end', async t => {
  const folder = privateFolder(t);
  const timers = new HandTimers();
  let told = 0;
  const end = watchAnnouncements(folder, () => told++, timers);
  await hosted(t, new FakeSession(), { folder });
  await inTime(
    (async () => {
      while (timers.waiting === 0) {
        await new Promise(resolve => setImmediate(resolve));
      }
    })(),
    'a change',
  );
  assert.equal(timers.waiting, 1, 'changes are gathered');
  timers.advance(50);
  assert.equal(told, 2);
  end();
  assert.equal(timers.waiting, 0);
  await hosted(t, new FakeSession(), { folder });
  assert.equal(timers.waiting, 0);
  assert.equal(told, 2);
});
