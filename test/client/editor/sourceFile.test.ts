import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSourceOf, sourceFile, sourcePath } from '../../../client/editor/sourceFile.ts';

test('a whole path is itself, another one lies in the working folder of the session', () => {
  assert.equal(sourceFile('/w/AGENTS.md', '/else', 'posix'), '/w/AGENTS.md');
  assert.equal(sourceFile('docs/a.md', '/w', 'posix'), '/w/docs/a.md');
  assert.equal(sourceFile('./docs/../a.md', '/w/', 'posix'), '/w/a.md');
  assert.equal(sourceFile('../a.md', '/w/x', 'posix'), '/w/a.md');
});

test('a relative name without a whole working folder means no file, nor does an empty or broken name', () => {
  assert.equal(sourceFile('a.md', undefined, 'posix'), undefined);
  assert.equal(sourceFile('a.md', 'w', 'posix'), undefined);
  assert.equal(sourceFile('', '/w', 'posix'), undefined);
  assert.equal(sourceFile('a\0.md', '/w', 'posix'), undefined);
});

test('on Windows both slashes and both cases are the same file', () => {
  const file = sourceFile('C:\\Work\\AGENTS.md', undefined, 'windows');
  assert.equal(file, 'c:\\work\\agents.md');
  for (const [name, cwd] of [
    ['c:/work/AGENTS.MD', undefined],
    ['AGENTS.md', 'C:\\Work'],
    ['.\\x\\..\\AGENTS.md', 'c:/work'],
    ['/Work/AGENTS.md', 'C:\\somewhere'],
  ] as const) {
    assert.equal(sourceFile(name, cwd, 'windows'), file, name);
  }
  assert.notEqual(sourceFile('D:\\Work\\AGENTS.md', 'C:\\Work', 'windows'), file);
  assert.equal(sourceFile('\\\\Server\\share\\a.md', 'C:\\Work', 'windows'), '\\\\server\\share\\a.md');
});

test('elsewhere the case and a backslash are part of a name', () => {
  assert.equal(sourceFile('a\\b.md', '/w', 'posix'), '/w/a\\b.md');
  assert.equal(isSourceOf('/w/AGENTS.md', '/w', 'posix')('agents.md'), false);
});

test('a file is known by each of its names, and by none of another', () => {
  const isThis = isSourceOf('/w/AGENTS.md', '/w', 'posix');
  assert.deepEqual(['AGENTS.md', '/w/AGENTS.md', './AGENTS.md'].map(isThis), [true, true, true]);
  assert.deepEqual(['tool:read_issue', 'user', '/w/x/AGENTS.md', '/w/AGENTS.md.bak', ''].map(isThis), [
    false,
    false,
    false,
    false,
    false,
  ]);
  assert.equal(isThis('AGENTS.md'), true);
});

test('a path to open keeps its letters', () => {
  assert.equal(sourcePath('Docs/A.md', 'C:\\Work', 'windows'), 'C:\\Work\\Docs\\A.md');
  assert.equal(sourcePath('tool:read', undefined, 'posix'), undefined);
});
