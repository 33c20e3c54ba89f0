import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idRange, isBlockId, readDeclaration, tagLine } from '../../protocol/lifecycle/declaration.ts';
import { outlineDocument, parseDocument } from '../../protocol/lifecycle/document.ts';
import { ordinaryLines } from './ordinaryLines.ts';

function kinds(text: string): readonly string[] {
  return outlineDocument(text).declarations.map(({ kind, id }) => `${kind} ${id}`.trim());
}

test('V1: Grammar: only these complete lines are executable declarations', () => {
  const text = '<!--ephemeral-->\n<!--BLOCK_ID:block_id-->\n<!--/BLOCK_ID:block_id-->\n<!--DISCARD_BLOCK:block_id-->\n';
  assert.deepEqual(kinds(text), ['ephemeral', 'opening block_id', 'closing block_id', 'discard block_id']);
  for (const line of [
    '<!--EPHEMERAL-->',
    '<!--BLOCK_ID-->',
    '<!--/DISCARD_BLOCK:a-->',
    '<!--/ephemeral-->',
    ...ordinaryLines,
  ]) {
    assert.deepEqual(kinds(line), [], line);
  }
});

test('V1: Grammar: block_id matches [a-z0-9_-]+', () => {
  for (const id of [
    'a',
    '0',
    '_',
    '-',
    '--',
    'a-',
    '-a',
    'phase-1_b',
    '__proto__',
    'constructor',
    'tostring',
    'a'.repeat(500),
  ]) {
    assert.ok(isBlockId(id));
    assert.deepEqual(kinds(`<!--BLOCK_ID:${id}-->`), [`opening ${id}`]);
    assert.deepEqual(kinds(tagLine('discard', id)), [`discard ${id}`]);
  }
  for (const id of [
    '',
    'A',
    'a b',
    'a.b',
    'a/b',
    'a:b',
    'é',
    'а',
    'a\u200b',
    'a\n',
    '１',
    '\u0660',
    'ſ',
    'K',
    '{',
    '`',
    '/',
    ':',
    '@',
    '[',
  ]) {
    assert.equal(isBlockId(id), false, id);
    assert.deepEqual(kinds(`<!--BLOCK_ID:${id}-->`), [], id);
    assert.deepEqual(kinds(`<!--/BLOCK_ID:${id}-->`), [], id);
    assert.deepEqual(kinds(`<!--DISCARD_BLOCK:${id}-->`), [], id);
  }
});

test('V1: Grammar: the ID keeps the dashes that are its own', () => {
  const declaration = readDeclaration('<!--BLOCK_ID:a---->', 0);
  assert.equal(declaration?.id, 'a--');
  assert.deepEqual(declaration && idRange(declaration), { start: 13, end: 16 });
});

test('V1: Grammar: tag names are case-sensitive', () => {
  for (const line of [
    '<!--Ephemeral-->',
    '<!--block_id:a-->',
    '<!--Block_ID:a-->',
    '<!--/block_id:a-->',
    '<!--discard_block:a-->',
  ]) {
    assert.deepEqual(kinds(line), [], line);
  }
});

test('V1: Grammar: a tag line has no leading or trailing characters', () => {
  for (const blank of [
    ' ',
    '\t',
    '\u00a0',
    '\u200b',
    '\ufeff',
    '\u2028',
    '\u0085',
    '\v',
    '\f',
    '\0',
    'x',
    '>',
    '-->',
  ]) {
    for (const line of ['<!--ephemeral-->', '<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->', '<!--DISCARD_BLOCK:a-->']) {
      assert.deepEqual(kinds(blank + line), [], JSON.stringify(blank + line));
      assert.deepEqual(kinds(line + blank), [], JSON.stringify(line + blank));
    }
  }
});

test('V1: Grammar: its comment contains no spaces or tabs', () => {
  for (const line of [
    '<!-- ephemeral-->',
    '<!--ephemeral -->',
    '<!--\tephemeral-->',
    '<!--BLOCK_ID: a-->',
    '<!--BLOCK_ID :a-->',
    '<!--BLOCK_ID:a -->',
    '<!--/ BLOCK_ID:a-->',
  ]) {
    assert.deepEqual(kinds(line), [], line);
  }
});

test('V1: Grammar: a parser must not trim, normalise, fuzzy-match or repair a line before matching it', () => {
  const text =
    ' <!--BLOCK_ID:a-->\n<!--BLOCK_ID:\u00e9-->\n<!--BLOCK_ID:e\u0301-->\n<!--BLOCK-ID:a-->\n<!--BLOCK_ID:a->\n';
  const parsed = parseDocument(text);
  assert.deepEqual(parsed.blocks, []);
  assert.equal(parsed.ordinaryMarkdown, text);
  assert.equal(parsed.problems.length, 5);
});

test('V1: Grammar: a malformed lifecycle-like comment is ordinary Markdown; an implementation may also report a diagnostic', () => {
  const { ephemeral, ordinaryMarkdown, problems } = parseDocument('<!-- ephemeral -->\n');
  assert.equal(ephemeral, false);
  assert.equal(ordinaryMarkdown, '<!-- ephemeral -->\n');
  assert.deepEqual(problems, [
    {
      code: 'malformed-tag',
      line: 1,
      range: { start: 4, end: 5 },
      message: 'A tag holds no blanks or unseen characters, but U+0020 SPACE stands before its word.',
      reason: 'blank-inside',
      fix: {
        title: "Change the line to '<!--ephemeral-->'",
        mechanical: true,
        changes: [{ range: { start: 0, end: 18 }, newText: '<!--ephemeral-->' }],
      },
    },
  ]);
});

test('V1: Grammar: an ordinary HTML comment has no lifecycle meaning', () => {
  const text = '<!-- note -->\n<!--\nephemeral\n-->\n';
  assert.deepEqual(parseDocument(text), {
    ephemeral: false,
    blocks: [],
    discards: [],
    ordinaryMarkdown: text,
    problems: [],
  });
});

test('V1: Grammar: blocks cannot nest', () => {
  const { blocks, problems } = parseDocument(
    '<!--BLOCK_ID:a-->\n<!--BLOCK_ID:b-->\n<!--/BLOCK_ID:b-->\n<!--/BLOCK_ID:a-->\n',
  );
  assert.deepEqual(blocks, []);
  assert.deepEqual(
    problems.map(({ code, line }) => `${code} ${line}`),
    ['nested-block 2', 'mismatched-block-end 3'],
  );
});

test('V1: Grammar: a document cannot define the same block ID twice', () => {
  const block = '<!--BLOCK_ID:a-->\nx\n<!--/BLOCK_ID:a-->\n';
  const { blocks, problems, ordinaryMarkdown } = parseDocument(block + block);
  assert.deepEqual(blocks, []);
  assert.equal(ordinaryMarkdown, block + block);
  assert.deepEqual(
    problems.map(({ code, line, related }) => `${code} ${line} ${related?.length}`),
    ['duplicate-block-id 4 1'],
  );
});

test('V1: Grammar: a closing ID must exactly equal its opening ID', () => {
  const { blocks, problems } = parseDocument('<!--BLOCK_ID:a-->\n<!--/BLOCK_ID:b-->\n<!--/BLOCK_ID:a-->\n');
  assert.deepEqual(blocks, []);
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['mismatched-block-end'],
  );
});

test('V1: Grammar: an invalid block definition is ordinary Markdown and activates nothing', () => {
  for (const text of [
    '<!--BLOCK_ID:a-->\nnever closed\n',
    '<!--/BLOCK_ID:a-->\nnever opened\n',
    '<!--BLOCK_ID:A-->\nx\n<!--/BLOCK_ID:A-->\n',
  ]) {
    const { blocks, ordinaryMarkdown, problems } = parseDocument(text);
    assert.deepEqual(blocks, []);
    assert.equal(ordinaryMarkdown, text);
    assert.ok(problems.length > 0);
  }
});

test('editor-bugs 1, 4, 7: the same blocks at the same lines with LF, CRLF, CR and all three mixed', () => {
  const lines = ['# a', '<!--BLOCK_ID:a-->', '😀 漢', 'x', '<!--/BLOCK_ID:a-->', '<!--DISCARD_BLOCK:b-->', ''];
  const ends = ['\n', '\r\n', '\r'];
  const joined = [
    ...ends.map(end => lines.join(end)),
    lines.map((line, index) => line + (ends[index % 3] ?? '')).join(''),
  ];
  for (const text of joined) {
    const { blocks, discards } = parseDocument(text);
    assert.deepEqual(
      blocks.map(({ id, startLine, endLine }) => ({ id, startLine, endLine })),
      [{ id: 'a', startLine: 2, endLine: 5 }],
    );
    assert.deepEqual(discards, [{ blockId: 'b', line: 6 }]);
  }
});
