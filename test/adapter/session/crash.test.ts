import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  assistant,
  bytesOf,
  call,
  EPHEMERAL,
  result,
  tombstoneOf,
  user,
} from '../../protocol/lifecycle/lifecycleKit.ts';
import { Child } from './childKit.ts';
import { type Checked, checkedSession, dataOf, homeOf, typesOf } from './sessionKit.ts';

const SESSION = { sessionId: 'host-1' };

/** What the disk holds when the process of a session dies now: its file as it is, and no lock that anybody holds. */
async function afterDeathOf(t: TestContext, { session }: Checked): Promise<Checked> {
  const folder = homeOf(t);
  mkdirSync(join(folder, 'sessions'), { mode: 0o700 });
  copyFileSync(session.logFile, join(folder, 'sessions', basename(session.logFile)));
  return checkedSession(t, { folder, ...SESSION });
}

test('request-log 2.5: after a crash the open step and the open turn are ended as interrupted, at the time of the last event', async t => {
  let now = 1_000;
  const first = await checkedSession(t, { ...SESSION, now: () => now });
  await first.request([user('a')]);
  now = 5_000;
  const { events: before } = await first.file();
  const second = await afterDeathOf(t, first);
  const { events } = await second.file();
  const repair = events.slice(before.length, before.length + 3);
  assert.deepEqual(repair.map(({ type, data }) => [type, data]).slice(0, 2), [
    ['step/end', { turn: 1, step: 1, requestSequence: 1, outcome: 'aborted' }],
    ['turn/end', { turn: 1, reason: { kind: 'interrupted' } }],
  ]);
  assert.deepEqual(repair.map(({ time }) => time).slice(0, 2), [1_000, 1_000]);
  assert.equal(repair[2]?.type, 'session/opened');
  assert.equal(second.session.state.step, undefined);
  assert.equal((await second.turn([user('a')])).requestSequence, 2);
  await second.close();
});

test('request-log 2.5: after a crash between two steps only the turn is open, and a clean end leaves nothing to repair', async t => {
  const first = await checkedSession(t, SESSION);
  await first.turn([user('a')]);
  const second = await afterDeathOf(t, first);
  const { events } = await second.file();
  assert.deepEqual(typesOf(events).slice(-3), ['step/end', 'turn/end', 'session/opened']);
  await second.close();
  const third = await afterDeathOf(t, second);
  assert.deepEqual(typesOf((await third.file()).events).slice(-3), [
    'session/opened',
    'session/closed',
    'session/opened',
  ]);
  await third.close();
});

test('seed 1: after a crash before the answer an ephemeral unit is sent whole once more', async t => {
  const history = [user('a'), call('c1'), result('c1', EPHEMERAL)];
  const first = await checkedSession(t, SESSION);
  await first.request(history);
  const second = await afterDeathOf(t, first);
  assert.deepEqual((await second.turn(history)).messages[2], result('c1', EPHEMERAL));
  const { events } = await second.close();
  assert.equal(dataOf(events, 'ephemeral/admitted').length, 1);
});

test('DESIGN flow 2: an answer whose end the session did not see, because it died or was closed, consumes', async t => {
  const history = [user('a'), call('c1'), result('c1', EPHEMERAL)];
  const answered = [...history, assistant('b'), user('c')];
  for (const isClosed of [false, true]) {
    const first = await checkedSession(t, SESSION);
    await first.request(history);
    if (isClosed) {
      await first.close();
    }
    const second = await afterDeathOf(t, first);
    const sealed = await second.turn(answered);
    assert.deepEqual(sealed.messages[2], result('c1', tombstoneOf(bytesOf(EPHEMERAL))));
    await second.close();
  }
});

test('issue 3.4: a session of a killed process is gone on with in its own log', async t => {
  const folder = homeOf(t);
  const child = new Child(t, 'hold', folder, 'host-1');
  await child.line();
  assert.equal(await child.line(), 'built 1');
  child.process.kill('SIGKILL');
  assert.equal(await child.ended, 'SIGKILL');
  const session = await checkedSession(t, { folder, ...SESSION });
  assert.deepEqual([session.session.id, session.session.notices], ['host-1', []]);
  assert.equal((await session.turn([{ role: 'user', content: 'from another process' }])).requestSequence, 2);
  const { events } = await session.close();
  assert.deepEqual(
    dataOf(events, 'turn/end').map(({ reason }) => reason),
    [{ kind: 'interrupted' }, { kind: 'disposed' }],
  );
  const locks = readdirSync(join(folder, 'sessions')).filter(name => name.includes('.lock'));
  assert.deepEqual(locks, [], 'no lock is left behind');
});
