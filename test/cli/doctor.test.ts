import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { agentsSection } from '../../cli/doctor/agents.ts';
import type { Section } from '../../cli/doctor/finding.ts';
import { type SourcePlaces, sourcesSection } from '../../cli/doctor/sources.ts';
import { writeAnnouncement } from '../../local/announcements.ts';
import { bootId } from '../../local/bootId.ts';
import { putPendingHandoff } from '../../local/pendingHandoff.ts';
import { DEFAULT_CONFIG } from '../../local/userConfig.ts';
import { AGENT_PROFILES } from '../../protocol/lifecycle/agentProfiles.ts';
import { WIRE_VERSION } from '../../protocol/wire/messages.ts';
import { turnOn } from './budgetLog.ts';
import { block, folderOf } from './cliKit.ts';
import { assertHarmless } from './hostile.ts';
import { homeOf } from './sessionKit.ts';

function sectionOf(places: SourcePlaces): Section {
  const section = sourcesSection(places);
  assert.ok(section);
  return section;
}

test('doctor says that nothing needs mending where nothing does', async t => {
  const { cli, home, open } = homeOf(t, { 'AGENTS.md': block('a'), '.pi/agent/settings.json': '{}' });
  await open({ sessionId: 'live-one', config: { announce: true, countTokens: false } });
  const { stdout, stderr, exitCode } = await cli('doctor');
  assert.equal(stderr, '');
  assert.match(stdout, /\nThe set-up needs no mending\.\n$/);
  assert.equal(exitCode, 0);
  for (const line of [
    '  ok  1. AGENTS.md: block a',
    `  ok  ${join(home, 'config.json')} is not there: logs hold content, sessions can be watched, logs are kept for 30 days and the default policy holds`,
    `  --  off: "budget": {"enabled": true} in ${join(home, 'config.json')} turns it on for sessions that begin`,
    `  ok  ${join(home, 'run')} (running sessions): private, mode 700`,
    `  ok  ${join(home, 'sessions')} (session logs): private, mode 700`,
    '  ok  1 session announced',
    `  --  session live-one: process ${process.pid} writes it`,
  ]) {
    assert.ok(stdout.includes(`${line}\n`), `${line}\n\n${stdout}`);
  }
});

test('doctor names what needs mending, one line each, and exits with 1', async t => {
  const { cli, home, open } = homeOf(t);
  await (await open()).close();
  chmodSync(join(home, 'sessions'), 0o755);
  writeFileSync(join(home, 'sessions', 'damaged.jsonl'), '{"version":2}\n');
  writeFileSync(join(home, 'config.json'), '{"content":"none","\\u001b[31m":1}');
  chmodSync(join(home, 'config.json'), 0o600);
  const { stdout, exitCode } = await cli('doctor');
  assertHarmless(stdout, 'doctor');
  const problems = stdout.split('\n').filter(line => line.startsWith('  !!'));
  const expected = [
    /config\.json: 'content' must be one of full, hashes\. /,
    /config\.json: '\\u\{1b\}\[31m' is no setting\./,
    /Other users have access to the folder .*sessions \(mode 755\)\. Run "chmod 700 .*sessions"\.$/,
    /damaged\.jsonl: The first line of this log cannot be used: the log is of version 2, /,
  ];
  assert.equal(problems.length, expected.length, stdout);
  for (const [index, pattern] of expected.entries()) {
    assert.match(problems[index] ?? '', pattern);
  }
  assert.match(stdout, /\n4 things need mending\.\n$/);
  assert.equal(exitCode, 1);
});

test('doctor finds what a dead session has announced, and --fix removes it', async t => {
  const { cli, home } = homeOf(t);
  const run = join(home, 'run');
  mkdirSync(run, { recursive: true, mode: 0o700 });
  chmodSync(home, 0o700);
  const name = '0123456789abcdef';
  writeAnnouncement(run, name, {
    wireVersion: WIRE_VERSION,
    session: 'dead-one',
    agent: 'test',
    // No system has a process of this number.
    pid: 2 ** 22 + 1,
    bootId: bootId(),
    socket: `${name}.sock`,
    token: 'ab'.repeat(32),
    started: 1,
  });
  writeFileSync(join(run, 'fedcba9876543210.json'), 'garbage', { mode: 0o600 });
  const found = await cli('doctor');
  assert.match(
    found.stdout,
    /^ {2}!! {2}session dead-one of test \(process 4194305\) is gone but still announced: --fix removes /m,
  );
  assert.match(found.stdout, /^ {2}!! {2}The announcement .*fedcba9876543210\.json isn't used: it is no JSON\./m);
  assert.equal(found.exitCode, 1);
  const fixed = await cli('doctor', '--fix');
  assert.match(fixed.stdout, /^ {2}ok {2}Removed what session dead-one of test \(process 4194305\) left: /m);
  assert.deepEqual(readdirSync(run), ['fedcba9876543210.json']);
});

test('doctor says from where the budget layer knows a window, and which handoffs wait', async t => {
  const { cli, cwd, home } = homeOf(t);
  const findings = async () => {
    const { stdout, exitCode } = await cli('doctor');
    assertHarmless(stdout, 'doctor');
    const [, section = ''] = stdout.split('\nBudget layer\n');
    return {
      lines: section
        .split('\n\n')[0]
        ?.split('\n')
        .map(line => line.trim()),
      exitCode,
    };
  };
  const unset = 'what the agent says, else what is known of the model by its name, else assumed';
  turnOn(home);
  assert.deepEqual(await findings(), {
    lines: ['ok  on: a request above its limit is not sent', `--  window: ${unset}; "window" in "budget" sets it`],
    exitCode: 0,
  });
  turnOn(home, { window: 200_000, models: [{ model: 'x-\u001b[2J*', window: 9000 }], overLimit: 'warn' });
  assert.deepEqual((await findings()).lines, [
    'ok  on: a request above its limit is sent with a warning',
    'ok  window: 9,000 tokens for x-\\u{1b}[2J* and 200,000 tokens for every other model, as you set it',
  ]);
  const folder = join(home, 'handoffs');
  putPendingHandoff({ folder, cwd, agent: 'pi' }, { text: '{}', file: '/h/\u001b[2J.json', now: 1_700_000_000_000 });
  assert.equal(
    (await findings()).lines?.[2],
    `--  the next new session of pi in ${cwd} goes on from /h/\\u{1b}[2J.json (waits since 2023-11-14 22:13:20)`,
  );
  chmodSync(folder, 0o755);
  const open = await findings();
  assert.match(open.lines?.[2] ?? '', /^!! {2}Other users have access to the folder .*handoffs \(mode 755\)\./);
  assert.equal(open.exitCode, 1);
  chmodSync(folder, 0o700);
  turnOn(home, {}, { countTokens: false });
  const uncounted = await findings();
  assert.match(uncounted.lines?.[0] ?? '', /^!! {2}It is on, but tokens are not counted, so it does nothing\. /);
  assert.equal(uncounted.exitCode, 1);
  turnOn(home, { window: '200k' });
  const wrong = await findings();
  assert.equal(
    wrong.lines?.[0],
    `--  off: mend what is wrong in the settings; "budget": {"enabled": true} in ${join(home, 'config.json')} turns it on for sessions that begin`,
  );
  assert.equal(wrong.exitCode, 1);
});

test('doctor finds agents on the PATH, among the global packages and in the project, and starts none', t => {
  const folder = folderOf(t, {
    'prefix/lib/node_modules/@earendil-works/pi-coding-agent/package.json':
      '{"name":"@earendil-works/pi-coding-agent","version":"1.6.0"}',
    'prefix/lib/node_modules/@earendil-works/pi-coding-agent/dist/cli.js': 'throw new Error("started");',
    'prefix/lib/node_modules/@openai/codex/package.json': '{"name":"@openai/codex","version":"0.99.1"}',
    'prefix/bin/claude': '#!/bin/sh\nexit 1\n',
    'project/node_modules/ai/package.json': '{"name":"ai","version":"7.0.173"}',
    'project/src/a.ts': '',
  });
  symlinkSync('../lib/node_modules/@earendil-works/pi-coding-agent/dist/cli.js', join(folder, 'prefix/bin/pi'));
  const { findings } = agentsSection({
    cwd: join(folder, 'project/src'),
    env: { PATH: `node_modules/.bin:${join(folder, 'prefix/bin')}` },
    execPath: join(folder, 'prefix/bin/node'),
  });
  assert.deepEqual(
    findings.map(({ level, text }) => [level, text.replaceAll(folder, '')]),
    [
      ['ok', 'Claude Code (version not known), /prefix/bin/claude: gateway, tested with 2.1.332 and 2.1.197'],
      ['ok', 'Codex 0.99.1, /prefix/lib/node_modules/@openai/codex (not on the PATH): gateway, tested with 0.171.0'],
      ['ok', 'pi 1.6.0, /prefix/bin/pi: adapter, tested with 1.6.0 and 0.73.1'],
      ['ok', 'AI SDK 7.0.173, /project/node_modules/ai: adapter, tested with 7.0.173 and 6.0.326'],
    ],
  );
  assert.deepEqual(
    findings.map(({ more }) => more),
    [
      ['start: context-lifecycle gateway run -- claude'],
      ['start: context-lifecycle gateway run --source AGENTS.md -- codex'],
      ['start: pi -e dist/pi.js'],
      ['start: import context-lifecycle/ai-sdk'],
    ],
  );
  const nothing = agentsSection({ cwd: folder, env: {}, execPath: join(folder, 'node') });
  assert.deepEqual(nothing.findings, [{ level: 'note', text: 'None was found on the PATH.', more: [] }]);
});

test('doctor knows each agent of the profiles, and says of none that nothing obeys tags in it', t => {
  const packages = ['@anthropic-ai/claude-code', '@openai/codex', '@google/gemini-cli', 'opencode-ai', 'ai', 'dsh'];
  const files = [...packages, '@earendil-works/pi-coding-agent'].map(name => {
    const version = `{"name":"${name}","version":"1.0.0"}`;
    return [`prefix/lib/node_modules/${name}/package.json`, version] as const;
  });
  const folder = folderOf(t, Object.fromEntries(files));
  const { findings } = agentsSection({
    cwd: join(folder, 'prefix/lib'),
    env: { PATH: '' },
    execPath: join(folder, 'prefix/bin/node'),
  });
  assert.deepEqual(
    findings.map(({ text }) => AGENT_PROFILES.find(({ name }) => text.startsWith(`${name} 1.0.0`))?.agent),
    AGENT_PROFILES.map(({ agent }) => agent),
  );
  assert.ok(findings.every(({ more = [] }) => more.length === 1));
});

test('doctor speaks of what pi would load only where pi is, or was used', async t => {
  const none = homeOf(t, { 'AGENTS.md': block('a') });
  assert.doesNotMatch((await none.cli('doctor')).stdout, /Sources that pi|AGENTS\.md: block/);
  const logged = homeOf(t, { 'AGENTS.md': block('a') });
  await (await logged.open({ agent: 'pi' })).close();
  assert.match(
    (await logged.cli('doctor')).stdout,
    /\nSources that pi would load here, in this order\n.*AGENTS\.md: block a/,
  );
  const named = sourcesSection({
    cwd: none.cwd,
    home: none.cwd,
    env: {},
    config: { ...DEFAULT_CONFIG, sources: [join(none.cwd, 'AGENTS.md')] },
    usesPi: false,
  });
  assert.equal(named?.title, 'Sources that config.json names, which every agent loads first');
  assert.deepEqual(
    named?.findings.map(({ text }) => text),
    ['1. AGENTS.md (config.json): block a'],
  );
});

test('doctor finds the skills of every folder where pi looks for them, also behind links', t => {
  const home = folderOf(t, {
    '.pi/agent/skills/mine.md': block('mine'),
    '.agents/skills/shared/SKILL.md': block('shared'),
    'elsewhere/SKILL.md': block('linked'),
    'repo/.git/HEAD': '',
    'repo/.agents/skills/outer/SKILL.md': block('outer'),
    'repo/.agents/skills/notes.md': block('never'),
    'repo/inner/.agents/skills/inner/SKILL.md': block('inner'),
    'repo/inner/.pi/skills/deep/er/SKILL.md': block('deep'),
    '.agents/skills/none.md': block('never'),
  });
  symlinkSync(join(home, 'elsewhere'), join(home, '.pi/agent/skills/linked'));
  symlinkSync(join(home, '.pi/agent/skills'), join(home, '.pi/agent/skills/ring'));
  const { findings } = sectionOf({
    cwd: join(home, 'repo/inner'),
    home,
    env: {},
    config: DEFAULT_CONFIG,
    usesPi: true,
  });
  assert.deepEqual(
    findings.map(({ text }) => text.split(': ')[1]),
    ['block linked', 'block mine', 'block shared', 'block deep', 'block inner', 'block outer'],
  );
});

test("doctor lists sources in pi's order, with what becomes of each block", t => {
  const home = folderOf(t, {
    '.pi/agent/AGENTS.md': block('mine'),
    '.pi/agent/skills/review/SKILL.md': block('review'),
    'work/CLAUDE.md': '# Nothing\n',
    'work/AGENTS.md': block('shared') + block('mine'),
    'work/repo/CLAUDE.md': block('shared') + block('own') + block('own'),
    'work/repo/.pi/skills/release/SKILL.md': block('release'),
    'work/repo/.pi/skills/release/notes/SKILL.md': block('never'),
  });
  const places = { cwd: join(home, 'work/repo'), home, env: {}, config: DEFAULT_CONFIG, usesPi: true };
  const { findings } = sectionOf(places);
  const shown = (all: typeof findings) => all.map(({ text, more = [] }) => [text.replace(dirname(home), ''), ...more]);
  assert.deepEqual(shown(findings), [
    ['1. ~/.pi/agent/AGENTS.md: block mine'],
    ['2. ~/.pi/agent/skills/review/SKILL.md: block review'],
    ['3. ~/work/AGENTS.md: block shared', 'block mine does not count: ~/.pi/agent/AGENTS.md defines it first'],
    [
      '4. CLAUDE.md: no block',
      'block shared does not count: ~/work/AGENTS.md defines it first',
      '1 problem: context-lifecycle check CLAUDE.md',
    ],
    ['5. .pi/skills/release/SKILL.md: block release'],
  ]);
  const own = { ...DEFAULT_CONFIG, sources: [join(home, 'work/AGENTS.md'), join(home, 'gone.md')] };
  const withOwn = sectionOf({ ...places, config: own }).findings;
  assert.deepEqual(shown(withOwn).slice(0, 2), [
    ['1. ~/work/AGENTS.md (config.json): blocks shared and mine'],
    ['2. ~/.pi/agent/AGENTS.md: no block', 'block mine does not count: ~/work/AGENTS.md defines it first'],
  ]);
  assert.equal(withOwn.length, 6);
  assert.match(withOwn.at(-1)?.text ?? '', /gone\.md, which config\.json names: There is no such file or folder\.$/);
  const config = { ...DEFAULT_CONFIG, policy: { rules: [] } };
  const refused = sectionOf({ ...places, config });
  assert.deepEqual(shown(refused.findings)[0], [
    '1. ~/.pi/agent/AGENTS.md: no block',
    'block mine does not count: your policy lets this source define nothing (no rule)',
  ]);
});
