import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDeclaration } from '../../protocol/lifecycle/declaration.ts';
import { outlineDocument } from '../../protocol/lifecycle/document.ts';
import { READING_ORDER } from '../../protocol/lifecycle/nearMiss/flaw.ts';
import { NEAR_MISS_REASONS, type Problem } from '../../protocol/lifecycle/problem.ts';
import { renderMessage } from '../../protocol/lifecycle/text.ts';
import { rows as aroundRows } from './nearMissRows/around.ts';
import { rows as commentRows } from './nearMissRows/comment.ts';
import { rows as idRows } from './nearMissRows/id.ts';
import type { NearMissRow } from './nearMissRows/row.ts';
import { rows as wordRows } from './nearMissRows/word.ts';

const table: Readonly<Record<string, readonly NearMissRow[]>> = {
  ...aroundRows,
  ...commentRows,
  ...wordRows,
  ...idRows,
};

/** The text without its marks, and the marked range. */
function unmark(marked: string): { line: string; start: number; end: number } {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  assert.ok(start >= 0 && end >= start, marked);
  return { line: marked.replace('«', '').replace('»', ''), start, end };
}

function nearMissesOf(text: string): readonly Problem[] {
  return outlineDocument(text).problems.filter(({ code }) => code === 'malformed-tag');
}

function applyFix(text: string, { fix }: Problem): string | undefined {
  return fix?.changes.reduceRight(
    (fixed, { range, newText }) => fixed.slice(0, range.start) + newText + fixed.slice(range.end),
    text,
  );
}

test('the table holds every reason', () => {
  assert.deepEqual(Object.keys(table).sort(), [...NEAR_MISS_REASONS].sort());
  assert.ok(Object.values(table).flat().length >= 150);
});

test('the reading order holds every reason once', () => {
  assert.deepEqual([...READING_ORDER].sort(), [...NEAR_MISS_REASONS].sort());
});

for (const [reason, rows] of Object.entries(table)) {
  test(`near miss: ${reason}: range, words and repair of ${rows.length} lines`, () => {
    for (const row of rows) {
      checkRow(reason, row, '', '');
    }
  });
}

for (const [name, lineEnd] of [
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
] as const) {
  test(`editor-bugs 4, 7, 11: near misses keep their range and repair between ${name} lines with emoji`, () => {
    for (const [reason, rows] of Object.entries(table)) {
      for (const row of rows) {
        checkRow(reason, row, `😀 first${lineEnd}${lineEnd}`, `${lineEnd}last 漢字${lineEnd}`, lineEnd);
      }
    }
  });
}

function checkRow(reason: string, row: NearMissRow, before: string, after: string, lineEnd = '\n'): void {
  const [marked, says, fixed, repair] = row;
  const { line, start, end } = unmark(marked);
  const text = before + line + after;
  const problems = nearMissesOf(text);
  const [problem] = problems;
  assert.ok(problem && problems.length === 1, `one near miss in ${JSON.stringify(text)}`);
  assert.equal(problem.reason, reason, JSON.stringify(line));
  assert.deepEqual(problem.range, { start: before.length + start, end: before.length + end }, JSON.stringify(line));
  assert.ok(renderMessage(problem.message).includes(says), `${renderMessage(problem.message)} says ${says}`);
  const expected = fixed === undefined ? undefined : before + fixed.replaceAll('\n', lineEnd) + after;
  assert.equal(applyFix(text, problem), expected, JSON.stringify(line));
  assert.equal(problem.fix ? (problem.fix.mechanical ? 'plain' : 'guess') : 'none', repair, JSON.stringify(line));
  if (expected !== undefined) {
    const exact = expected
      .slice(before.length)
      .split(/\r\n|\r|\n/)
      .some(piece => readDeclaration(piece, 0));
    assert.ok(exact, `${JSON.stringify(expected)} holds an exact tag line`);
    assert.equal(outlineDocument(expected).declarations.length > outlineDocument(text).declarations.length, true);
  }
}

test('editor-bugs 14: a tab before a tag is named, is one unit wide, and no automatic repair makes an example live', () => {
  const [problem] = nearMissesOf('\t<!--ephemeral-->');
  assert.match(renderMessage(problem!.message), /U\+0009 TAB/);
  assert.deepEqual(problem!.range, { start: 0, end: 1 });
  assert.equal(problem!.fix?.mechanical, false);
});

test('editor-bugs 2: U+2028 and U+2029 end no line, so a tag behind one is a near miss', () => {
  for (const separator of ['\u2028', '\u2029', '\u0085', '\u000b', '\f']) {
    const text = `a${separator}<!--BLOCK_ID:x-->${separator}b\n<!--ephemeral-->`;
    const { declarations } = outlineDocument(text);
    assert.deepEqual(
      declarations.map(({ range }) => range.start),
      [text.lastIndexOf('<!--')],
    );
    assert.equal(nearMissesOf(`<!--BLOCK_ID:x-->${separator}`)[0]?.reason, 'trailing-characters');
    assert.equal(nearMissesOf(`${separator}<!--BLOCK_ID:x-->`)[0]?.reason, 'leading-characters');
  }
});

test('a line has one near miss, and the next line has its own', () => {
  const text = '<!-- ephemeral --> <!-- ephemeral -->\n x\n <!--ephemeral-->\n<!--ephemeral--> <!--/BLOCK_ID:a-->';
  assert.deepEqual(
    nearMissesOf(text).map(({ reason }) => reason),
    ['leading-characters', 'text-after'],
  );
});

test('what the message shows never hides a character', () => {
  const [problem] = nearMissesOf('a\u202eb <!--ephemeral-->');
  assert.match(renderMessage(problem!.message), /a\[U\+202E\]b/);
});

test('an ID of any length is read in bounded work and has no repair when it is absurd', () => {
  assert.equal(nearMissesOf(`<!--BLOCK_ID: ${'a'.repeat(256)}-->`).length, 1);
  assert.equal(nearMissesOf(`<!--BLOCK_ID: ${'a'.repeat(257)}-->`).length, 0);
});
