import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { writeAnnouncement } from '../../../local/announcements.ts';
import { announced, FakeSession, HEADER, hosted, privateFolder } from '../../adapter/host/hostKit.ts';
import { openWindow } from './registryKit.ts';

const header = (id: string, cwd = '/work', created = 1) => ({ ...HEADER, id, cwd, created });

test('a session of the workspace is attached by itself, with the state that it has and what follows', async t => {
  const { session, host, folder } = await hosted(t);
  session.add(3);
  const { registry, until } = openWindow(t, [folder]);
  assert.deepEqual([registry.isNew, registry.all], [true, []]);
  await until('the session', () => registry.current?.link.kind === 'connected');
  assert.equal(registry.isNew, false);
  assert.deepEqual(registry.current?.header, HEADER);
  assert.equal(registry.current.state.nextSeq, 3);
  assert.equal(registry.current.mayDiscard, true);
  session.add(2);
  host.push();
  await until('two events', () => registry.current?.state.nextSeq === 5);
  assert.equal(registry.current.state.problems.length, 5);
});

test('a session that begins later is attached, and one that ends keeps its last state', async t => {
  const folder = privateFolder(t);
  const { registry, until } = openWindow(t, [folder]);
  const { session, host } = await hosted(t, undefined, { folder });
  session.add(4);
  host.push();
  await until('the session', () => registry.current?.state.nextSeq === 4);
  await host.close('The agent was closed.');
  await until('the end', () => registry.current?.link.kind === 'ended');
  assert.deepEqual(registry.current?.link, { kind: 'ended', sentence: 'The agent was closed.', since: 1_000 });
  assert.equal(registry.current.state.nextSeq, 4);
  assert.equal(registry.current.mayDiscard, false);
  await assert.rejects(registry.current.readRequest(1), { message: 'The agent was closed.' });
});

test('a session that goes on at another socket continues from what is known, in the same place', async t => {
  const folder = privateFolder(t);
  const session = new FakeSession();
  session.add(5);
  const first = await hosted(t, session, { folder });
  const { registry, until } = openWindow(t, [folder]);
  await until('the session', () => registry.current?.link.kind === 'connected');
  const shown = registry.current;
  await first.host.close();
  await until('the end', () => registry.current?.link.kind === 'ended');
  session.add(2);
  let snapshots = 0;
  await hosted(
    t,
    {
      ...session,
      state: () => {
        snapshots += 1;
        return session.state();
      },
    } as FakeSession,
    { folder, now: () => Date.now() + 1_000 },
  );
  await until('the session again', () => registry.current?.link.kind === 'connected');
  await until('the two events', () => registry.current?.state.nextSeq === 7);
  assert.equal(registry.current, shown);
  assert.equal(registry.all.length, 1);
  assert.equal(snapshots, 0);
});

test('several sessions: those of the workspace first, the newest of them is the current one until one is chosen', async t => {
  const folder = privateFolder(t);
  await hosted(t, new FakeSession(header('old', '/work', 1)), { folder });
  await hosted(t, new FakeSession(header('new', '/work/inside', 2)), { folder });
  await hosted(t, new FakeSession(header('elsewhere', '/other', 3)), { folder });
  const { registry, until } = openWindow(t, [folder]);
  await until('two sessions', () => registry.all.filter(({ link }) => link.kind === 'connected').length === 2);
  assert.deepEqual(
    registry.all.map(session => session.header.id),
    ['new', 'old'],
  );
  assert.deepEqual(registry.found.map(({ session }) => session).toSorted(), ['elsewhere', 'new', 'old']);
  assert.equal(registry.found.at(-1)?.session, 'elsewhere');
  assert.equal(registry.current?.header.id, 'new');
  registry.choose('session:old');
  assert.equal(registry.current?.header.id, 'old');
  const attached = registry.attach('elsewhere');
  assert.equal(registry.current, attached);
  await until('the third', () => attached?.link.kind === 'connected');
  assert.deepEqual(
    registry.all.map(session => session.header.id),
    ['new', 'old', 'elsewhere'],
  );
});

test('the session that was chosen is the current one until it ends and another one runs', async t => {
  const folder = privateFolder(t);
  const chosen = await hosted(t, new FakeSession(header('chosen')), { folder });
  const { registry, until } = openWindow(t, [folder]);
  await until('the session', () => registry.current?.link.kind === 'connected');
  registry.choose('session:chosen');
  await chosen.host.close();
  await until('the end', () => registry.current?.link.kind === 'ended');
  await hosted(t, new FakeSession(header('next')), { folder });
  await until('the next', () => registry.current?.header.id === 'next');
});

test('nothing is attached by itself where the setting is off, and nothing at all that is not announced', async t => {
  const { folder } = await hosted(t);
  const { registry, until } = openWindow(t, [folder], { autoAttach: () => false });
  await until('an announcement', () => registry.found.length === 1);
  assert.deepEqual(registry.all, []);
  assert.equal(registry.attach('unknown'), undefined);
  registry.attach(HEADER.id);
  await until('the session', () => registry.current?.link.kind === 'connected');
});

test('a session that was disconnected stays so, with its last state, until a person connects it', async t => {
  const folder = privateFolder(t);
  const { session, host } = await hosted(t, undefined, { folder });
  session.add(2);
  const { registry, until } = openWindow(t, [folder]);
  await until('the session', () => registry.current?.link.kind === 'connected');
  const { key } = registry.current!;
  registry.detach(key);
  assert.equal(registry.current?.link.kind, 'ended');
  assert.equal(registry.current.state.nextSeq, 2);
  // Another session announces itself, which makes the window look at all of them.
  await hosted(t, new FakeSession(header('second')), { folder });
  await until('the second', () =>
    registry.all.some(({ header, link }) => header.id === 'second' && link.kind === 'connected'),
  );
  assert.equal(registry.all.find(each => each.key === key)?.link.kind, 'ended');
  registry.detach(key);
  assert.deepEqual(
    registry.all.map(each => each.header.id),
    ['second'],
  );
  session.add(1);
  host.push();
  const again = registry.attach(HEADER.id);
  await until('the first again', () => again?.link.kind === 'connected');
  assert.equal(again?.state.nextSeq, 3);
});

test('after a reload, sessions that a person had attached are attached again, wherever they work', async t => {
  const { folder } = await hosted(t, new FakeSession(header('far', '/far')));
  const before = openWindow(t, [folder]);
  await before.until('an announcement', () => before.registry.found.length === 1);
  before.registry.attach('far');
  before.dispose();
  const remembered = before.remembered()!;
  assert.deepEqual(remembered, { attached: ['far'], chosen: 'session:far' });
  const { registry, until } = openWindow(t, [folder], { remembered });
  await until('the session', () => registry.current?.link.kind === 'connected');
  registry.detach('session:far');
});

test('what a process of this window announces is attached, whether it was announced before or after', async t => {
  const folder = privateFolder(t);
  await hosted(t, new FakeSession(header('one', '/far')), { folder });
  const { registry, until } = openWindow(t, [folder]);
  await until('an announcement', () => registry.found.length === 1);
  assert.deepEqual(registry.all, []);
  registry.attachProcess(process.pid);
  await until('the first', () => registry.all[0]?.link.kind === 'connected');
  await hosted(t, new FakeSession(header('two', '/far')), { folder });
  await until('the second', () => registry.all.length === 2);
});

test('editor-bugs 69: a session of another version is refused once, in a sentence, and not tried again', async t => {
  const folder = privateFolder(t);
  writeAnnouncement(
    folder,
    '00000000000000aa',
    announced('00000000000000aa', { wireVersion: 2, cwd: '/work', session: 'newer' }),
  );
  const { registry, refusals, until } = openWindow(t, [folder]);
  await until('the refusal', () => registry.current?.link.kind === 'ended');
  assert.match(refusals[0] ?? '', /version 2 .* version 1 is needed/);
  await hosted(t, undefined, { folder });
  await until('another session', () => registry.current?.link.kind === 'connected');
  assert.equal(registry.all.find(({ header }) => header.id === 'newer')?.link.kind, 'ended');
  assert.equal(refusals.length, 1);
});

test('any number of changes at the same time is one, and a listener that was taken back hears nothing', async t => {
  const { registry, told } = openWindow(t, []);
  let heard = 0;
  const listening = registry.onChange(() => heard++);
  for (let times = 0; times < 100; times++) {
    registry.choose(`session:${times}`);
  }
  assert.equal(told(), 0);
  await setImmediate();
  assert.deepEqual([told(), heard], [1, 1]);
  listening.dispose();
  registry.choose('session:1');
  await setImmediate();
  assert.deepEqual([told(), heard], [2, 1]);
});

test('only some sessions are attached by themselves, and only some that have ended are kept', async t => {
  const folder = privateFolder(t);
  const hosts = await Promise.all(
    Array.from({ length: 12 }, (_, at) => hosted(t, new FakeSession(header(`s${at}`)), { folder, now: () => at })),
  );
  const { registry, until } = openWindow(t, [folder]);
  await until('eight', () => registry.all.filter(({ link }) => link.kind === 'connected').length === 8);
  assert.equal(registry.all.length, 8);
  await Promise.all(hosts.map(({ host }) => host.close()));
  await until('the ends', () => registry.all.every(({ link }) => link.kind === 'ended') && registry.found.length === 0);
  assert.equal(registry.all.length, 5);
});

test('a window that is closed hears nothing more', async t => {
  const { session, host, folder } = await hosted(t);
  const { registry, told, until, dispose } = openWindow(t, [folder]);
  await until('the session', () => registry.current?.link.kind === 'connected');
  const before = told();
  dispose();
  session.add(1);
  host.push();
  await hosted(t, new FakeSession(header('late')), { folder });
  await setImmediate();
  assert.equal(told(), before);
  assert.deepEqual(registry.all, []);
});
