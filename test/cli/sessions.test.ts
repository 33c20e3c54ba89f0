import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { logsNamed, shortIds } from '../../cli/session/sessionIds.ts';
import type { ListedLog } from '../../local/listLogs.ts';
import { assertHarmless } from './hostile.ts';
import { homeOf, threeRequests } from './sessionKit.ts';

interface Listed {
  readonly sessions: readonly Readonly<Record<string, unknown>>[];
  readonly more: number;
}

test('sessions lists those of this folder first, then the others, live and past', async t => {
  const { cli, cwd, open } = homeOf(t);
  const here = await open({ sessionId: 'past-here', agent: 'pi' });
  await threeRequests(here);
  await here.close();
  await open({ sessionId: 'elsewhere-and-live', cwd: '/somewhere/else' });
  await open({
    sessionId: 'below-and-announced',
    cwd: join(cwd, 'below'),
    config: { announce: true, countTokens: false },
  });

  const { stdout, stderr, exitCode } = await cli('sessions');
  assert.equal(stderr, '');
  assert.equal(exitCode, 0);
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
  const expected = [
    /^This folder$/,
    /^ {2}ID {8}AGENT {2}WHEN {17}REQUESTS {2}BLOCKS +SIZE {2}LIVE$/,
    new RegExp(`^  below-an  test   ${time}         0  0 active, 0 discarded +\\d+ bytes  pid ${process.pid}$`),
    new RegExp(`^  past-her  pi     ${time}         3  1 active, 1 discarded +[\\d.]+ kB$`),
    /^$/,
    /^Other folders$/,
    /^ {2}ID .* LIVE +FOLDER$/,
    new RegExp(
      `^  elsewher  test   ${time}         0  0 active, 0 discarded +\\d+ bytes  process ${process.pid} writes it +/somewhere/else$`,
    ),
    /^$/,
  ];
  const lines = stdout.split('\n');
  assert.equal(lines.length, expected.length, stdout);
  for (const [index, line] of lines.entries()) {
    assert.match(line, expected[index] ?? /never/);
  }

  const { sessions, more } = JSON.parse((await cli('sessions', '--json')).stdout) as Listed;
  assert.equal(more, 0);
  const [announced, past] = sessions;
  assert.deepEqual(
    sessions.map(({ id, here: isHere, live }) => [id, isHere, live]),
    [
      ['below-and-announced', true, true],
      ['past-here', true, false],
      ['elsewhere-and-live', false, true],
    ],
  );
  assert.equal(announced?.['pid'], process.pid);
  assert.equal(announced?.['announced'], true);
  assert.deepEqual(past, {
    ...past,
    short: 'past-her',
    agent: 'pi',
    cwd,
    requests: 3,
    blocks: { active: 1, discarded: 1 },
    bytes: readFileSync(here.logFile).length,
    log: here.logFile,
  });
});

test('sessions without any says where it looked and how to see one', async t => {
  const { cli, home } = homeOf(t);
  const { stdout, exitCode } = await cli('sessions');
  assert.equal(stdout, `There are no sessions yet in ${join(home, 'sessions')}. To see one: context-lifecycle demo\n`);
  assert.equal(exitCode, 0);
  assert.deepEqual(JSON.parse((await cli('sessions', '--json')).stdout), { sessions: [], more: 0 });
});

test('sessions lists the newest twenty, and all with --all', async t => {
  const { cli, open } = homeOf(t);
  for (let number = 0; number < 23; number++) {
    await (await open({ sessionId: `session-${number}` })).close();
  }
  const some = await cli('sessions');
  assert.match(some.stdout, /\n3 older ones are not listed: --all lists them\.\n$/);
  assert.equal(some.stdout.match(/^ {2}session-/gm)?.length, 20);
  assert.equal((JSON.parse((await cli('sessions', '--json')).stdout) as Listed).more, 3);
  const all = await cli('sessions', '--all');
  assert.equal(all.stdout.match(/^ {2}session-/gm)?.length, 23);
  assert.doesNotMatch(all.stdout, /--all/);
});

test('sessions says below a log what is wrong with it', async t => {
  const { cli, home, open } = homeOf(t);
  const session = await open({ sessionId: 'damaged-1' });
  await threeRequests(session);
  await session.close();
  writeFileSync(session.logFile, `${readFileSync(session.logFile, 'utf8')}garbage\n{}\n`);
  writeFileSync(join(home, 'sessions', 'ffffffffffff.jsonl'), 'no log\n');
  const { stdout, exitCode } = await cli('sessions');
  assert.match(
    stdout,
    /^ {2}damaged- .* 3 {2}1 active, 1 discarded .*\n {4}The log can be used up to #\d+; what follows cannot: it is no JSON\.$/m,
  );
  assert.match(stdout, /^ {2}ffffffff {2}\? .*\n {4}The first line of this log cannot be used: it is no object\./m);
  assert.equal(exitCode, 0);
});

test('sessions --delete removes past sessions, by any name, and never one that is live', async t => {
  const { cli, open } = homeOf(t);
  const past = await open({ sessionId: 'past-one' });
  await past.close();
  const other = await open({ sessionId: 'other-past' });
  await other.close();
  const live = await open({ sessionId: 'live-one' });
  const { stdout, stderr, exitCode } = await cli('sessions', '--delete', 'past', 'live', 'gone', other.logFile);
  assert.match(
    stdout,
    /^Deleted session past-one of test \(\d+ bytes\)\.\nDeleted session .*jsonl of test \(\d+ bytes\)\.\n$/,
  );
  const complaints = stderr.split('\n');
  assert.match(
    complaints[0] ?? '',
    new RegExp(`^context-lifecycle: live: It is live, so it stays; end it first\\. .*process ${process.pid} writes it`),
  );
  assert.match(
    complaints[1] ?? '',
    /^context-lifecycle: gone: No session has this id; there are live-one \(test\) and other-pa \(test\)\.$/,
  );
  assert.equal(exitCode, 2);
  assert.deepEqual(
    [past, other, live].map(({ logFile }) => existsSync(logFile)),
    [false, false, true],
  );
  assert.equal((await cli('sessions', '--delete', 'live')).exitCode, 1);
});

test('sessions --delete --all removes all but the live ones', async t => {
  const { cli, home, open } = homeOf(t);
  for (const sessionId of ['one', 'two']) {
    await (await open({ sessionId })).close();
  }
  const live = await open({ sessionId: 'three' });
  const { stdout, stderr, exitCode } = await cli('sessions', '--delete', '--all');
  assert.match(stdout, /^Deleted 2 sessions \([\d.]+ kB\); 1 lives and stays\.\n$/);
  assert.equal(stderr, '');
  assert.equal(exitCode, 0);
  const left = readdirSync(join(home, 'sessions')).filter(name => name.endsWith('.jsonl'));
  assert.deepEqual(
    left.map(name => join(home, 'sessions', name)),
    [live.logFile],
  );
});

test('sessions --delete removes nothing that is no session log', async t => {
  const { cli, cwd } = homeOf(t, { 'notes.jsonl': '{"a": 1}\n', 'notes.md': '# Notes\n' });
  for (const file of ['notes.jsonl', './notes.md']) {
    const { stderr, exitCode } = await cli('sessions', '--delete', file);
    assert.match(stderr, /^context-lifecycle: \S+: The first line of this log cannot be used: /);
    assert.equal(exitCode, 2);
    assert.ok(existsSync(join(cwd, file)));
  }
  for (const args of [['--delete'], ['--delete', 'x', '--all']]) {
    const { stderr, exitCode } = await cli('sessions', ...args);
    assert.match(stderr, /^error: --delete takes the ids of sessions, or --all$/m);
    assert.equal(exitCode, 2);
  }
});

test('hostile ids, agents and folders are shown and not obeyed', async t => {
  const { cli, open } = homeOf(t);
  const hostile = '\u001b[2J\n::error::x\u202e##[x]';
  const session = await open({ sessionId: hostile, agent: hostile, cwd: hostile });
  await threeRequests(session);
  const { stdout } = await cli('sessions');
  assertHarmless(stdout, 'sessions');
  // An id that nobody can type is called by the name of its file.
  const [, short = ''] = /^ {2}([0-9a-f]{8}) /m.exec(stdout) ?? [];
  for (const args of [
    ['show', short, '9'],
    ['show', short, '1', '--format', 'text'],
    ['log', short],
    ['diff', short, '1', '3'],
    ['log', 'x'],
  ]) {
    const run = await cli(...args);
    assertHarmless(run.stdout + run.stderr, args.join(' '));
    assert.ok(!run.stdout.split('\n').some(line => line.trimStart().startsWith('::')), run.stdout);
  }
});

test('short ids name their own session and no other, and whole ids count before longer ones', () => {
  const id = fc.stringMatching(/^[ab~ -]{1,12}$/);
  const logs = fc.array(id, { maxLength: 12 }).map(ids =>
    ids.map(
      (given, index): ListedLog => ({
        path: `/${index}`,
        name: `${index}f`.padStart(16, '0'),
        size: 0,
        modified: 0,
        header: { version: 1, id: given, agent: 'a', created: 0 },
      }),
    ),
  );
  fc.assert(
    fc.property(logs, all => {
      const short = shortIds(all);
      for (const log of all) {
        assert.deepEqual(logsNamed(short.get(log) ?? '', all), [log]);
      }
    }),
  );
  const [whole, longer] = ['session', 'session~1'].map(
    (given): ListedLog => ({
      path: given,
      name: `name of ${given}`,
      size: 0,
      modified: 0,
      header: { version: 1, id: given, agent: 'a', created: 0 },
    }),
  );
  assert.ok(whole && longer);
  assert.deepEqual(logsNamed('session', [longer, whole]), [whole]);
  assert.deepEqual(logsNamed('sess', [longer, whole]), [longer, whole]);
  assert.deepEqual([...shortIds([longer, whole]).values()], ['session~', 'session']);
});

test('a beginning that several sessions have is answered with all of them', async t => {
  const { cli, open } = homeOf(t);
  for (const sessionId of ['abcdefgh-1', 'abcdefgh-2']) {
    await (await open({ sessionId })).close();
  }
  const { stderr, exitCode } = await cli('log', 'abc');
  assert.equal(stderr, 'context-lifecycle: abc: 2 sessions begin so: abcdefgh-2 (test) and abcdefgh-1 (test).\n');
  assert.equal(exitCode, 2);
});
