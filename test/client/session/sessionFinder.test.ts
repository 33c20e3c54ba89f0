import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { isGone, SessionFinder } from '../../../client/session/sessionFinder.ts';
import { writeAnnouncement } from '../../../local/announcements.ts';
import { announced, FakeSession, HandTimers, HEADER, hosted, privateFolder } from '../../adapter/host/hostKit.ts';
import { inTime } from '../../server/deadline.ts';

function find(t: TestContext, folders: readonly string[]) {
  let waiting: (() => void)[] = [];
  let changes = 0;
  const finder = new SessionFinder({
    folders,
    changed: () => {
      changes += 1;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) {
        wake();
      }
    },
  });
  t.after(() => finder.dispose());
  return {
    finder,
    changes: () => changes,
    ids: () => finder.found.map(({ session }) => session),
    async until(what: string, isSo: () => boolean) {
      while (!isSo()) {
        await inTime(new Promise<void>(resolve => waiting.push(resolve)), what);
      }
    },
  };
}

/** The number of a process that has ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

test('sessions of all folders are found, the newest first, and of each session the newest announcement', async t => {
  const [one, other] = [privateFolder(t), privateFolder(t)];
  await hosted(t, new FakeSession({ ...HEADER, id: 'a' }), { folder: one, now: () => 1 });
  await hosted(t, new FakeSession({ ...HEADER, id: 'b' }), { folder: other, now: () => 2 });
  const newest = await hosted(t, new FakeSession({ ...HEADER, id: 'a' }), { folder: other, now: () => 3 });
  const { finder, until, ids } = find(t, [one, other, join(one, 'missing')]);
  await until('both', () => ids().length === 2);
  assert.deepEqual(ids(), ['a', 'b']);
  assert.equal(finder.found[0]?.file, newest.announcement.file);
});

test('a session that ends is found no more, and one in a folder that is made later is found', async t => {
  const folder = join(privateFolder(t), 'run');
  const { until, ids } = find(t, [folder]);
  mkdirSync(folder, { mode: 0o700 });
  const { host } = await hosted(t, undefined, { folder });
  await until('the session', () => ids().length === 1);
  await host.close();
  await until('its end', () => ids().length === 0);
});

test('what a dead agent left behind is not found, and what cannot be read is refused in a sentence', async t => {
  const folder = privateFolder(t);
  writeAnnouncement(folder, '00000000000000aa', announced('00000000000000aa', { session: 'dead', pid: deadProcess() }));
  writeFileSync(join(folder, '00000000000000bb.json'), 'no json', { mode: 0o600 });
  await hosted(t, undefined, { folder });
  const { finder, until, ids } = find(t, [folder]);
  await until('the living one', () => ids().length > 0);
  assert.deepEqual(ids(), [HEADER.id]);
  assert.equal(finder.refused.length, 1);
  assert.match(finder.refused[0]?.sentence ?? '', /it is no JSON/);
});

test('a session is gone when its announcement is, or when its process is dead', async t => {
  const { announcement, folder, host } = await hosted(t);
  assert.equal(await isGone(announcement), false);
  const dead = writeAnnouncement(folder, '00000000000000aa', announced('00000000000000aa', { pid: deadProcess() }));
  const left = { ...announcement, file: dead, address: join(folder, 'none.sock'), pid: deadProcess() };
  assert.equal(await isGone(left), true);
  await host.close();
  assert.equal(await isGone(announcement), true);
});

test('after its end a finder tells nothing and leaves no timer', async t => {
  const folder = privateFolder(t);
  const timers = new HandTimers();
  let changes = 0;
  const finder = new SessionFinder({ folders: [folder], changed: () => changes++, timers });
  finder.dispose();
  await hosted(t, undefined, { folder });
  rmSync(join(folder, 'none'), { force: true });
  await finder.refresh();
  await setImmediate();
  assert.equal(changes, 0);
  assert.deepEqual(finder.found, []);
  assert.equal(timers.waiting, 0);
});
