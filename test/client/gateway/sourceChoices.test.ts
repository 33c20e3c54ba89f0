import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceChoices } from '../../../client/gateway/sourceChoices.ts';
import type { DeclaredBlock, DeclaredFolder } from '../../../protocol/lifecycle/editorRequests.ts';

const block = (id: string, state: DeclaredBlock['state'] = 'valid'): DeclaredBlock => ({
  id,
  line: 0,
  endLine: 1,
  state,
});

const folder = (name: string, sources: Readonly<Record<string, readonly DeclaredBlock[]>>): DeclaredFolder => ({
  uri: `file:///${name}`,
  name,
  sources: Object.entries(sources).map(([path, blocks]) => ({
    uri: `file:///${name}/${path.replace(' ', '%20')}`,
    path,
    problemCount: 0,
    blocks,
  })),
});

const one = folder('w', {
  'AGENTS.md': [block('a'), block('b', 'conflict'), block('c', 'invalid')],
  'a b.context.md': [block('d')],
  'bad.context.md': [block('e', 'invalid')],
  'none.context.md': [],
});

const everyPath = () => true;

test('what is gone from the disk is not offered, chosen before or not', () => {
  const gone = new Set(['/w/AGENTS.md', '/elsewhere/X.md']);
  const before = ['/w/AGENTS.md', '/elsewhere/X.md', '/elsewhere/Y.md'];
  const choices = sourceChoices({ folders: [one], complete: true }, before, path => !gone.has(path));
  assert.deepEqual(
    choices.map(({ path }) => path),
    ['/w/a b.context.md', '/elsewhere/Y.md'],
  );
});

test('context files that declare a block can be chosen, in load order, and none is chosen by itself', () => {
  assert.deepEqual(sourceChoices({ folders: [one], complete: true }, [], everyPath), [
    { path: '/w/AGENTS.md', label: 'AGENTS.md', blocks: ['a', 'b'], chosen: false },
    { path: '/w/a b.context.md', label: 'a b.context.md', blocks: ['d'], chosen: false },
  ]);
});

test('what was chosen the last time is chosen again, also a file that declares nothing now', () => {
  const choices = sourceChoices(
    { folders: [one], complete: true },
    ['/w/a b.context.md', '/elsewhere/X.md'],
    everyPath,
  );
  assert.deepEqual(
    choices.filter(({ chosen }) => chosen).map(({ path, label }) => [path, label]),
    [
      ['/w/a b.context.md', 'a b.context.md'],
      ['/elsewhere/X.md', '/elsewhere/X.md'],
    ],
  );
  assert.deepEqual(sourceChoices(undefined, ['/x'], everyPath), [
    { path: '/x', label: '/x', blocks: [], chosen: true },
  ]);
});

test('with more than one folder each file says in which one it lies, and only files of this machine are offered', () => {
  const remote = {
    ...folder('r', {}),
    sources: [{ uri: 'vscode-vfs://github/r/AGENTS.md', path: 'AGENTS.md', problemCount: 0, blocks: [block('a')] }],
  };
  const choices = sourceChoices(
    { folders: [one, folder('v', { 'AGENTS.md': [block('z')] }), remote], complete: true },
    [],
    everyPath,
  );
  assert.deepEqual(
    choices.map(({ label }) => label),
    ['w/AGENTS.md', 'w/a b.context.md', 'v/AGENTS.md'],
  );
});
