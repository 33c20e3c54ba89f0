import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Range } from 'vscode-languageserver-protocol';
import { isInScope, OpenDocuments } from '../../server/openDocuments.ts';
import { negotiateEncoding, type PositionEncoding } from '../../server/positionEncoding.ts';

const uri = 'file:///a.md';

function opened(text: string, encoding: PositionEncoding = 'utf-16') {
  const documents = new OpenDocuments(encoding);
  documents.open({ uri, languageId: 'markdown', version: 1, text });
  const document = documents.get(uri)!;
  return {
    document,
    edit: (range: Range, newText: string) => {
      documents.change({ textDocument: { uri, version: 2 }, contentChanges: [{ range, text: newText }] });
      return document.text.getText();
    },
  };
}

const range = (startLine: number, start: number, endLine: number, end: number): Range => ({
  start: { line: startLine, character: start },
  end: { line: endLine, character: end },
});

test('editor-bugs 13: the encoding is the first of the client’s list that we know, and utf-16 when there is none', () => {
  assert.equal(negotiateEncoding(['utf-32', 'utf-8']), 'utf-32');
  assert.equal(negotiateEncoding(['utf-7', 'utf-8', 'utf-16']), 'utf-8');
  assert.equal(negotiateEncoding(['utf-16', 'utf-8']), 'utf-16');
  assert.equal(negotiateEncoding(['ebcdic']), 'utf-16');
  assert.equal(negotiateEncoding([]), 'utf-16');
  assert.equal(negotiateEncoding(undefined), 'utf-16');
});

for (const [name, lineEnd] of [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
] as const) {
  test(`editor-bugs 1, 4, 7: lines ended by ${name} are counted and edited at their boundaries`, () => {
    const { document, edit } = opened(['one', 'two', '', 'four'].join(lineEnd));
    assert.deepEqual(document.positionAt(document.text.getText().indexOf('four')), { line: 3, character: 0 });
    assert.equal(edit(range(0, 3, 1, 0), ''), ['onetwo', '', 'four'].join(lineEnd));
    assert.equal(edit(range(1, 0, 2, 0), 'x'), `onetwo${lineEnd}xfour`);
    assert.equal(edit(range(0, 6, 0, 6), lineEnd), `onetwo${lineEnd}${lineEnd}xfour`);
    assert.deepEqual(document.positionAt(document.text.getText().length), { line: 2, character: 5 });
  });
}

test('editor-bugs 4: all three line ends in one text', () => {
  const { document, edit } = opened('a\nb\r\nc\rd');
  assert.equal(document.positionAt(7).line, 3);
  assert.equal(edit(range(2, 1, 3, 0), '\n'), 'a\nb\r\nc\nd');
  // The new line feed joins the carriage return before it.
  assert.equal(opened('a\rb').edit(range(1, 0, 1, 0), '\n'), 'a\r\nb');
});

test('editor-bugs 2: U+2028, U+2029 and U+0085 end no line', () => {
  const { document } = opened('a\u2028b\u2029c\u0085d\n<!--ephemeral-->');
  assert.deepEqual(document.positionAt(8), { line: 1, character: 0 });
  assert.equal(document.outline.declarations.length, 1);
});

for (const encoding of ['utf-8', 'utf-16', 'utf-32'] as const) {
  test(`editor-bugs 5: places outside the text are moved inside, in ${encoding}`, () => {
    const { document, edit } = opened('ab\r\ncd', encoding);
    assert.equal(document.offsetAt({ line: 0, character: 99 }), 2);
    assert.equal(document.offsetAt({ line: 0, character: 3 }), 2);
    assert.equal(document.offsetAt({ line: 99, character: 0 }), 6);
    assert.equal(document.offsetAt({ line: 0, character: -1 }), 0);
    assert.equal(document.offsetAt({ line: -1, character: 1 }), 0);
    assert.equal(edit(range(50, 0, 51, 7), '\nend'), 'ab\r\ncd\nend');
    assert.deepEqual(document.positionAt(10), { line: 2, character: 3 });
    assert.equal(edit(range(2, 9, 2, 0), ''), 'ab\r\ncd\n');
  });
}

test('editor-bugs 11, 14: wide characters count as the encoding says, a tab counts one', () => {
  const line = '\té漢👩<';
  const expected = { 'utf-8': 1 + 2 + 3 + 4, 'utf-16': 1 + 1 + 1 + 2, 'utf-32': 1 + 1 + 1 + 1 };
  for (const encoding of ['utf-8', 'utf-16', 'utf-32'] as const) {
    const { document } = opened(`x\n${line}`, encoding);
    const place = { line: 1, character: expected[encoding] };
    assert.deepEqual(document.positionAt(2 + line.indexOf('<')), place, encoding);
    assert.equal(document.offsetAt(place), 2 + line.indexOf('<'), encoding);
  }
});

test('a unit inside a character leads to the start of that character', () => {
  assert.equal(opened('a漢b', 'utf-8').document.offsetAt({ line: 0, character: 2 }), 1);
  assert.equal(opened('a👩b', 'utf-8').document.offsetAt({ line: 0, character: 4 }), 1);
  // Half a pair, which only UTF-16 can name.
  assert.deepEqual(opened('a👩b', 'utf-32').document.positionAt(2), { line: 0, character: 1 });
});

test('places on one very long line are counted from one another, forwards and backwards', () => {
  const text = `${'é'.repeat(1000)}x${'漢'.repeat(1000)}`;
  const { document } = opened(text, 'utf-8');
  const offsets = [2001, 1001, 1000, 1500, 3, 0, 1999];
  const units = (offset: number) => Buffer.byteLength(text.slice(0, offset));
  assert.deepEqual(
    offsets.map(offset => document.positionAt(offset).character),
    offsets.map(units),
  );
});

test('several changes of one notification apply one after another, and the whole text can be replaced', () => {
  const documents = new OpenDocuments('utf-16');
  documents.open({ uri, languageId: 'markdown', version: 1, text: 'abc' });
  const document = documents.get(uri)!;
  const contentChanges = [
    { range: range(0, 0, 0, 1), text: '' },
    { range: range(0, 0, 0, 1), text: 'X' },
  ];
  documents.change({ textDocument: { uri, version: 5 }, contentChanges });
  assert.equal(document.text.getText(), 'Xc');
  assert.equal(document.version, 5);
  documents.change({ textDocument: { uri, version: 6 }, contentChanges: [{ text: '<!--ephemeral-->' }] });
  assert.equal(document.outline.declarations.length, 1);
});

test('editor-bugs 46: the language decides, never the name; all other schemes are left alone', () => {
  for (const languageId of ['markdown', 'prompt', 'instructions', 'chatagent', 'skill', 'context-markdown']) {
    assert.ok(isInScope('file:///x.txt', languageId), languageId);
  }
  assert.ok(!isInScope('file:///AGENTS.md', 'plaintext'));
  assert.ok(isInScope('untitled:Untitled-1', 'markdown'));
  assert.ok(isInScope('vscode-notebook-cell:/a/b.ipynb#W0sZmlsZQ', 'markdown'));
  assert.ok(!isInScope('git:/a/AGENTS.md?%7B%22ref%22%3A%22HEAD%22%7D', 'markdown'));
  assert.ok(!isInScope('output:x', 'markdown'));
  assert.ok(!isInScope('no uri at all', 'markdown'));
});

test('editor-bugs 41, 47, 49: a key is the whole URI, whatever way it is written', () => {
  const documents = new OpenDocuments('utf-16');
  const open = (uri: string, text: string) =>
    documents.open({ uri, languageId: 'markdown', version: 1, text })!.text.getText();
  open('file:///D:/Work/a%20b.md', 'drive');
  open('vscode-notebook-cell:/n.ipynb#CellA', 'upper');
  open('vscode-notebook-cell:/n.ipynb#cella', 'lower');
  open('vscode-vfs://github/n.md', 'remote');
  open('file:///n.md', 'local');
  const textOf = (uri: string) => documents.get(uri)?.text.getText();
  assert.equal(textOf('file:///d%3A/Work/a b.md'), 'drive');
  assert.equal(textOf('file:///d:/work/a%20b.md'), undefined);
  assert.equal(textOf('vscode-notebook-cell:/n.ipynb#CellA'), 'upper');
  assert.equal(textOf('vscode-notebook-cell:/n.ipynb#cella'), 'lower');
  assert.equal(textOf('vscode-vfs://github/n.md'), 'remote');
  assert.equal(textOf('file:///n.md'), 'local');
});
