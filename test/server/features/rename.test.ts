import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ResponseError } from 'vscode-languageserver';
import type { Project } from '../../../server/check/project.ts';
import { prepareRename } from '../../../server/features/prepareRename.ts';
import { rename } from '../../../server/features/rename.ts';
import { CURSOR, edited, editsOf, LINE_ENDS, type Opened, open, project, projectOf, textOf, uriOf } from './fixture.ts';

const SUPPORT = { documentChanges: true, versionOf: () => null };

function refusal({ document, position }: Opened, newName: string, inProject: Project): string {
  try {
    rename(document, position, newName, inProject, SUPPORT);
  } catch (error) {
    assert.ok(error instanceof ResponseError);
    return error.message;
  }
  assert.fail('not refused');
}

test('prepare gives the ID; null on everything else, never an error', () => {
  const { document, position } = open(['x', `<!--/BLOCK_ID:a-${CURSOR}b-->`]);
  const prepared = prepareRename(document, position);
  assert.ok(prepared);
  assert.equal(textOf(document, prepared.range), 'a-b');
  assert.equal(prepared.placeholder, 'a-b');
  for (const line of [
    `# He${CURSOR}ading`,
    `<!--ephe${CURSOR}meral-->`,
    ` <!--BLOCK_ID:a${CURSOR}-->`,
    `\`<!--BLOCK_ID:a${CURSOR}-->\``,
  ]) {
    const off = open([line]);
    assert.equal(prepareRename(off.document, off.position), null, line);
  }
});

for (const lineEnd of LINE_ENDS) {
  test(`all lines of the ID in all sources change, and no other (${JSON.stringify(lineEnd)})`, () => {
    const inProject = project({
      'AGENTS.md': [],
      'x.prompt.md': ['', '<!--DISCARD_BLOCK:a-b-->', '<!--DISCARD_BLOCK:a-->'],
    });
    const { document, position } = open(
      [
        '😀',
        `<!--BLOCK_ID:a-b${CURSOR}-->`,
        'a-b',
        '<!--/BLOCK_ID:a-b-->',
        '<!--DISCARD_BLOCK:a-b-->',
        ' <!--BLOCK_ID:a-b-->',
      ],
      { lineEnd },
    );
    const edit = rename(document, position, 'new_id', inProject, SUPPORT);
    assert.deepEqual(edited(document, editsOf(edit, document.uri), lineEnd), [
      '😀',
      '<!--BLOCK_ID:new_id-->',
      'a-b',
      '<!--/BLOCK_ID:new_id-->',
      '<!--DISCARD_BLOCK:new_id-->',
      ' <!--BLOCK_ID:a-b-->',
    ]);
    const prompt = editsOf(edit, uriOf('x.prompt.md'));
    assert.deepEqual(prompt, [
      { range: { start: { line: 1, character: 18 }, end: { line: 1, character: 21 } }, newText: 'new_id' },
    ]);
  });
}

test('edits carry the version of open documents and null for closed files', () => {
  const inProject = project({
    'AGENTS.md': [],
    'CLAUDE.md': ['<!--DISCARD_BLOCK:a-->'],
    'GEMINI.md': ['<!--DISCARD_BLOCK:a-->'],
  });
  const { document, position } = open([`<!--BLOCK_ID:a${CURSOR}-->`]);
  const versionOf = (uri: string) => (uri === uriOf('CLAUDE.md') ? 3 : null);
  const edit = rename(document, position, 'b', inProject, { documentChanges: true, versionOf });
  assert.deepEqual(
    edit.documentChanges?.map(change => 'textDocument' in change && change.textDocument),
    [
      { uri: document.uri, version: 7 },
      { uri: uriOf('CLAUDE.md'), version: 3 },
      { uri: uriOf('GEMINI.md'), version: null },
    ],
  );
  assert.equal(edit.changes, undefined);
});

test('a client without documentChanges gets changes', () => {
  const opened = open([`<!--BLOCK_ID:a${CURSOR}-->`]);
  const edit = rename(opened.document, opened.position, 'b', projectOf(opened), { ...SUPPORT, documentChanges: false });
  assert.equal(edit.documentChanges, undefined);
  assert.deepEqual(edited(opened.document, editsOf(edit, opened.document.uri)), ['<!--BLOCK_ID:b-->']);
});

test('the same name changes nothing', () => {
  const opened = open([`<!--BLOCK_ID:a${CURSOR}-->`]);
  assert.deepEqual(rename(opened.document, opened.position, 'a', projectOf(opened), SUPPORT), { documentChanges: [] });
});

test('an illegal name is refused in one sentence', () => {
  const opened = open([`<!--BLOCK_ID:a${CURSOR}-->`]);
  for (const name of ['', 'A', 'a b', 'ä', 'a-->', 'a\n', ' a', 'a.b']) {
    assert.match(
      refusal(opened, name, projectOf(opened)),
      /^'[^\n]*' cannot be a block ID: use only the letters a to z, digits, '-' and '_'\.$/,
      JSON.stringify(name),
    );
  }
  assert.ok(refusal(opened, 'X'.repeat(10_000), projectOf(opened)).length < 200);
});

test('a taken name is refused and the place is named', () => {
  const inProject = project({ 'AGENTS.md': [], 'CLAUDE.md': ['', '<!--BLOCK_ID:far-->', '<!--/BLOCK_ID:far-->'] });
  const opened = open([`<!--BLOCK_ID:a${CURSOR}-->`, '<!--/BLOCK_ID:a-->', '<!--DISCARD_BLOCK:near-->']);
  assert.equal(
    refusal(opened, 'near', inProject),
    "Block ID 'near' is already used on line 3 of this file; choose another one.",
  );
  assert.equal(
    refusal(opened, 'far', inProject),
    "Block ID 'far' is already used in CLAUDE.md on line 2; choose another one.",
  );
});

test('a block of a file that is no context source is renamed there alone', () => {
  const inProject = project({ 'AGENTS.md': ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->', '<!--BLOCK_ID:b-->'] });
  const { document, position } = open([`<!--BLOCK_ID:a${CURSOR}-->`, '<!--/BLOCK_ID:a-->'], { path: 'notes.md' });
  const edit = rename(document, position, 'b', inProject, SUPPORT);
  assert.equal(edit.documentChanges?.length, 1);
  assert.deepEqual(edited(document, editsOf(edit, document.uri)), ['<!--BLOCK_ID:b-->', '<!--/BLOCK_ID:b-->']);
});

test('a discard in a file that is no context source renames the block in its sources as well', () => {
  const inProject = project({ 'AGENTS.md': ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'] });
  const { document, position } = open([`<!--DISCARD_BLOCK:a${CURSOR}-->`], { path: 'notes.md' });
  const edit = rename(document, position, 'b', inProject, SUPPORT);
  assert.equal(editsOf(edit, document.uri).length, 1);
  assert.equal(editsOf(edit, uriOf('AGENTS.md')).length, 2);
});

test('editor-bugs 37: a rename off an ID of ours is refused and replaces nothing', () => {
  for (const line of [
    `some te${CURSOR}xt`,
    `<!--ephe${CURSOR}meral-->`,
    `<!--BLOCK_ID:a${CURSOR} -->`,
    `<!--BLOCK_ID:😀a${CURSOR}-->`,
  ]) {
    const opened = open([line, '<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->']);
    assert.equal(refusal(opened, 'b', projectOf(opened)), 'Nothing was renamed: there is no block ID here.', line);
  }
});

test('editor-bugs 43: an untitled document has all single-file features', () => {
  const { document, position } = open([`<!--BLOCK_ID:a${CURSOR}-->`, '<!--/BLOCK_ID:a-->'], {
    uri: 'untitled:Untitled-1',
  });
  const edit = rename(document, position, 'b', project(), SUPPORT);
  assert.deepEqual(edited(document, editsOf(edit, document.uri)), ['<!--BLOCK_ID:b-->', '<!--/BLOCK_ID:b-->']);
});

test('editor-bugs 44: a notebook cell is a document of its own', () => {
  const uri = 'vscode-notebook-cell:/w/a.ipynb#W0sZmlsZQ==';
  const { document, position } = open([`<!--BLOCK_ID:a${CURSOR}-->`, '<!--/BLOCK_ID:a-->'], { uri });
  const edit = rename(document, position, 'b', project({ 'AGENTS.md': ['<!--BLOCK_ID:a-->'] }), SUPPORT);
  assert.deepEqual(
    edit.documentChanges?.map(change => 'textDocument' in change && change.textDocument.uri),
    [uri],
  );
});
