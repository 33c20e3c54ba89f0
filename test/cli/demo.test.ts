import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readLog } from '../../local/logFile.ts';
import { isJsonObject } from '../../protocol/request/json.ts';
import { MAIN } from './cliKit.ts';
import { homeOf } from './sessionKit.ts';

const SAMPLE = fileURLToPath(new URL('../../sample', import.meta.url));

interface Listed {
  readonly sessions: readonly {
    readonly id: string;
    readonly log: string;
    readonly live: boolean;
    readonly requests: number;
  }[];
}

test('every request that the demo’s model received is printed byte for byte from the log', {
  timeout: 120_000,
}, async t => {
  const { cli, cwd } = homeOf(t);
  const demo = await cli('demo', '--fast', '--record', 'received');
  assert.equal(demo.stderr, '');
  assert.equal(demo.exitCode, 0);
  const { sessions } = JSON.parse((await cli('sessions', '--json')).stdout) as Listed;
  const [session] = sessions;
  assert.ok(session);
  assert.equal(session.live, false);
  const received = readdirSync(join(cwd, 'received'));
  assert.equal(received.length, session.requests);
  assert.ok(received.length >= 8);
  const bodies = received.map((_, index) => readFileSync(join(cwd, 'received', `${index + 1}.json`), 'utf8'));
  for (const [index, body] of bodies.entries()) {
    const shown = await cli('show', session.id, String(index + 1));
    assert.deepEqual(shown, { stdout: body, stderr: '', exitCode: 0 }, `request ${index + 1}`);
  }

  // What the story is about, in the bytes that left.
  const has = (piece: string): readonly number[] =>
    bodies.flatMap((body, index) => (body.includes(piece) ? [index + 1] : []));
  assert.deepEqual(has('## While we plan'), [1, 2]);
  assert.deepEqual(has('on a clean checkout'), [9, 10]);
  assert.deepEqual(has('21,040'), [2], 'the load test goes to the model once');
  assert.deepEqual(has('original_bytes='), [3, 4, 5, 6, 7, 8, 9, 10, 11]);
  assert.deepEqual(has('AssertionError'), [5, 6], 'an answer that fails consumes nothing');
  assert.deepEqual(
    has('<!--BLOCK_ID:house-rules-->'),
    bodies.map((_, index) => index + 1),
    'no tool result discards a block',
  );

  const { events } = await readLog(session.log);
  const outcomes = events
    .filter(({ type }) => /^(block|discard)\//.test(type))
    .map(({ type, data }) => {
      const { blockId } = isJsonObject(data) ? data : {};
      return `${type} ${JSON.stringify(blockId ?? null)}`;
    });
  assert.deepEqual(outcomes, [
    'block/activated "my-style"',
    'block/activated "house-rules"',
    'block/activated "planning"',
    'block/activated "http-api"',
    'block/activated "http-api_error-style"',
    'block/conflict "house-rules"',
    'block/discarded "planning"',
    'discard/denied "house-rules"',
    'block/activated "release-steps"',
    'block/discarded "release-steps"',
  ]);
  const receipts = events.filter(({ type }) => type === 'request/receipt').map(({ data }) => data);
  assert.deepEqual(
    receipts.map(data => isJsonObject(data) && [data['result'], data['sha256']]),
    bodies.map(body => ['matched', createHash('sha256').update(body).digest('hex')]),
  );
  const opened = events
    .filter(({ type }) => type === 'session/opened')
    .map(({ data }) => isJsonObject(data) && data['reason']);
  assert.deepEqual(opened, ['new', 'resumed']);
});

test('the demo tells its story, and ends with commands that work', { timeout: 120_000 }, async t => {
  const { cli } = homeOf(t);
  const { stdout, stderr, exitCode } = await cli('demo', '--pace', '1');
  assert.equal(stderr, '');
  assert.equal(exitCode, 0);
  for (const line of [
    '── Coding ──',
    'agent    loads you/AGENTS.md',
    '         • Block house-rules of .github/copilot-instructions.md does not count: AGENTS.md defined that ID first.',
    'agent    runs .github/prompts/start-coding.prompt.md',
    '         • .github/prompts/start-coding.prompt.md discarded block planning: it is absent from request 3 on.',
    'model    fails: overloaded, try again',
    '         • tool:read_issue may not discard block house-rules, so nothing changed (rule 6: tool-result "*" may be ephemeral).',
  ]) {
    assert.ok(stdout.includes(`\n${line}\n`), `${line}\n\n${stdout}`);
  }
  assert.equal(
    stdout.match(/^request {2}\d+: \d+ messages, [\d.]+ kB, [~≈]?[\d,]+ tokens, sha256 [0-9a-f]{12}…$/gm)?.length,
    11,
  );
  assert.doesNotMatch(stdout, /Problem/);
  const tries = [...stdout.matchAll(/^ {2}node \S+ (.*)$/gm)].map(([, words = '']) => words.split(' '));
  assert.deepEqual(
    tries.map(([name]) => name),
    ['sessions', 'log', 'show', 'diff', 'report'],
  );
  for (const words of tries) {
    const tried = await cli(...words);
    assert.equal(tried.stderr, '');
    assert.equal(tried.exitCode, 0);
    assert.notEqual(tried.stdout, '');
  }
});

test('the demo in the sample works with its files', { timeout: 120_000 }, async t => {
  const { cli, cwd } = homeOf(t);
  cpSync(SAMPLE, cwd, { recursive: true });
  await cli('demo', '--fast');
  const { sessions } = JSON.parse((await cli('sessions', '--json')).stdout) as Listed;
  const { header, events } = await readLog(sessions[0]?.log ?? '');
  assert.equal(header?.cwd, cwd);
  const sources = events.flatMap(({ type, data }) =>
    type === 'source/loaded' && isJsonObject(data) ? [data['source']] : [],
  );
  assert.deepEqual(sources.slice(1), [
    join(cwd, 'AGENTS.md'),
    join(cwd, 'api.context.md'),
    join(cwd, '.github/copilot-instructions.md'),
    join(cwd, '.claude/skills/release/SKILL.md'),
  ]);
});

test('the demo with --keep-open is live until it is stopped, and then closes its session', {
  timeout: 120_000,
}, async t => {
  const { cli, cwd, home } = homeOf(t);
  const env = { ...process.env, CONTEXT_LIFECYCLE_HOME: home };
  const child = spawn(process.execPath, [MAIN, 'demo', '--fast', '--keep-open'], { cwd, env, stdio: 'pipe' });
  t.after(() => child.kill('SIGKILL'));
  const output = text(child.stdout);
  const exit = once(child, 'close');
  const list = async () => (JSON.parse((await cli('sessions', '--json')).stdout) as Listed).sessions;
  // Two more than the story has: the session goes on.
  let [session] = await list();
  while (!session || session.requests < 13) {
    assert.equal(child.exitCode, null, 'the demo ended');
    await setTimeout(50);
    [session] = await list();
  }
  assert.equal(session.live, true);
  child.kill('SIGTERM');
  const [exitCode] = await exit;
  assert.equal(exitCode, 0);
  assert.match(await output, /\nSession [0-9a-f]{12}: \d+ requests, all in /);
  const [ended] = await list();
  assert.equal(ended?.live, false);
  const { events } = await readLog(session.log);
  assert.equal(events.at(-1)?.type, 'session/closed');
});

test('the demo refuses a pace that is none, and says why it cannot keep a log', async t => {
  const { cli, cwd } = homeOf(t, { home: '' });
  const pace = await cli('demo', '--pace', 'fast');
  assert.match(pace.stderr, /It is no number of milliseconds\./);
  assert.equal(pace.exitCode, 2);
  const child = spawn(process.execPath, [MAIN, 'demo', '--fast'], {
    env: { CONTEXT_LIFECYCLE_HOME: join(cwd, 'home') },
  });
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  assert.match(stderr, /^context-lifecycle: demo: \S.*\n$/);
  assert.equal(exitCode, 2);
});
