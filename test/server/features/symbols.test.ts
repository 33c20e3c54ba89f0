import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentSymbol, SymbolInformation } from 'vscode-languageserver';
import { documentSymbol } from '../../../server/features/documentSymbol.ts';
import { MAX_WORKSPACE_SYMBOLS, workspaceSymbol } from '../../../server/features/workspaceSymbol.ts';
import { LINE_ENDS, open, project, textOf } from './fixture.ts';

for (const lineEnd of LINE_ENDS) {
  test(`editor-bugs 31, 32: blocks only, never headings or comments (${JSON.stringify(lineEnd)})`, () => {
    const { document } = open(
      [
        '# Heading',
        '<!--',
        '# In a comment',
        '-->',
        '<!--BLOCK_ID:a-b-->',
        '## Inside',
        '<!--/BLOCK_ID:a-b-->',
        '<!--DISCARD_BLOCK:a-b-->',
        '<!--ephemeral-->',
      ],
      { lineEnd },
    );
    const [symbol, ...others] = documentSymbol(document, { hierarchical: true }) as DocumentSymbol[];
    assert.ok(symbol);
    assert.deepEqual(others, []);
    assert.equal(symbol.name, 'a-b');
    assert.equal(symbol.detail, '1 line');
    assert.equal(textOf(document, symbol.selectionRange), 'a-b');
    assert.deepEqual(
      [symbol.range.start, symbol.range.end],
      [
        { line: 4, character: 0 },
        { line: 6, character: 20 },
      ],
    );
  });
}

test('a symbol says when its block is not closed or not valid', () => {
  const { document } = open([
    '<!--BLOCK_ID:a-->',
    '<!--/BLOCK_ID:x-->',
    '<!--/BLOCK_ID:a-->',
    '<!--BLOCK_ID:b-->',
    'text',
  ]);
  const symbols = documentSymbol(document, { hierarchical: true }) as DocumentSymbol[];
  assert.deepEqual(
    symbols.map(({ name, detail, range }) => [name, detail, range.start.line, range.end.line]),
    [
      ['a', '1 line, not valid', 0, 2],
      ['b', 'not closed', 3, 3],
    ],
  );
});

test('a client without hierarchy gets flat symbols', () => {
  const { document } = open(['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->']);
  const symbols = documentSymbol(document, { hierarchical: false }) as SymbolInformation[];
  assert.deepEqual(
    symbols.map(({ name, location }) => [name, location.uri, location.range.end.line]),
    [['a', document.uri, 1]],
  );
});

test('workspace symbols: characters in order, letter case aside, best fits first', () => {
  const workspace = project({
    'AGENTS.md': ['<!--BLOCK_ID:b-u-i-l-d-->', '<!--/BLOCK_ID:b-u-i-l-d-->', '<!--DISCARD_BLOCK:build-->'],
    'CLAUDE.md': ['<!--BLOCK_ID:re-build-->', '<!--BLOCK_ID:dlo-->', '<!--BLOCK_ID:build-rules-->'],
  });
  const found = workspaceSymbol('Build', [workspace]);
  assert.deepEqual(
    found.map(({ name, containerName, location }) => [name, containerName, location.range.start.line]),
    [
      ['build-rules', 'CLAUDE.md', 2],
      ['re-build', 'CLAUDE.md', 0],
      ['b-u-i-l-d', 'AGENTS.md', 0],
    ],
  );
  assert.equal(workspaceSymbol('', [workspace]).length, 4);
  assert.deepEqual(workspaceSymbol('zz', [workspace]), []);
});

test('workspace symbols are bounded, and a good fit is found behind many poor ones', () => {
  const many = Array.from({ length: 2000 }, (_, number) => `<!--BLOCK_ID:x-${number}y-->`);
  const workspace = project({ 'AGENTS.md': many, 'CLAUDE.md': ['<!--BLOCK_ID:xy-->'] });
  const found = workspaceSymbol('xy', [workspace]);
  assert.equal(found.length, MAX_WORKSPACE_SYMBOLS);
  assert.equal(found[0]?.name, 'xy');
});
