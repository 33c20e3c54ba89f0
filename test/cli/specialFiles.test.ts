import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderOf, placesIn, run } from './cliKit.ts';

const MISTAKE = '<!--BLOCK_ID:a-->\n';
const NO_FILE = 'It is neither a file nor a folder; hand over what a program prints as "-".';

test('pipes and devices are refused by name and never waited for', async t => {
  const cwd = folderOf(t, { 'good.md': MISTAKE });
  execFileSync('mkfifo', [join(cwd, 'pipe.md')]);
  symlinkSync('/dev/zero', join(cwd, 'zero.md'));
  const checked = await run(['check', 'pipe.md', 'zero.md', '/dev/null', 'good.md'], { cwd });
  assert.deepEqual(placesIn(checked.stdout), ['good.md:1:1 error unclosed-block']);
  assert.deepEqual(checked.stderr.trimEnd().split('\n'), [
    `context-lifecycle: pipe.md: ${NO_FILE}`,
    `context-lifecycle: zero.md: ${NO_FILE}`,
    `context-lifecycle: /dev/null: ${NO_FILE}`,
  ]);
  assert.equal(checked.exitCode, 2);
  for (const name of ['pipe.md', 'zero.md']) {
    for (const args of [
      ['parse', name],
      ['parse', '--jsonl', name],
    ]) {
      const { stdout, stderr, exitCode } = await run(args, { cwd });
      assert.deepEqual([stdout, stderr, exitCode], ['', `context-lifecycle: ${name}: ${NO_FILE}\n`, 2]);
    }
  }
});

test('a repository whose .gitignore or project file is a device or a pipe is checked all the same', async t => {
  for (const name of ['.gitignore', '.context-lifecycle.json']) {
    const device = folderOf(t, { 'a.md': MISTAKE });
    symlinkSync('/dev/zero', join(device, name));
    const pipe = folderOf(t, { 'a.md': MISTAKE });
    execFileSync('mkfifo', [join(pipe, name)]);
    for (const cwd of [device, pipe]) {
      const { stdout, stderr, exitCode } = await run(['check'], { cwd });
      assert.deepEqual(placesIn(stdout), ['a.md:1:1 error unclosed-block']);
      const isProject = name === '.context-lifecycle.json';
      assert.equal(stderr, isProject ? `context-lifecycle: ${name}: ${NO_FILE}\n` : '');
      assert.equal(exitCode, isProject ? 2 : 1);
    }
  }
});

test('a file whose name is no UTF-8 is named as such, in a folder, by a glob and by name', async t => {
  const cwd = folderOf(t, { 'good.md': MISTAKE });
  writeFileSync(Buffer.concat([Buffer.from(`${cwd}/y`), Buffer.from([0xe9]), Buffer.from('.md')]), MISTAKE);
  for (const name of ['.', '*.md', 'y\ufffd.md']) {
    const { stderr, exitCode } = await run(['check', name], { cwd });
    assert.match(stderr, /^context-lifecycle: y\ufffd\.md: Its name holds bytes that are no UTF-8, .*\n$/u);
    assert.equal(exitCode, 2);
  }
});

test('a file of more than 16 MiB is refused by name, as the editor skips it, and the others are checked', async t => {
  const large = Buffer.alloc(16 * 1024 * 1024 + 1, ' <!--ephemeral-->\n');
  const cwd = folderOf(t, { 'good.md': MISTAKE, 'large.md': large });
  const { stdout, stderr, exitCode } = await run(['check'], { cwd });
  assert.deepEqual(placesIn(stdout), ['good.md:1:1 error unclosed-block']);
  assert.deepEqual([stderr, exitCode], ['context-lifecycle: large.md: It is larger than 16 MiB.\n', 2]);
  for (const args of [['check', '-'], ['parse']]) {
    const input = await run(args, { cwd, stdin: large });
    assert.deepEqual([input.stderr, input.exitCode], ['context-lifecycle: <stdin>: It is larger than 16 MiB.\n', 2]);
  }
});

test('a file with a million findings stops no report: the first are shown, the rest is counted', async t => {
  const cwd = folderOf(t, { 'good.md': MISTAKE, 'bad.md': ' <!--ephemeral-->\n'.repeat(880_000) });
  const { stdout, stderr, exitCode } = await run(['check', '--format', 'json'], { cwd });
  const { summary } = JSON.parse(stdout);
  assert.deepEqual([summary.warnings, summary.errors, exitCode], [10_000, 1, 2]);
  assert.equal(stderr, 'context-lifecycle: bad.md: Only its first findings are shown; there are 870000 more.\n');
});

test('a .gitignore that would run for hours does not', async t => {
  const patterns = [
    '**/a/**/a/**/b',
    '**/*a*a*b',
    '**/a/**/a/**/a/**/b',
    '*a*a*/*a*a*/*a*b',
    '*a*a*a*a*a*b',
    '*.tmp.md',
  ];
  const deep = 'a/'.repeat(500);
  const wide = `${'a'.repeat(250)}/`.repeat(3);
  const cwd = folderOf(t, {
    '.gitignore': patterns.join('\n'),
    [`${deep}x.md`]: MISTAKE,
    [`${wide}x.md`]: MISTAKE,
    [`${wide}x.tmp.md`]: MISTAKE,
  });
  const { stdout } = await run(['check'], { cwd });
  assert.deepEqual(placesIn(stdout).length, 2);
});
