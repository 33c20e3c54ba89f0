import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { namedSources, unnamedFiles, whatCounts } from '../../../cli/gateway/contextFiles.ts';
import { block, folderOf } from '../cliKit.ts';

test('named sources become whole paths, in order and once; what cannot be read is named', t => {
  const cwd = folderOf(t, { 'AGENTS.md': block('a'), 'docs/b.md': '' });
  mkdirSync(join(cwd, 'folder'));
  const named = ['docs/b.md', 'AGENTS.md', './AGENTS.md', 'gone.md', '', 'folder'];
  const { paths, failures } = namedSources(named, cwd);
  assert.deepEqual(paths, [join(cwd, 'docs/b.md'), join(cwd, 'AGENTS.md')]);
  assert.deepEqual(
    failures.map(({ path, reason }) => `${path}: ${reason}`),
    [
      'gone.md: There is no such file or folder.',
      '"": An empty name names no file.',
      'folder: It is no ordinary file.',
    ],
  );
});

test('a context file of the folder that nobody named is hinted at, and never loaded: trust is not guessed', t => {
  const cwd = folderOf(t, {
    'AGENTS.md': block('a') + block('b'),
    'GEMINI.md': block('g'),
    '.claude/CLAUDE.md': '# No block\n',
    'README.md': block('r'),
  });
  symlinkSync('AGENTS.md', join(cwd, 'CLAUDE.md'));
  assert.deepEqual(unnamedFiles(cwd, [], 'codex'), [
    'AGENTS.md declares 2 blocks, but it was not named, so it does not count. To load it: --source AGENTS.md',
  ]);
  assert.deepEqual(unnamedFiles(cwd, [], 'gemini-cli'), [
    'GEMINI.md declares 1 block, but it was not named, so it does not count. To load it: --source GEMINI.md',
  ]);
  assert.deepEqual(unnamedFiles(cwd, [], 'claude-code'), [
    "CLAUDE.md declares 2 blocks, but it was not named, so it does not count unless Claude Code's own hook names it. To load it: --source CLAUDE.md",
  ]);
  assert.deepEqual(unnamedFiles(cwd, [join(cwd, 'CLAUDE.md'), join(cwd, 'GEMINI.md')], 'other'), []);
  assert.deepEqual(unnamedFiles('/nowhere/at/all', [], 'other'), []);
});

test('where no agent is known, each hint says whose file it is', t => {
  const cwd = folderOf(t, { 'AGENTS.md': block('a'), 'CLAUDE.md': block('c'), 'GEMINI.md': block('g') });
  const rest = 'but it was not named, so it does not count';
  assert.deepEqual(
    new Set(unnamedFiles(cwd, [], 'other')),
    new Set([
      `CLAUDE.md, which Claude Code reads, declares 1 block, ${rest} unless Claude Code's own hook names it. To load it: --source CLAUDE.md`,
      `AGENTS.md, which Codex reads, declares 1 block, ${rest}. To load it: --source AGENTS.md`,
      `GEMINI.md, which Gemini CLI reads, declares 1 block, ${rest}. To load it: --source GEMINI.md`,
    ]),
  );
});

test('what counts is said in one line, with the IDs of valid blocks', t => {
  const many = Array.from({ length: 10 }, (_, place) => block(`b${place}`)).join('');
  const cwd = folderOf(t, { 'AGENTS.md': block('planning'), 'many.md': many, 'none.md': '<!--BLOCK_ID:open-->\n' });
  const paths = (...names: readonly string[]) => names.map(name => join(cwd, name));
  const end = 'context-lifecycle sessions shows this session.';
  assert.equal(whatCounts(cwd, paths('AGENTS.md'), false), `AGENTS.md declares 1 block (planning). ${end}`);
  assert.equal(
    whatCounts(cwd, paths('many.md', 'none.md'), true),
    `many.md declares 10 blocks (b0, b1, b2, b3, b4, b5, b6, b7 and 2 more) and none.md declares no block. Claude Code names its instruction files itself, and their blocks count. ${end}`,
  );
  assert.equal(
    whatCounts(cwd, [], true),
    `Claude Code names its instruction files itself, and their blocks count. ${end}`,
  );
  assert.equal(whatCounts(cwd, [], false), `No context file was named, so no block counts. ${end}`);
});
