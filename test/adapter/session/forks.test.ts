import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSession } from '../../../adapter/openSession.ts';
import { readLog } from '../../../local/logFile.ts';
import { assistant, definition, discardLine, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { Child } from './childKit.ts';
import { checkedSession, dataOf, foldOf, homeOf } from './sessionKit.ts';

const SESSION = { sessionId: 'host-1' };

test('issue 3.4: a second session of the same id, while the first is open, goes on as a fork and says so', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, ...SESSION });
  first.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  await first.turn([user('a')]);
  const second = await checkedSession(t, { folder, ...SESSION });
  assert.deepEqual([first.session.id, second.session.id], ['host-1', 'host-1~1']);
  assert.equal(second.session.notices.length, 1);
  assert.match(second.session.notices[0] ?? '', / is in use: .* This session goes on as host-1~1, with a copy/);
  assert.notEqual(first.session.logFile, second.session.logFile);
  const { sealed } = second;
  const forked = await second.turn([user('a'), assistant('b'), user('c')]);
  assert.deepEqual([forked.requestSequence, sealed.length], [2, 1]);
  assert.deepEqual(forked.messages[0], user(definition('plan')));
  const own = await first.turn([user('a'), assistant('b'), user('d')]);
  assert.equal(own.requestSequence, 2);
  await first.close();
  const { events, header } = await second.close();
  assert.equal(header?.parentSession, 'host-1');
  assert.deepEqual(
    dataOf(events, 'session/opened').map(({ reason, forkedFrom }) => [reason, forkedFrom]),
    [
      ['new', undefined],
      ['forked', 'host-1'],
    ],
  );
  assert.deepEqual(
    dataOf(events, 'session/problem').map(({ sentence }) => sentence),
    second.session.notices,
  );
});

test('issue 3.4: two writers in two processes: the later one forks, the earlier one goes on undisturbed', async t => {
  const folder = homeOf(t);
  const child = new Child(t, 'hold', folder, 'host-1');
  assert.equal(await child.line(), 'id host-1');
  assert.equal(await child.line(), 'built 1');
  const second = await checkedSession(t, { folder, ...SESSION });
  assert.equal(second.session.id, 'host-1~1');
  assert.equal((await second.turn([user('a')])).requestSequence, 2);
  child.process.stdin?.write('go on\n');
  assert.equal(await child.line(), 'built 2');
  child.process.stdin?.end();
  assert.equal(await child.line(), 'closed');
  assert.equal(await child.ended, 0);
  await second.close();
});

test('issue 3.4: of a session that forked, the last fork is the one that is gone on with', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, ...SESSION });
  const second = await checkedSession(t, { folder, ...SESSION });
  const third = await checkedSession(t, { folder, ...SESSION });
  assert.equal(third.session.id, 'host-1~2');
  await third.turn([user('a')]);
  await Promise.all([first.close(), second.close(), third.close()]);
  const again = await checkedSession(t, { folder, ...SESSION });
  assert.deepEqual([again.session.id, again.session.notices], ['host-1~2', []]);
  assert.equal((await again.turn([user('a')])).requestSequence, 2);
  await again.close();
});

test('issue 3.4: sessions of one id that are opened at the same time all open, each with a log of its own', async t => {
  const folder = homeOf(t);
  const parent = await checkedSession(t, { folder, sessionId: 'parent' });
  await parent.turn([user('a')]);
  const opened = await Promise.all(
    Array.from({ length: 5 }, () => checkedSession(t, { folder, ...SESSION, forkedFrom: 'parent' })),
  );
  const ids = opened.map(({ session }) => session.id).toSorted();
  assert.deepEqual(ids, ['host-1', 'host-1~1', 'host-1~2', 'host-1~3', 'host-1~4']);
  for (const one of opened) {
    assert.equal((await one.turn([user('a')])).requestSequence, 2);
    await one.close();
  }
  await parent.close();
});

test('issue 3.4: processes that open a session of one id at the same moment all build their request, and each log is whole', async t => {
  const folder = homeOf(t);
  const children = Array.from({ length: 4 }, () => new Child(t, 'close', folder, 'host-1'));
  const ids = await Promise.all(children.map(child => child.line()));
  assert.ok(
    ids.every(id => /^id host-1(~[123])?$/.test(id ?? '')),
    ids.join(),
  );
  assert.deepEqual(await Promise.all(children.map(child => child.ended)), [0, 0, 0, 0]);
  const logs = readdirSync(join(folder, 'sessions'));
  assert.equal(logs.length, new Set(ids).size);
  const opened = [];
  for (const name of logs) {
    const { events, fault, tornLines } = await readLog(join(folder, 'sessions', name));
    assert.deepEqual([fault, tornLines], [undefined, 0]);
    assert.equal(foldOf(events).closed, true);
    opened.push(...dataOf(events, 'session/opened').slice(-1));
  }
  assert.ok(opened.some(({ reason }) => reason !== 'forked'));
});

test('request-log 9: a forked session starts with the log of its parent, as another instance with a prefix of its own', async t => {
  const folder = homeOf(t);
  const parent = await checkedSession(t, { folder, sessionId: 'parent' });
  parent.session.contributePrefix(() => [user('parent')]);
  parent.session.loadSource({
    source: 'AGENTS.md',
    class: 'context-file',
    text: definition('plan') + definition('rules'),
  });
  parent.session.control({ source: 'p', class: 'plugin', text: discardLine('plan') });
  await parent.turn([user('a')]);
  const before = readFileSync(parent.session.logFile);
  const child = await checkedSession(t, { folder, sessionId: 'child', forkedFrom: 'parent' });
  assert.deepEqual([child.session.id, child.session.notices], ['child', []]);
  child.session.contributePrefix(() => [user('child')]);
  const sealed = await child.turn([user('a'), assistant('b'), user('c')]);
  assert.deepEqual(sealed.messages.slice(0, 2), [user('child'), user(definition('rules'))]);
  assert.deepEqual(readFileSync(parent.session.logFile), before);
  const { events, header } = await child.close();
  assert.equal(header?.parentSession, 'parent');
  assert.deepEqual(
    dataOf(events, 'request/header').map(({ reason }) => reason),
    ['initial', 'resume'],
  );
  assert.deepEqual(
    dataOf(events, 'turn/start').map(({ turn }) => turn),
    [1, 2],
  );
  await parent.close();
  const resumed = await checkedSession(t, { folder, sessionId: 'child', forkedFrom: 'parent' });
  assert.equal((await resumed.turn([user('a'), assistant('b'), user('c')])).requestSequence, 3);
  assert.deepEqual(
    dataOf((await resumed.close()).events, 'session/opened').map(({ reason }) => reason),
    ['new', 'forked', 'resumed'],
  );
});

test('issue 3.4: a fork of a session without a log is a new one', async t => {
  const checked = await checkedSession(t, { sessionId: 'child', forkedFrom: 'nobody knows it' });
  const [opened] = await checked.logged('session/opened');
  assert.deepEqual([opened?.reason, opened?.forkedFrom], ['new', undefined]);
  await checked.close();
});

test('DESIGN, The log: what a host calls its session is a label, and never a part of a path', async t => {
  const folder = homeOf(t);
  const names = ['../../escape', 'a/b', 'nul\0byte', '', '.', 'CON', 'x'.repeat(5_000), 'a\nb', '\u202e'];
  for (const sessionId of names) {
    const session = await openSession({ agent: '../agent', folder, sessionId, config: { countTokens: false } });
    assert.equal(session.id, sessionId);
    await session.close();
  }
  const files = readdirSync(join(folder, 'sessions'));
  assert.equal(files.length, names.length);
  for (const file of files) {
    assert.match(file, /^[0-9a-f]{32}\.jsonl$/);
  }
});

test('DESIGN, The log: sessions without an id of the host are always new, and each has an id', async t => {
  const folder = homeOf(t);
  const one = await checkedSession(t, { folder });
  const two = await checkedSession(t, { folder });
  assert.match(one.session.id, /^[0-9a-f]{12}$/);
  assert.notEqual(one.session.id, two.session.id);
  await Promise.all([one.close(), two.close()]);
});
