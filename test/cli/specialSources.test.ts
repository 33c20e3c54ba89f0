import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { PROJECT_FILES } from '../../adapter/demo/demoFiles.ts';
import { block } from './cliKit.ts';
import { homeOf } from './sessionKit.ts';

test('a repository whose context files are pipes or lead to devices keeps neither doctor nor the demo waiting', async t => {
  const { cli, cwd } = homeOf(t, { 'CLAUDE.md': block('kept'), '.pi/agent/settings.json': '{}' });
  const [first = ''] = Object.keys(PROJECT_FILES);
  assert.equal(first, 'AGENTS.md');
  symlinkSync('/dev/zero', join(cwd, 'AGENTS.override.md'));
  execFileSync('mkfifo', [join(cwd, 'AGENTS.md')]);
  const manifest = join(cwd, 'node_modules', '@earendil-works', 'pi-coding-agent', 'package.json');
  mkdirSync(dirname(manifest), { recursive: true });
  symlinkSync('/dev/zero', manifest);
  const doctor = await cli('doctor');
  assert.ok(doctor.stdout.includes('1. CLAUDE.md: block kept\n'), doctor.stdout + doctor.stderr);
  const demo = await cli('demo', '--fast');
  assert.equal(demo.stderr, '');
  assert.equal(demo.exitCode, 0);
});

test('a context file of config.json that is a pipe, a device, a folder or endless is named, and the session opens', async t => {
  const { home, cwd, open } = homeOf(t, { 'good.md': block('good'), 'long.md': 'x'.repeat(16 * 1024 * 1024 + 1) });
  execFileSync('mkfifo', [join(cwd, 'pipe.md')]);
  symlinkSync('/dev/zero', join(cwd, 'zero.md'));
  mkdirSync(home, { mode: 0o700 });
  const sources = ['pipe.md', 'zero.md', 'long.md', '', 'good.md'].map(name => join(cwd, name));
  writeFileSync(join(home, 'config.json'), JSON.stringify({ sources }), { mode: 0o600 });
  const session = await open();
  const said = (path: string, reason: string): string =>
    `The context file ${path}, which config.json names, was not loaded: ${reason}`;
  assert.deepEqual(session.notices.slice(-4), [
    said(sources[0] ?? '', 'It is no ordinary file.'),
    said(sources[1] ?? '', 'It is no ordinary file.'),
    said(sources[2] ?? '', 'It is larger than 16 MiB.'),
    said(sources[3] ?? '', 'It is no ordinary file.'),
  ]);
  assert.equal(session.state.lifecycle.blocks.get('good')?.status, 'active');
});
