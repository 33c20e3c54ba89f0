import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { text as textOf } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { MAIN } from './cliKit.ts';
import { ask, type Home, homeOf, INPUT, text, threeRequests } from './sessionKit.ts';

test('log prints one sentence for each event, with its place and time', async t => {
  const { cli, cwd, open } = homeOf(t);
  const session = await open({ sessionId: 'session-1', now: () => 1_700_000_000_000 });
  session.loadSource({
    source: `${cwd}/AGENTS.md`,
    class: 'context-file',
    text: '<!--BLOCK_ID:a-->\n<!--/BLOCK_ID:a-->\n',
  });
  await session.close('the test is over');
  const { stdout, stderr, exitCode } = await cli('log', 'session');
  assert.equal(
    stdout,
    [
      '#0     2023-11-14 22:13:20  session/opened        A session of test began.',
      '#1     2023-11-14 22:13:20  source/loaded         AGENTS.md was loaded as context-file (valid blocks: 1).',
      '#2     2023-11-14 22:13:20  block/activated       Block a of AGENTS.md is active from request 1 on.',
      '#3     2023-11-14 22:13:20  session/closed        The session ended: the test is over.',
      '',
    ].join('\n'),
  );
  assert.equal(stderr, '');
  assert.equal(exitCode, 0);
});

test('log --type keeps types and families of types; --json prints the events as the file has them', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'session-1' });
  await threeRequests(session);
  const [, ...lines] = readFileSync(session.logFile, 'utf8').trimEnd().split('\n');
  assert.equal((await cli('log', 'session-1', '--json')).stdout, `${lines.join('\n')}\n`);
  const typesOf = (stdout: string) =>
    stdout.split('\n').flatMap(line => (line ? [JSON.parse(line).type as string] : []));
  const some = await cli('log', session.logFile, '--json', '--type', 'block,request/sealed', '--type', 'ephemeral/');
  const wanted = lines
    .map(line => JSON.parse(line).type as string)
    .filter(type => /^(block\/.*|request\/sealed|ephemeral\/.*)$/.test(type));
  assert.deepEqual(typesOf(some.stdout), wanted);
  assert.ok(wanted.includes('block/discarded') && wanted.includes('ephemeral/consumed'));
  const { stdout, stderr } = await cli('log', 'session-1', '--type', 'bloc,b');
  assert.equal(stdout, '', 'the beginning of a word is none');
  assert.match(
    stderr,
    /^context-lifecycle: session-: It has no event of the type bloc or b\. There is no type bloc or b\./,
  );
});

test('log shows an event of a type that it does not know, and a log that ends early as far as it goes', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'session-1' });
  await session.close();
  const event = { type: 'new/thing', seq: 2, time: 0, data: {}, ignorable: true };
  appendFileSync(session.logFile, `${JSON.stringify(event)}\n{"type":"tur`);
  const torn = await cli('log', 'session-1');
  assert.match(torn.stdout, /^#2 .* An event of the type new\/thing, which this version does not know\.\n$/m);
  assert.match(torn.stderr, /^context-lifecycle: session-1: The log ends after #2: the 12 bytes behind it /);
  assert.equal(torn.exitCode, 1);
  appendFileSync(session.logFile, '\n{"type":"turn/start"}\n');
  const corrupt = await cli('log', 'session-1', '--follow');
  assert.equal(corrupt.stdout, torn.stdout);
  assert.match(corrupt.stderr, /The log can be used up to #2; what follows cannot: it is no JSON\./);
  assert.equal(corrupt.exitCode, 2);
});

function follow(t: TestContext, { home, cwd }: Home, ...args: readonly string[]) {
  const env = { ...process.env, CONTEXT_LIFECYCLE_HOME: home };
  const child = spawn(process.execPath, [MAIN, 'log', '--follow', ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill());
  return child;
}

test('log --follow prints events as they are written, and ends when the session does', { timeout: 60_000 }, async t => {
  const place = homeOf(t);
  const session = await place.open({ sessionId: 'session-1' });
  const child = follow(t, place, 'session-1', '--json');
  const exit = once(child, 'close');
  const stderr = textOf(child.stderr);
  const seen: string[] = [];
  let told = (): void => {};
  const lines = createInterface(child.stdout).on('line', line => {
    seen.push(JSON.parse(line).type as string);
    told();
  });
  const until = async (type: string): Promise<void> => {
    while (!seen.includes(type)) {
      await new Promise<void>(resolve => {
        told = resolve;
      });
    }
  };
  await until('session/opened');
  await ask(session, { ...INPUT, messages: [text('user', 'a')] });
  await until('step/end');
  assert.ok(!seen.includes('session/closed'));
  await session.close();
  const [exitCode] = (await exit) as [number];
  lines.close();
  const logged = readFileSync(session.logFile, 'utf8').trimEnd().split('\n').slice(1);
  assert.deepEqual(
    seen,
    logged.map(line => JSON.parse(line).type as string),
  );
  assert.equal(await stderr, '');
  assert.equal(exitCode, 0);
});

test('log --follow ends when nobody reads it any more', { timeout: 60_000 }, async t => {
  const place = homeOf(t);
  const session = await place.open({ sessionId: 'session-1' });
  const child = follow(t, place, 'session-1');
  const exit = once(child, 'close');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await ask(session, { ...INPUT, messages: [text('user', 'a')] });
  const [exitCode] = (await exit) as [number];
  assert.equal(exitCode, 0);
});

test('log --follow of a past session prints it and ends', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'session-1' });
  await session.close();
  const { stdout, exitCode } = await cli('log', 'session-1', '--follow');
  assert.equal(stdout, (await cli('log', 'session-1')).stdout);
  assert.equal(exitCode, 0);
});

test('log --type of a type that does not exist lists those that do', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'a-session' });
  await threeRequests(session);
  await session.close();
  const { stdout, stderr, exitCode } = await cli('log', 'a-session', '--type', 'foo');
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /It has no event of the type foo\. There is no type foo\. The types are assistant\/chunk, .*block\/discarded, .*; /,
  );
  assert.equal(exitCode, 2);
  const none = await cli('log', 'a-session', '--type', 'discard/unknown');
  assert.match(none.stderr, /It has no event of the type discard\/unknown\.\n$/);
  assert.equal(none.exitCode, 0);
});
