import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ask, homeOf, INPUT, text, threeRequests } from './sessionKit.ts';

test('show prints each request byte for byte, by id, by the beginning of the id, and by path', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: '0123456789abcdef' });
  const bodies = await threeRequests(session);
  await session.close();
  for (const [index, body] of bodies.entries()) {
    for (const name of ['0123456789abcdef', '0123', session.logFile]) {
      const shown = await cli('show', name, String(index + 1));
      assert.deepEqual(shown, { stdout: body, stderr: '', exitCode: 0 });
    }
  }
});

test('show --format text says what is known of the request, and shows all of it', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'a-session' });
  const [, , body = ''] = await threeRequests(session);
  await session.close();
  const { stdout, stderr, exitCode } = await cli('show', 'a-session', '3', '--format', 'text');
  assert.equal(stderr, '');
  assert.equal(exitCode, 0);
  assert.ok(stdout.startsWith('Request 3 of session a-sessio\n'));
  assert.ok(stdout.includes(`sha256   ${createHash('sha256').update(body).digest('hex')}\n`));
  assert.match(stdout, /^answer {3}completed$/m);
  assert.match(stdout, /^changed {2}#\d+ block\/discarded: workflow discarded block plan: /m);
  assert.match(stdout, /^ {9}#\d+ ephemeral\/consumed: A tombstone stands for ephemeral content of tool:bash/m);
  assert.match(stdout, /^system {2}\d+ bytes\n {2}\|-\n {4}Be brief\.\n {4}Be right\.$/m);
  assert.match(stdout, /^ {2}\[1\] bash {2}\d+ bytes\n {6}name: bash$/m);
  assert.match(stdout, /^prefix {2}1, \d+ bytes$/m);
  assert.match(stdout, /^ {2}\[3\] user \(tool-result\) {2}\d+ bytes, #\d+, tombstone$/m);
  assert.doesNotMatch(stdout, /line 2|Plan first/);
});

test('show names a mismatch of what left, also where a later receipt found all of it', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'a-session' });
  await threeRequests(session);
  session.receipt(1, { result: 'matched', evidence: '1 of 1' });
  session.receipt(1, { result: 'quoted', evidence: 'plan' });
  session.receipt(2, { result: 'mismatch', evidence: '1 of 2' });
  session.receipt(2, { result: 'matched', evidence: '2 of 2' });
  await session.close();
  assert.match((await cli('show', 'a-session', '1', '--format', 'text')).stdout, /^receipt {2}quoted: plan$/m);
  assert.match((await cli('show', 'a-session', '2', '--format', 'text')).stdout, /^receipt {2}mismatch: 1 of 2$/m);
  assert.match((await cli('show', 'a-session', '3', '--format', 'text')).stdout, /^receipt {2}none yet$/m);
});

test('show of a log that holds hashes says so, and shows no content', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({
    sessionId: 'hashed-1',
    config: { announce: false, countTokens: false, content: 'hashes' },
  });
  await threeRequests(session);
  await session.close();
  const json = await cli('show', 'hashed-1', '2');
  assert.equal(json.exitCode, 0);
  assert.match(json.stderr, /^context-lifecycle: hashed-1: This log holds hashes in place of content, so /);
  assert.ok(JSON.parse(json.stdout).messages.length > 0);
  const readable = await cli('show', 'hashed-1', '2', '--format', 'text');
  assert.match(readable.stdout, /^This log holds hashes in place of content\.$/m);
  assert.doesNotMatch(json.stdout + readable.stdout, /line 2|Look around|Be kind/);
});

test('show of a session or a request that is not there says what is', async t => {
  const { cli, open } = homeOf(t);
  const none = await cli('show', 'x', '1');
  assert.match(
    none.stderr,
    /^context-lifecycle: x: There is no such session; in fact there is none yet in .*sessions\.$/m,
  );
  const session = await open({ sessionId: 'abcdefgh' });
  const empty = await cli('show', 'abcdefgh', '1');
  assert.match(empty.stderr, /There is no request "1": no request was sealed in this session\./);
  await ask(session, { ...INPUT, messages: [text('user', 'a')] });
  for (const number of ['0', '2', '1.5', 'x', '01']) {
    const { stdout, stderr, exitCode } = await cli('show', 'abcdefgh', '--', number);
    assert.equal(stdout, '');
    assert.equal(stderr, `context-lifecycle: abcdefgh: There is no request "${number}": it has only request 1.\n`);
    assert.equal(exitCode, 2);
  }
  const other = await cli('show', 'b', '1');
  assert.equal(other.stderr, 'context-lifecycle: b: No session has this id; there is abcdefgh (test).\n');
  assert.equal(other.exitCode, 2);
  const path = await cli('show', './gone.jsonl', '1');
  assert.equal(path.stderr, 'context-lifecycle: ./gone.jsonl: There is no such file or folder.\n');
  const wrong = homeOf(t, { 'notes.md': '# Notes\n' });
  const notes = await wrong.cli('show', './notes.md', '1');
  assert.match(notes.stderr, /^context-lifecycle: \.\/notes\.md: The first line of this log cannot be used: /);
  assert.equal(notes.exitCode, 2);
});

test('show says when the log gives another text than was sealed', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'tampered' });
  await threeRequests(session);
  await session.close();
  writeFileSync(session.logFile, readFileSync(session.logFile, 'utf8').replace('Look around.', 'Look elsewhere.'));
  const { stdout, stderr, exitCode } = await cli('show', 'tampered', '1');
  assert.match(stdout, /Look elsewhere/);
  assert.match(
    stderr,
    /^context-lifecycle: tampered: This is not the text that was sealed: the log says that its SHA-256 is /,
  );
  assert.equal(exitCode, 1);
});

test('show of a log that cannot be read to its end shows what can be read, and where it ends', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'damaged-1' });
  const [first = ''] = await threeRequests(session);
  await session.close();
  const whole = readFileSync(session.logFile, 'utf8');
  const events = whole.trimEnd().split('\n').length - 1;

  appendFileSync(session.logFile, '{"type":"turn/st');
  const torn = await cli('show', 'damaged-1', '1');
  assert.equal(torn.stdout, first);
  assert.equal(
    torn.stderr,
    `context-lifecycle: damaged-1: The log ends after #${events - 1}: the 16 bytes behind it are a line that was never finished, and count for nothing.\n`,
  );
  assert.equal(torn.exitCode, 1);

  writeFileSync(session.logFile, `${whole}garbage\n${whole.split('\n')[1]}\n`);
  const corrupt = await cli('show', 'damaged-1', '1');
  assert.equal(corrupt.stdout, first);
  assert.match(corrupt.stderr, new RegExp(`: The log can be used up to #${events - 1}; what follows cannot: `));
  assert.equal(corrupt.exitCode, 2);
});

test('show prints nothing that a terminal obeys, unless it is the exact text for a program', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'hostile1' });
  const hostile = '\u001b[2J\n::error::x\n ::warning::y\nd\u202eg ##[x]\u009b1m\tend';
  const body = await ask(session, {
    messages: [text('user', hostile), { role: hostile, content: hostile }],
    config: { [hostile]: hostile },
    system: hostile,
    tools: [{ name: hostile }, hostile],
  });
  const shown = await cli('show', 'hostile1', '1', '--format', 'text');
  for (const line of shown.stdout.split('\n')) {
    assert.doesNotMatch(
      line.replaceAll('\t', ''),
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|##\[|^\s*::/u,
      JSON.stringify(line),
    );
  }
  assert.equal((await cli('show', 'hostile1', '1')).stdout, body);
});

test('show --part prints the head and these parts alone, in their order, and says where one is not there', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'a-session' });
  await threeRequests(session);
  await session.close();
  const partsIn = (shown: string) =>
    [...shown.matchAll(/^(config|system|tools|prefix|messages) {2}/gm)].map(([, part]) => part);
  const whole = (await cli('show', 'a-session', '3', '--format', 'text')).stdout;
  assert.deepEqual(partsIn(whole), ['config', 'system', 'tools', 'prefix', 'messages']);
  const some = await cli('show', 'a-session', '3', '--part', 'messages,prefix');
  assert.equal(some.stderr, '');
  assert.deepEqual(partsIn(some.stdout), ['prefix', 'messages']);
  assert.ok(some.stdout.startsWith('Request 3 of session a-sessio\n'));
  assert.equal(whole.slice(whole.indexOf('\nprefix  ')), some.stdout.slice(some.stdout.indexOf('\nprefix  ')));
  const repeated = await cli('show', 'a-session', '3', '--part', 'messages', '--part', 'prefix', '--format', 'text');
  assert.equal(repeated.stdout, some.stdout);
  const bare = await open({ sessionId: 'bare-one' });
  await ask(bare, { config: {}, messages: [text('user', 'Hi.')] });
  await bare.close();
  assert.match((await cli('show', 'bare-one', '1', '--part', 'tools')).stdout, /\ntools {2}none\n$/);
});

test('show --part of another name lists the parts, and goes with the text for reading alone', async t => {
  const { cli } = homeOf(t);
  const wrong = await cli('show', 'x', '1', '--part', 'blocks');
  assert.match(wrong.stderr, /The parts are config, system, tools, prefix and messages\./);
  assert.equal(wrong.exitCode, 2);
  const json = await cli('show', 'x', '1', '--part', 'tools', '--format', 'json');
  assert.match(json.stderr, /--part takes apart the text for reading: leave out --format json/);
  assert.equal(json.exitCode, 2);
});
