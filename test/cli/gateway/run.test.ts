import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startScriptedModel } from '../../scriptedModel/server.ts';
import { inTime } from '../../server/deadline.ts';
import { block, MAIN, type Run, run } from '../cliKit.ts';
import { type Home, homeOf } from '../sessionKit.ts';

/** A program called as a real agent, in front of the PATH, that runs a piece of JavaScript. */
function agentOf(place: Home, name: string, program: string): void {
  const path = join(place.cwd, name);
  writeFileSync(path, `#!/usr/bin/env node\n${program}\n`);
  chmodSync(path, 0o755);
}

const SAY = 'console.log(JSON.stringify({ args: process.argv.slice(2), env: process.env }));';

interface Said {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function environment({ cwd, home }: Home): Record<string, string> {
  const path = [cwd, dirname(process.execPath), process.env['PATH']].join(delimiter);
  return { PATH: path, CONTEXT_LIFECYCLE_HOME: home, HOME: cwd };
}

function started(place: Home, args: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  return run(['gateway', 'run', ...args], { cwd: place.cwd, env: { ...environment(place), ...env } });
}

async function said(place: Home, args: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  const { stdout, stderr, exitCode } = await started(place, args, env);
  assert.equal(exitCode, 0, stderr);
  assert.match(stderr, /^context-lifecycle: [^\n]+ context-lifecycle sessions shows this session\.\n$/);
  return JSON.parse(stdout) as Said;
}

const ADDRESS = /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}$/;

test('Claude Code gets the address, and settings with which it names its files; no token stands in its command line', async t => {
  const place = homeOf(t);
  agentOf(place, 'claude', SAY);
  const { args, env } = await said(place, ['--', 'claude', '-p', 'it is $HOME; `id` "x"', '--', '--port']);
  const hooksAt = env['CONTEXT_LIFECYCLE_GATEWAY'] ?? '';
  const address = (env['ANTHROPIC_BASE_URL'] ?? '').replace(/\/anthropic$/, '');
  assert.match(hooksAt, ADDRESS);
  assert.match(address, ADDRESS);
  const [flag, settings = '', ...own] = args;
  assert.equal(flag, '--settings');
  assert.deepEqual(own, ['-p', 'it is $HOME; `id` "x"', '--', '--port'], 'no shell has read the words');
  for (const known of [address, hooksAt]) {
    assert.ok(!args.join(' ').includes(known.split('/').at(-1) ?? ''), 'other users can see command lines');
  }
  const { hooks } = JSON.parse(settings) as { hooks: Record<string, [{ hooks: [{ command: string }] }]> };
  assert.deepEqual(Object.keys(hooks), ['InstructionsLoaded']);
  const command = hooks['InstructionsLoaded']?.[0].hooks[0].command ?? '';
  assert.equal(command, `'${process.execPath}' '${MAIN}' gateway hook claude-instructions`);
  // As the agent runs it, while there is no gateway any more.
  const hook = spawn('/bin/sh', ['-c', command], { env: { CONTEXT_LIFECYCLE_GATEWAY: hooksAt } });
  hook.stdin.end('{}');
  const [stderr, [code]] = await Promise.all([text(hook.stderr), once(hook, 'close')]);
  assert.match(stderr, /No gateway listens at its address\.\n$/);
  assert.equal(code, 0);
});

test('settings of the person’s own are left alone, and then the person has to name the context files', async t => {
  const place = homeOf(t, { 'CLAUDE.md': block('c') });
  agentOf(place, 'claude', SAY);
  const { stdout, stderr } = await started(place, ['--', 'claude', '--settings', 'mine.json']);
  assert.deepEqual((JSON.parse(stdout) as Said).args, ['--settings', 'mine.json']);
  assert.match(stderr, /CLAUDE\.md declares 1 block, but it was not named/);
});

test('Codex gets its address by an argument before its own, Gemini CLI one with a fresh name', async t => {
  const place = homeOf(t);
  agentOf(place, 'codex', SAY);
  agentOf(place, 'gemini', SAY);
  const codex = await said(place, ['--', 'codex', 'exec', '-c', 'model="o3"', 'hi']);
  assert.match(
    codex.args.join(' '),
    /^-c openai_base_url=http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/openai\/v1 exec -c model="o3" hi$/,
  );
  const names = [];
  for (let start = 0; start < 2; start++) {
    const { env, args } = await said(place, ['--', 'gemini', '-p', 'hi']);
    assert.deepEqual(args, ['-p', 'hi']);
    names.push(/\/s\/([0-9a-f]{16})\/gemini$/.exec(env['GOOGLE_GEMINI_BASE_URL'] ?? '')?.[1]);
  }
  assert.ok(names[0] && names[1] && names[0] !== names[1], String(names));
  const { env } = await said(place, ['--session', 'mine', '--', 'gemini']);
  assert.match(env['GOOGLE_GEMINI_BASE_URL'] ?? '', /\/s\/mine\/gemini$/);
});

test('another agent gets every address, and the way to this machine leads past no proxy', async t => {
  const place = homeOf(t);
  agentOf(place, 'mine', SAY);
  const { env, args } = await said(place, ['--', './mine', 'x'], {
    https_proxy: 'http://proxy.example:1',
    no_proxy: 'a.example',
  });
  assert.deepEqual(args, ['x']);
  for (const name of ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL']) {
    assert.match(env[name] ?? '', /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/s\/[0-9a-f]{16}\//, name);
  }
  assert.deepEqual([env['NO_PROXY'], env['no_proxy']], ['a.example,127.0.0.1', 'a.example,127.0.0.1']);
});

const ASK = `
const response = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'user-agent': 'claude-cli/2.1.332' },
  body: JSON.stringify({ model: 'm', max_tokens: 9, tools: [{ name: 'bash', input_schema: { type: 'object' } }],
    metadata: { user_id: '{"session_id":"a5d3f3a0-0000-4000-8000-000000000002"}' },
    messages: [{ role: 'user', content: 'Hi.' }] }),
});
console.log(response.status, JSON.parse(await response.text()).content[0].text);
process.exitCode = 7;`;

test('options behind "run" count: sources and addresses; the exit code is the agent’s, and the session is closed with it', async t => {
  const place = homeOf(t, { 'AGENTS.md': block('rules', 'Be kind.\n'), 'package.json': '{"type":"module"}' });
  const model = await startScriptedModel([{ text: 'Hello.' }]);
  t.after(() => model.close());
  agentOf(place, 'mine', ASK);
  const options = ['--source', 'AGENTS.md', '--upstream', `anthropic=${model.origin}`];
  const result = await started(place, [...options, '--', 'mine']);
  const stderr =
    'context-lifecycle: AGENTS.md declares 1 block (rules). context-lifecycle sessions shows this session.\n';
  assert.deepEqual(result, { stdout: '200 Hello.\n', stderr, exitCode: 7 });
  assert.match(model.requests[0]?.body ?? '', /<!--BLOCK_ID:rules-->/);
  const { sessions } = JSON.parse((await place.cli('sessions', '--json')).stdout) as { sessions: { live: boolean }[] };
  assert.deepEqual(
    sessions.map(({ live }) => live),
    [false],
  );
});

test('a signal is handed on to the agent, and one that died of it gives the exit code of a shell', async t => {
  const place = homeOf(t);
  agentOf(
    place,
    'kind',
    "process.on('SIGTERM', () => process.exit(3)); console.log('up'); setInterval(() => {}, 1000);",
  );
  agentOf(place, 'plain', "console.log('up'); setInterval(() => {}, 1000);");
  for (const [name, exitCode] of [
    ['kind', 3],
    ['plain', 128 + 15],
  ] as const) {
    const child = spawn(process.execPath, [MAIN, 'gateway', 'run', '--', name], {
      cwd: place.cwd,
      env: environment(place),
    });
    t.after(() => child.kill('SIGKILL'));
    await inTime(once(child.stdout, 'data'), 'the agent');
    child.kill('SIGTERM');
    assert.deepEqual(await inTime(once(child, 'close'), 'the end'), [exitCode, null], name);
  }
});

test('an agent that is not there, and one that would go past the gateway, are not started', async t => {
  const place = homeOf(t);
  agentOf(place, 'claude', SAY);
  agentOf(place, 'codex', SAY);
  for (const [args, env, sentence] of [
    [
      ['--', 'no-such-agent'],
      {},
      /^context-lifecycle: no-such-agent: It could not be started\. No folder of your PATH has a program of this name\. Install /m,
    ],
    [
      ['--', './no-such-agent'],
      {},
      /^context-lifecycle: \.\/no-such-agent: It could not be started\. There is no such file, or /m,
    ],
    [
      ['--', '/dev/null'],
      {},
      /^context-lifecycle: \/dev\/null: It could not be started\. You may not run this file\. Make /m,
    ],
    [['--', 'claude'], { CLAUDE_CODE_USE_BEDROCK: '1' }, /past the gateway\. Unset it\.\n$/],
    [['--', 'claude'], { ANTHROPIC_BASE_URL: 'https://llm.example' }, /--upstream anthropic=ADDRESS/],
    [['--', 'codex', '--oss'], {}, /With --oss the agent would send its requests past the gateway\. Leave it out\.\n$/],
    [['--'], {}, /missing required argument/],
    [['--source', 'gone.md', '--', 'claude'], {}, /The source gone\.md cannot be loaded/],
  ] as const) {
    const { stdout, stderr, exitCode } = await started(place, args, env);
    assert.deepEqual([stdout, exitCode], ['', 2], stderr);
    assert.match(stderr, sentence);
  }
});
