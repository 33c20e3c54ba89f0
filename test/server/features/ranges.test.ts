import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SelectionRange } from 'vscode-languageserver';
import { foldingRange } from '../../../server/features/foldingRange.ts';
import { linkedEditingRange } from '../../../server/features/linkedEditingRange.ts';
import { selectionRange } from '../../../server/features/selectionRange.ts';
import { CURSOR, LINE_ENDS, type Opened, open, textOf } from './fixture.ts';

const LINES = { lineFoldingOnly: true, region: true, limit: 100 };

test('one region for each closed block, spoilt ones too; none for an open one', () => {
  const { document } = open([
    '# A',
    '<!--BLOCK_ID:a-->',
    '<!--/BLOCK_ID:x-->',
    '<!--/BLOCK_ID:a-->',
    '<!--BLOCK_ID:b-->',
    'x',
  ]);
  assert.deepEqual(foldingRange(document, LINES), [{ startLine: 1, endLine: 3, kind: 'region' }]);
  assert.deepEqual(foldingRange(document, { lineFoldingOnly: false, region: false, limit: 100 }), [
    { startLine: 1, endLine: 3, startCharacter: 17, endCharacter: 18 },
  ]);
});

test('no more folds than the client takes', () => {
  const { document } = open(
    Array.from({ length: 9 }, (_, number) => [`<!--BLOCK_ID:b${number}-->`, `<!--/BLOCK_ID:b${number}-->`]).flat(),
  );
  assert.equal(foldingRange(document, { ...LINES, limit: 4 }).length, 4);
});

function selections({ document, position }: Opened): readonly string[] {
  const texts: string[] = [];
  for (let at: SelectionRange | undefined = selectionRange(document, [position])[0]; at; at = at.parent) {
    texts.push(textOf(document, at.range));
  }
  return texts;
}

for (const lineEnd of LINE_ENDS) {
  test(`selection grows from ID to line, block and document (${JSON.stringify(lineEnd)})`, () => {
    const lines = ['# 😀', `<!--BLOCK_ID:a${CURSOR}-b-->`, 'x', '<!--/BLOCK_ID:a-b-->', 'z'];
    const clean = lines.map(line => line.replace(CURSOR, ''));
    assert.deepEqual(selections(open(lines, { lineEnd })), [
      'a-b',
      '<!--BLOCK_ID:a-b-->',
      clean.slice(1, 4).join(lineEnd),
      clean.join(lineEnd),
    ]);
  });
}

test('in the content: content, block, document; a discard there starts at its ID', () => {
  const block = ['<!--BLOCK_ID:a-->', 'some text', '<!--DISCARD_BLOCK:q-->', '<!--/BLOCK_ID:a-->'];
  const content = 'some text\n<!--DISCARD_BLOCK:q-->\n';
  const prose = open(['<!--BLOCK_ID:a-->', `some${CURSOR} text`, ...block.slice(2)]);
  assert.deepEqual(selections(prose), [content, block.join('\n')]);
  const discard = open([...block.slice(0, 2), `<!--DISCARD_BLOCK:q${CURSOR}-->`, '<!--/BLOCK_ID:a-->', '']);
  const whole = block.join('\n');
  assert.deepEqual(selections(discard), ['q', '<!--DISCARD_BLOCK:q-->', content, whole, `${whole}\n`]);
});

test('every position gets an answer, also outside all blocks', () => {
  const { document } = open(['a', 'b']);
  const answers = selectionRange(document, [
    { line: 0, character: 0 },
    { line: 99, character: 99 },
  ]);
  assert.deepEqual(
    answers.map(({ range, parent }) => [textOf(document, range), parent]),
    [
      ['a\nb', undefined],
      ['a\nb', undefined],
    ],
  );
});

function linked({ document, position }: Opened): readonly string[] | null {
  const found = linkedEditingRange(document, position);
  return found && found.ranges.map(range => `${range.start.line}:${textOf(document, range)}`);
}

test('editor-bugs 38: the IDs of an exact pair are linked, and only characters of an ID keep the link', () => {
  const opened = open(['<!--BLOCK_ID:a-b-->', 'x', `<!--/BLOCK_ID:${CURSOR}a-b-->`]);
  assert.deepEqual(linked(opened), ['0:a-b', '2:a-b']);
  const pattern = new RegExp(`^${linkedEditingRange(opened.document, opened.position)?.wordPattern}$`);
  assert.ok(pattern.test('a-b_9'));
  assert.ok(!pattern.test('a b') && !pattern.test('A'));
});

test('editor-bugs 38: nothing is linked unless exactly one opening and one closing match', () => {
  const cases: readonly (readonly string[])[] = [
    [`<!--BLOCK_ID:a${CURSOR}-->`, 'x'],
    [`<!--BLOCK_ID:a${CURSOR}-->`, '<!--/BLOCK_ID:b-->'],
    [`<!--BLOCK_ID:a${CURSOR} -->`, '<!--/BLOCK_ID:a-->'],
    [`<!--BLOCK_ID:a${CURSOR}-->`, '<!--/BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'],
    [`<!--BLOCK_ID:a${CURSOR}-->`, '<!--/BLOCK_ID:a-->', '<!--BLOCK_ID:a-->'],
    ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->', `<!--DISCARD_BLOCK:a${CURSOR}-->`],
    [`<!--BLO${CURSOR}CK_ID:a-->`, '<!--/BLOCK_ID:a-->'],
    [`text ${CURSOR}`, '<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'],
    [`<!--ephemeral${CURSOR}-->`],
  ];
  for (const lines of cases) {
    assert.equal(linked(open(lines)), null, lines.join(' | '));
  }
});
