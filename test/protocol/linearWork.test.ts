import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDocument } from '../../protocol/lifecycle/document.ts';
import { tagSoup } from './tagSoup.ts';

const TEN_MB = 10_000_000;
const TAG = '\n<!--ephemeral-->';

function visitsPerCharacter(text: string): number {
  const work = { visited: 0 };
  parseDocument(text, work);
  return work.visited / text.length;
}

function filled(unit: string, before = '', after = TAG): string {
  return before + unit.repeat(Math.ceil(TEN_MB / unit.length)) + after;
}

/** Each ends with a tag line, so that its lines must be walked. */
const SHAPES: Readonly<Record<string, string>> = {
  'one line': filled('a'),
  'one line of blanks before a tag': filled(' ', '', '<!--ephemeral-->'),
  'one line of blanks behind a tag': filled(' ', '<!--ephemeral-->', ''),
  'one line of text behind a tag': filled('x', '<!--ephemeral-->', ''),
  'empty lines': filled('\n'),
  'empty CRLF lines': filled('\r\n'),
  'empty CR lines': filled('\r'),
  'prose with CRLF': filled('The service keeps its state in one table.\r\n'),
  'LF and CR mixed': filled('one\ntwo\rthree\r\n'),
  '<!-- on one line': filled('<!--'),
  '<!-- on lines': filled('<!--\n'),
  '<! on one line': filled('<!'),
  '< on one line': filled('<'),
  'blank openings': filled('<!--    '),
  'an opening of dashes': filled('-', '<!', ''),
  'an opening of blanks': filled(' ', '<!--', 'BLOCK_ID:a-->'),
  'blanks in a tag': filled(' ', '<!--BLOCK_ID:', 'a-->'),
  'a long ID': filled('a', '<!--BLOCK_ID:', '-->'),
  'a long ID with a blank before it': filled('a', '<!--BLOCK_ID: ', '-->'),
  openings: filled('<!--BLOCK_ID:a-->\n'),
  'openings and closings': filled('<!--BLOCK_ID:a-->\n<!--/BLOCK_ID:a-->\n'),
  'tags on one line': filled('<!--BLOCK_ID:a-->'),
  'fence soup': filled('```\n~~~\n````\n'),
  'deep fences': Array.from({ length: 4400 }, (_, depth) => `${'`'.repeat(3 + (depth % 4000))}\n`).join('') + TAG,
  'fences with info': filled('``` md\ntext\n```\n'),
  'a long info string': filled('a', '```', `\n${TAG}`),
  'unequal backticks': filled('` `` ``` '),
  'tags in a fence': filled('<!--BLOCK_ID:a-->\n', '```\n'),
  'near misses': filled('<!-- BLOCK_ID:a -->\n'),
  'near misses with text': filled('x <!--BLOCK_ID:a-->\n'),
  'near misses on one line': filled(' <!-- BLOCK_ID:a -->'),
  'near misses in a fence': filled('<!-- BLOCK_ID:a -->\n', '```\n'),
  'near misses in a comment': filled('<!-- BLOCK_ID:a -\n', '<!--\n'),
  'unclosed near misses': filled('<!--BLOCK_ID:a\n'),
  'no near misses': filled('<!-- BLOCK_ID is prose about it -->\n'),
  'no near misses on one line': filled('<!-- BLOCK_ID is prose about it -->'),
  'ordinary comments': filled('<!-- note -->\n'),
  'quote marks': filled('> ', '', `\n${TAG}`),
  'quoted lines': filled('> a\n'),
  'quote marks before a tag': filled('> ', '', '<!--ephemeral-->'),
  'item marks': filled('- ', '', `\n${TAG}`),
  'nested items': filled('- - - - a\n'),
  numbers: filled('123456789. '),
  'front matter that is never closed': filled('a: 1\n', '---\n'),
  'front matter': filled('a: 1\n', '---\n', `\n---${TAG}`),
  'thematic breaks': filled('---\n'),
  'a comment that is never closed': filled('a - -- b\n', '<!--\n'),
  'raw HTML': filled('<pre></pr</scrip\n', '<pre>\n'),
};

for (const [name, text] of Object.entries(SHAPES)) {
  test(`editor-bugs 61, 62: at most 4 visits for each character: ${name}`, () => {
    const visits = visitsPerCharacter(text);
    assert.ok(visits > 0 && visits <= 4, `${visits.toFixed(3)} visits`);
  });
}

test('editor-bugs 61, 62: at most 4 visits for each character of tag soup, repeated', () => {
  fc.assert(
    fc.property(tagSoup, soup => {
      const text = (soup + soup + soup + soup).repeat(8) + TAG;
      const visits = visitsPerCharacter(text);
      assert.ok(visits <= 4, `${visits.toFixed(3)} visits`);
    }),
    { numRuns: 2000 },
  );
});

test('the visits grow with the text, not faster', () => {
  for (const unit of [
    '<!-- BLOCK_ID:a ',
    '> - ',
    '```\n> ',
    '<!--ephemeral',
    '\ufeff<!--BLOCK_ID:é-->\n',
    '<pre><!--',
  ]) {
    const small = visitsPerCharacter(unit.repeat(2_000) + TAG);
    const large = visitsPerCharacter(unit.repeat(40_000) + TAG);
    assert.ok(large <= small * 1.05, `${unit}: ${small.toFixed(2)}, then ${large.toFixed(2)}`);
  }
});
