import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { namedSources, unnamedFiles } from '../../../cli/gateway/contextFiles.ts';
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
  assert.deepEqual(unnamedFiles(cwd, []), [
    'AGENTS.md declares 2 blocks, but it was not named, so it does not count. To load it: --source AGENTS.md',
    'GEMINI.md declares 1 block, but it was not named, so it does not count. To load it: --source GEMINI.md',
  ]);
  assert.deepEqual(unnamedFiles(cwd, [join(cwd, 'CLAUDE.md'), join(cwd, 'GEMINI.md')]), []);
  assert.deepEqual(unnamedFiles('/nowhere/at/all', []), []);
});
