import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { type GatewayStarted, readGatewayStarted } from '../../../local/gatewayStarted.ts';
import { startScriptedModel } from '../../scriptedModel/server.ts';
import { inTime } from '../../server/deadline.ts';
import { block, MAIN } from '../cliKit.ts';
import { type Home, homeOf } from '../sessionKit.ts';

const KEY = 'sk-ant-secret-of-the-person';
const TOOL = { name: 'bash', description: 'Runs.', input_schema: { type: 'object', properties: {} } };

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly started: GatewayStarted;
  readonly stderr: Promise<string>;
  readonly exit: Promise<[number | null]>;
}

/** The real command with `--json`, when it listens. */
async function gatewayOf(t: TestContext, { cwd, home }: Home, ...args: readonly string[]): Promise<Running> {
  const env = { PATH: process.env['PATH'], CONTEXT_LIFECYCLE_HOME: home, HOME: cwd };
  const child = spawn(process.execPath, [MAIN, 'gateway', '--json', ...args], { cwd, env, stdio: 'pipe' });
  t.after(() => child.kill('SIGKILL'));
  const stderr = text(child.stderr);
  const exit = once(child, 'close') as Promise<[number | null]>;
  const [line] = (await inTime(once(createInterface({ input: child.stdout }), 'line'), 'the first line')) as [string];
  const started = readGatewayStarted(line);
  assert.ok(started, line);
  return { child, started, stderr, exit: inTime(exit, 'the end of the gateway') };
}

/** One request of an agent that has tools, in the API of Anthropic; gives status and text. */
async function ask(address: string, content: string) {
  const response = await fetch(`${address}/anthropic/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': KEY, 'user-agent': 'claude-cli/2.1.332 (external)' },
    body: JSON.stringify({
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      metadata: { user_id: JSON.stringify({ session_id: 'a5d3f3a0-0000-4000-8000-000000000001' }) },
      tools: [TOOL],
      messages: [{ role: 'user', content }],
    }),
  });
  return { status: response.status, body: await response.text() };
}

test('a gateway sends requests on with the blocks of its sources and the person’s key, until its parent closes its input', async t => {
  const place = homeOf(t, { 'AGENTS.md': block('rules', 'Be kind.\n'), 'GEMINI.md': block('g') });
  const model = await startScriptedModel([{ text: 'Hello.' }]);
  t.after(() => model.close());
  const { child, started, stderr, exit } = await gatewayOf(
    t,
    place,
    ...['--source', 'AGENTS.md', '--upstream', `anthropic=${model.origin}/`],
  );
  assert.deepEqual(started.sources, [join(place.cwd, 'AGENTS.md')]);
  assert.deepEqual(started.notes, [
    'GEMINI.md, which Gemini CLI reads, declares 1 block, but it was not named, so it does not count. To load it: --source GEMINI.md',
  ]);
  const { status, body } = await ask(started.address, 'Hi.');
  assert.equal(status, 200, body);
  assert.match(body, /Hello\./);
  const [request] = model.requests;
  assert.equal(request?.headers['x-api-key'], KEY);
  assert.match(request?.body ?? '', /<!--BLOCK_ID:rules-->\\nBe kind\./);
  assert.doesNotMatch(request?.body ?? '', /BLOCK_ID:g-->/);
  child.stdin.end();
  assert.equal((await exit)[0], 0);
  assert.equal(await stderr, '');
  const { stdout } = await place.cli('sessions', '--json');
  const { sessions } = JSON.parse(stdout) as { sessions: { agent: string; live: boolean; requests: number }[] };
  assert.deepEqual(
    sessions.map(({ agent, live, requests }) => [agent, live, requests]),
    [['claude-code', false, 1]],
    'its session is closed',
  );
});

test('a gateway ends with 0 at a signal', async t => {
  const place = homeOf(t);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const { child, exit, stderr } = await gatewayOf(t, place);
    child.kill(signal);
    assert.deepEqual(await exit, [0, null], signal);
    assert.equal(await stderr, '');
  }
});

test('config.json says where requests go, a flag wins, and while it is wrong no gateway starts', async t => {
  const place = homeOf(t);
  const write = (gateway: object): void => {
    mkdirSync(place.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(place.home, 'config.json'), JSON.stringify({ gateway }), { mode: 0o600 });
  };
  const [ours, other] = await Promise.all([startScriptedModel([{ text: 'ours' }]), startScriptedModel()]);
  t.after(() => Promise.all([ours.close(), other.close()]));
  write({ upstreams: { anthropic: ours.origin } });
  const first = await gatewayOf(t, place);
  assert.equal((await ask(first.started.address, 'Hi.')).status, 200);
  first.child.stdin.end();
  await first.exit;
  const second = await gatewayOf(t, place, '--upstream', `anthropic=${other.origin}`);
  await ask(second.started.address, 'Hi.');
  assert.deepEqual([ours.requests.length, other.requests.length], [1, 1]);
  second.child.stdin.end();
  await second.exit;
  write({ upstreams: { anthropic: 'http://llm.example.org' } });
  const refused = await place.cli('gateway', '--json', '--upstream', `anthropic=${other.origin}`);
  assert.equal(refused.exitCode, 2);
  assert.equal(refused.stdout, '');
  assert.match(
    refused.stderr,
    /'gateway\.upstreams\.anthropic' must begin with https:.* Until it is mended, no gateway starts\.\n$/,
  );
});

test('for people it prints the lines of each agent, its sources, and what was not named', async t => {
  const place = homeOf(t, { 'AGENTS.md': block('rules'), 'CLAUDE.md': block('c') });
  const env = {
    PATH: process.env['PATH'],
    CONTEXT_LIFECYCLE_HOME: place.home,
    OPENAI_BASE_URL: 'https://llm.example.org',
  };
  const child = spawn(process.execPath, [MAIN, 'gateway', '--source', 'AGENTS.md', '--session', 'mine'], {
    cwd: place.cwd,
    env,
  });
  t.after(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.setEncoding('utf8');
  while (!printed.includes('give each one its own.')) {
    const [piece] = (await inTime(once(child.stdout, 'data'), 'what it prints')) as [string];
    printed += piece;
  }
  const address = /export ANTHROPIC_BASE_URL=(http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32})\/anthropic\n/.exec(printed)?.[1];
  assert.ok(address, printed);
  const hooks = /export CONTEXT_LIFECYCLE_GATEWAY=(http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32})\n/.exec(printed)?.[1];
  assert.ok(hooks !== undefined && hooks !== address, printed);
  for (const line of [
    'Sources: AGENTS.md',
    "CLAUDE.md, which Claude Code reads, declares 1 block, but it was not named, so it does not count unless Claude Code's own hook names it. To load it: --source CLAUDE.md",
    `  export ANTHROPIC_BASE_URL=${address}/anthropic`,
    `  codex -c openai_base_url=${address}/openai/v1`,
    `  export GOOGLE_GEMINI_BASE_URL=${address}/s/mine/gemini`,
  ]) {
    assert.ok(printed.includes(`\n${line}\n`), `${line}\n\n${printed}`);
  }
  assert.match(printed, /\nOPENAI_BASE_URL is set already\. .*--upstream openai=ADDRESS/);
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'close'), [0, null]);
});

test('a gateway that cannot start ends at once, though the program that started it holds its input open', async t => {
  const { cwd, home } = homeOf(t);
  const env = { PATH: process.env['PATH'], CONTEXT_LIFECYCLE_HOME: home };
  const child = spawn(process.execPath, [MAIN, 'gateway', '--json', '--source', 'gone.md'], {
    cwd,
    env,
    stdio: 'pipe',
  });
  t.after(() => child.kill('SIGKILL'));
  assert.deepEqual(await inTime(once(child, 'exit'), 'the end of the gateway'), [2, null]);
});

test('a gateway that cannot start says why, with exit code 2', async t => {
  const place = homeOf(t, { 'AGENTS.md': '' });
  const { child, started } = await gatewayOf(t, place);
  for (const [args, sentence] of [
    [
      ['--source', 'gone.md'],
      /^context-lifecycle: gateway: The source gone\.md cannot be loaded: There is no such file or folder\.\n$/,
    ],
    [['--source', '.'], /The source \. cannot be loaded: It is no ordinary file\.\n$/],
    [['--port', String(started.port)], new RegExp(`^context-lifecycle: gateway: .*${started.port}.*\\n$`)],
    [['--upstream', 'anthropic=http://llm.example.org'], /the credentials would cross the network in clear text/],
    [['--on-failure', 'ignore'], /Allowed choices are refuse, pass/],
  ] as const) {
    const { stdout, stderr, exitCode } = await place.cli('gateway', '--json', ...args);
    assert.deepEqual([stdout, exitCode], ['', 2], stderr);
    assert.match(stderr, sentence);
  }
  child.stdin.end();
});
