import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { outlineDocument } from '../../protocol/lifecycle/document.ts';
import { outlineAfterEdit } from '../../protocol/lifecycle/outlineEdit.ts';
import { tagSoup } from './tagSoup.ts';

const words = fc.constantFrom(
  'word',
  'two words',
  ' ',
  '  ',
  '-',
  '. ',
  '1. ',
  '- ',
  '* ',
  '#',
  '\t',
  'é😀',
  '漢',
  ':',
  '',
);
const prose = fc.array(words, { maxLength: 6 }).map(parts => parts.join(''));
const document = fc.array(fc.oneof(tagSoup, prose, fc.constantFrom('\n', '\r\n', '\n- ', '\n\n')), { maxLength: 8 });

function edited(text: string, start: number, end: number, newText: string): string {
  return text.slice(0, start) + newText + text.slice(end);
}

test('an outline moved by an edit of prose is the outline of the new text', () => {
  let moved = 0;
  const law = fc.property(
    document.map(parts => parts.join('')),
    fc.nat(),
    fc.nat({ max: 6 }),
    fc.oneof({ weight: 4, arbitrary: prose }, { weight: 1, arbitrary: tagSoup }),
    (text, at, length, newText) => {
      const start = at % (text.length + 1);
      const end = Math.min(text.length, start + length);
      const after = edited(text, start, end, newText);
      const outline = outlineAfterEdit(outlineDocument(text), { range: { start, end }, newText }, after);
      if (outline) {
        moved++;
        assert.deepEqual(outline, outlineDocument(after));
      }
    },
  );
  fc.assert(law, { numRuns: 20_000 });
  assert.ok(moved > 1_000, `only ${moved} edits were of prose`);
});

test('an edit of the front matter behind a byte order mark is no prose', () => {
  const text = '\ufeff---\n<!--ephemeral-->\n---\n';
  const after = edited(text, 4, 4, 'x');
  assert.equal(
    outlineAfterEdit(outlineDocument(text), { range: { start: 4, end: 4 }, newText: 'x' }, after),
    undefined,
  );
});

const TEXT = 'Some prose here.\n\n<!--BLOCK_ID:a-->\ntext\n<!--/BLOCK_ID:a-->\n';

test('a typed letter moves what stands behind it', () => {
  const after = edited(TEXT, 5, 5, 'x');
  const outline = outlineAfterEdit(outlineDocument(TEXT), { range: { start: 5, end: 5 }, newText: 'x' }, after);
  assert.deepEqual(outline, outlineDocument(after));
});

for (const [what, start, end, newText] of [
  ['a line end', 5, 5, '\n'],
  ['a joined line', 16, 17, ''],
  ['the start of a line', 0, 0, 'x'],
  ['a character of a tag', 5, 5, '<'],
  ['the end of a comment', 5, 5, '-->'],
  ['a fence', 5, 5, '```'],
  ['a letter of a tag line', 25, 25, 'x'],
] as const) {
  test(`an edit of ${what} is left to a new survey`, () => {
    const change = { range: { start, end }, newText };
    assert.equal(outlineAfterEdit(outlineDocument(TEXT), change, edited(TEXT, start, end, newText)), undefined);
  });
}

test('an edit of a line that is too long to look at is left to a new survey', () => {
  const text = `${'word '.repeat(10_000)}\n${TEXT}`;
  const change = { range: { start: 25_000, end: 25_000 }, newText: 'x' };
  assert.equal(outlineAfterEdit(outlineDocument(text), change, edited(text, 25_000, 25_000, 'x')), undefined);
});
