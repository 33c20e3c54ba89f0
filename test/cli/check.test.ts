import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { block, folderOf, placesIn, run } from './cliKit.ts';

const MISTAKE = '<!--BLOCK_ID:a-->\n';

test('clean files: exit 0 and one line that says how many', async t => {
  const cwd = folderOf(t, { 'AGENTS.md': block('a'), 'docs/x.md': '# X\n' });
  const result = await run(['check'], { cwd });
  assert.deepEqual(result, { stdout: '2 files checked: no problems found.\n', stderr: '', exitCode: 0 });
});

test('problems: exit 1, one line a finding with file:line:column, related places, a summary', async t => {
  const cwd = folderOf(t, { 'AGENTS.md': `# Rules\n\n${block('a')}${block('a')}` });
  const { stdout, exitCode } = await run(['check', '.'], { cwd });
  assert.equal(exitCode, 1);
  assert.deepEqual(placesIn(stdout), [
    'AGENTS.md:3:1 error duplicate-block-id',
    'AGENTS.md:5:1 error duplicate-block-id',
  ]);
  assert.match(stdout, /^ {2}AGENTS\.md:3:1: 'a' is first defined here\.$/m);
  assert.match(stdout, /^1 file checked: 2 errors, 0 warnings, 0 notes\.$/m);
});

test('--fail-on decides which severity makes the exit code 1', async t => {
  const cwd = folderOf(t, {
    'warning.md': '<!--DISCARD_BLOCK:a-->\n',
    '.context-lifecycle.json': '{"severities": {"unknown-block": "note"}, "exclude": ["never.md"]}',
    'never.md': MISTAKE,
  });
  assert.equal((await run(['check', '--fail-on', 'note'], { cwd })).exitCode, 1);
  assert.equal((await run(['check'], { cwd })).exitCode, 0);
  const louder = folderOf(t, { 'warning.md': '<!--DISCARD_BLOCK:a-->\n' });
  assert.equal((await run(['check'], { cwd: louder })).exitCode, 1);
  assert.equal((await run(['check', '--fail-on', 'error'], { cwd: louder })).exitCode, 0);
});

test('wrong usage: exit 2 and a sentence on standard error', async t => {
  const cwd = folderOf(t, {});
  for (const args of [
    ['check', '--format', 'xml'],
    ['check', '--fail-on', 'off'],
    ['check', '--nonsense'],
    ['check', '--dry-run'],
    ['check', '--stdin-filename', 'a.md'],
    ['check', '--fix', '-'],
    ['nonsense'],
    [],
  ]) {
    const { stdout, stderr, exitCode } = await run(args, { cwd });
    assert.deepEqual([stdout, exitCode], ['', 2], args.join(' '));
    assert.notEqual(stderr, '');
  }
});

test('--version and --help', async t => {
  const cwd = folderOf(t, {});
  const version = await run(['--version'], { cwd });
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  assert.equal(version.exitCode, 0);
  const help = await run(['check', '--help'], { cwd });
  assert.equal(help.exitCode, 0);
  assert.match(help.stdout, /--fail-on <severity>/);
});

test('one bad file never stops the rest: exit 2, its path on standard error', async t => {
  const cwd = folderOf(t, { 'good.md': MISTAKE });
  symlinkSync('loop.md', join(cwd, 'loop.md'));
  const { stdout, stderr, exitCode } = await run(['check', 'missing.md', 'loop.md', 'no/*.md', 'good.md'], { cwd });
  assert.equal(exitCode, 2);
  assert.deepEqual(placesIn(stdout), ['good.md:1:1 error unclosed-block']);
  assert.match(stderr, /^context-lifecycle: missing\.md: There is no such file or folder\.$/m);
  assert.match(stderr, /^context-lifecycle: loop\.md: Its symbolic links lead in a circle\.$/m);
  assert.match(stderr, /^context-lifecycle: no(\/\*\.md)?: /m);
});

test('folders: Markdown and context sources, .gitignore at every level, no links, no .git, no node_modules', async t => {
  const cwd = folderOf(t, {
    '.git/HEAD': '',
    '.git/x.md': MISTAKE,
    'node_modules/p/README.md': MISTAKE,
    '.gitignore': 'out/\n*.tmp.md\n',
    'out/x.md': MISTAKE,
    'a.tmp.md': MISTAKE,
    'sub/.gitignore': 'secret.md\n!b.tmp.md\n',
    'sub/secret.md': MISTAKE,
    'sub/b.tmp.md': MISTAKE,
    'sub/c.markdown': MISTAKE,
    'sub/d.txt': MISTAKE,
    'sub/e.mdx': MISTAKE,
    '.cursor/rules/f.mdc': MISTAKE,
  });
  symlinkSync('..', join(cwd, 'sub/up'));
  symlinkSync('c.markdown', join(cwd, 'sub/link.md'));
  const everything = await run(['check', '.'], { cwd });
  assert.deepEqual(placesIn(everything.stdout), [
    '.cursor/rules/f.mdc:1:1 error unclosed-block',
    'sub/b.tmp.md:1:1 error unclosed-block',
    'sub/c.markdown:1:1 error unclosed-block',
  ]);
  const below = await run(['check', '.'], { cwd: join(cwd, 'sub') });
  assert.deepEqual(placesIn(below.stdout), [
    'b.tmp.md:1:1 error unclosed-block',
    'c.markdown:1:1 error unclosed-block',
  ]);
  const named = await run(['check', 'out/x.md', 'sub/d.txt', 'sub/link.md'], { cwd });
  assert.deepEqual(placesIn(named.stdout), [
    'out/x.md:1:1 error unclosed-block',
    'sub/d.txt:1:1 error unclosed-block',
    'sub/link.md:1:1 error unclosed-block',
  ]);
  const ignoredFolder = await run(['check', 'out'], { cwd });
  assert.deepEqual(placesIn(ignoredFolder.stdout), ['out/x.md:1:1 error unclosed-block']);
});

test('globs are expanded, each file counts once, a file may be called like a glob', async t => {
  const cwd = folderOf(t, { 'a/x.md': MISTAKE, 'a/b/y.md': MISTAKE, 'a/z.txt': MISTAKE, 'a/[x].md': MISTAKE });
  const { stdout } = await run(['check', 'a/**/*.md', 'a/{x,q}.md', 'a/*.txt'], { cwd });
  assert.deepEqual(
    placesIn(stdout).map(line => line.split(':')[0]),
    ['a/[x].md', 'a/x.md', 'a/b/y.md', 'a/z.txt'],
  );
  const literal = await run(['check', 'a/[x].md'], { cwd });
  assert.deepEqual(placesIn(literal.stdout), ['a/[x].md:1:1 error unclosed-block']);
});

test('standard input, with and without the path that it stands for', async t => {
  const cwd = folderOf(t, { 'AGENTS.md': block('a'), 'GEMINI.md': 'old content' });
  const nameless = await run(['check', '-'], { cwd, stdin: MISTAKE });
  assert.deepEqual(placesIn(nameless.stdout), ['<stdin>:1:1 error unclosed-block']);
  const named = await run(['check', '-', '--stdin-filename', 'GEMINI.md'], { cwd, stdin: block('a') });
  assert.deepEqual(placesIn(named.stdout), ['GEMINI.md:1:1 warning block-id-conflict']);
  assert.match(named.stdout, /^ {2}AGENTS\.md:1:1: /m);
});

test('one named file is checked against all context sources of the project', async t => {
  const cwd = folderOf(t, { 'AGENTS.md': block('a'), 'x.context.md': `${block('a')}<!--DISCARD_BLOCK:a-->\n` });
  const { stdout } = await run(['check', 'x.context.md'], { cwd });
  assert.deepEqual(placesIn(stdout), ['x.context.md:1:1 warning block-id-conflict']);
});

test('the project file of the repository counts in its sub-folders and sets the load order', async t => {
  const cwd = folderOf(t, {
    '.git/HEAD': '',
    '.context-lifecycle.json': '{"sources": ["sub/second.md", "first.md"], "exclude": ["teach/**"]}',
    'first.md': block('a'),
    'sub/second.md': block('a'),
    'teach/x.md': MISTAKE,
  });
  const above = await run(['check'], { cwd });
  assert.deepEqual(placesIn(above.stdout), ['first.md:1:1 warning block-id-conflict']);
  const below = await run(['check'], { cwd: join(cwd, 'sub') });
  assert.deepEqual([below.stdout, below.exitCode], ['1 file checked: no problems found.\n', 0]);
});

test('a project file with mistakes: each is named, the rest counts, exit 2', async t => {
  const cwd = folderOf(t, { '.context-lifecycle.json': '{"command": "x", "exclude": ["*.md"]}', 'a.md': MISTAKE });
  const { stdout, stderr, exitCode } = await run(['check'], { cwd });
  assert.equal(stdout, '0 files checked: no problems found, but 1 failure.\n');
  assert.match(stderr, /^context-lifecycle: \.context-lifecycle\.json: 'command' may not be set/);
  assert.equal(exitCode, 2);
});

test('a summary never says that all is well when something could not be read', async t => {
  const cwd = folderOf(t, { 'a.md': MISTAKE, 'b.md': '' });
  const nothing = await run(['check', 'gone.md'], { cwd });
  assert.deepEqual([nothing.stdout, nothing.exitCode], ['0 files checked: no problems found, but 1 failure.\n', 2]);
  const some = await run(['check', 'a.md', 'gone.md', 'lost.md'], { cwd });
  assert.match(some.stdout, /^1 file checked: 1 error, 0 warnings, 0 notes, but 2 failures\.$/m);
});

test('colours only where they are wanted', async t => {
  const cwd = folderOf(t, { 'a.md': MISTAKE });
  const escape = '\u001b[';
  assert.equal((await run(['check'], { cwd })).stdout.includes(escape), false);
  assert.equal((await run(['check'], { cwd, env: { FORCE_COLOR: '1' } })).stdout.includes(escape), true);
  assert.equal(
    (await run(['check'], { cwd, env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stdout.includes(escape),
    false,
  );
});

test('--format json holds every part of a finding', async t => {
  const cwd = folderOf(t, { 'a.md': `é😀\n${block('a')}${block('a')}` });
  const { stdout, exitCode } = await run(['check', '--format', 'json', 'a.md', 'gone.md'], { cwd });
  const report = JSON.parse(stdout);
  assert.equal(exitCode, 2);
  assert.deepEqual(report.summary, { files: 1, repaired: 0, errors: 2, warnings: 0, notes: 0, failures: 1 });
  assert.deepEqual(report.failures, [{ path: 'gone.md', reason: 'There is no such file or folder.' }]);
  const { message, related, ...finding } = report.findings[1];
  assert.deepEqual(finding, {
    file: 'a.md',
    line: 4,
    column: 1,
    endLine: 4,
    endColumn: 18,
    severity: 'error',
    code: 'duplicate-block-id',
    blockId: 'a',
  });
  assert.match(message, /defined more than once/);
  assert.deepEqual(related, [
    { file: 'a.md', line: 2, column: 1, endLine: 2, endColumn: 18, message: "'a' is first defined here." },
  ]);
});
