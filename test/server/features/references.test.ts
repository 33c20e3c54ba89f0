import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentHighlight } from '../../../server/features/documentHighlight.ts';
import { references } from '../../../server/features/references.ts';
import { CURSOR, open, project, projectOf, textOf } from './fixture.ts';

const FILES = {
  'AGENTS.md': ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'],
  'x.prompt.md': ['text', '<!--DISCARD_BLOCK:a-->', '<!--DISCARD_BLOCK:b-->'],
};

test('references in all sources, with and without the declaration', () => {
  const { document, position } = open([`<!--BLOCK_ID:${CURSOR}a-->`, '<!--/BLOCK_ID:a-->']);
  const places = (includeDeclaration: boolean) =>
    references(document, position, project(FILES), { includeDeclaration }).map(
      ({ uri, range }) => `${uri}:${range.start.line}:${range.start.character}-${range.end.character}`,
    );
  assert.deepEqual(places(true), [
    'file:///w/AGENTS.md:0:13-14',
    'file:///w/AGENTS.md:1:14-15',
    'file:///w/x.prompt.md:1:18-19',
  ]);
  assert.deepEqual(places(false), ['file:///w/AGENTS.md:1:14-15', 'file:///w/x.prompt.md:1:18-19']);
});

test("what is known of the document comes from its text, not from the project's older copy", () => {
  const { document, position } = open(['', '', `<!--BLOCK_ID:${CURSOR}a-->`]);
  const found = references(document, position, project(FILES), { includeDeclaration: true });
  assert.deepEqual(
    found.map(({ uri, range }) => `${uri}:${range.start.line}`),
    ['file:///w/AGENTS.md:2', 'file:///w/x.prompt.md:1'],
  );
});

test('editor-bugs 49: another spelling of the same URI is the same document', () => {
  const opened = open([`<!--BLOCK_ID:${CURSOR}a-->`, '<!--/BLOCK_ID:a-->'], { uri: 'file:///w/AGENTS%2Emd' });
  const found = references(opened.document, opened.position, project(FILES), { includeDeclaration: true });
  assert.equal(found.length, 3);
});

test('editor-bugs 47: documents that differ by fragment only are two documents', () => {
  const uri = 'vscode-notebook-cell:/w/a.ipynb#X1';
  const cell = open([`<!--BLOCK_ID:${CURSOR}a-->`, '<!--/BLOCK_ID:a-->'], { uri });
  const other = open(['<!--BLOCK_ID:a-->'], { uri: 'vscode-notebook-cell:/w/a.ipynb#x1' });
  const found = references(cell.document, cell.position, projectOf(other), { includeDeclaration: true });
  assert.equal(found.length, 3);
});

test('editor-bugs 41: both sides of a diff share a path and are two documents', () => {
  const other = open([`<!--BLOCK_ID:${CURSOR}a-->`], { uri: 'vscode-vfs://github/w/AGENTS.md' });
  const found = references(other.document, other.position, project(FILES), { includeDeclaration: true });
  assert.deepEqual(
    [...new Set(found.map(({ uri }) => uri))],
    ['vscode-vfs://github/w/AGENTS.md', 'file:///w/AGENTS.md', 'file:///w/x.prompt.md'],
  );
});

test('empty off our lines', () => {
  const { document, position } = open([`${CURSOR}text`, '<!--BLOCK_ID:a-->']);
  assert.deepEqual(references(document, position, project(FILES), { includeDeclaration: true }), []);
  assert.deepEqual(documentHighlight(document, position), []);
});

test('highlights all three kinds of line; the opening writes, the others read', () => {
  const { document, position } = open([
    '😀',
    '<!--BLOCK_ID:a-b-->',
    `<!--/BLOCK_ID:a-b${CURSOR}-->`,
    '<!--DISCARD_BLOCK:a-b-->',
    '<!--DISCARD_BLOCK:a-->',
    '<!--BLOCK_ID:a-b -->',
  ]);
  const found = documentHighlight(document, position);
  assert.deepEqual(
    found.map(({ range, kind }) => [range.start.line, textOf(document, range), kind]),
    [
      [1, 'a-b', 3],
      [2, 'a-b', 2],
      [3, 'a-b', 2],
    ],
  );
});
