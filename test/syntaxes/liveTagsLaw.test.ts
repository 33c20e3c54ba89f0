import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readDeclaration } from '../../protocol/lifecycle/declaration.ts';
import { outlineDocument } from '../../protocol/lifecycle/document.ts';
import { loadGrammar, type Token, tokenize } from './grammarKit.ts';
import { documentOf, FRAMES, tagLine } from './randomDocuments.ts';

const markdown = await loadGrammar('text.html.markdown');

/** Numbers of the lines, from 0, that have the colours of a tag. */
function colouredLines(text: string): readonly number[] {
  return tokenize(markdown, text).flatMap((tokens, index) => (tokens.some(isTag) ? [index] : []));
}

function isTag({ scopes }: Token): boolean {
  return scopes.some(scope => scope.startsWith('meta.tag.') && scope.endsWith('.context-lifecycle'));
}

test('law: a line of any document has the colours of a tag exactly when the parser says that it is a declaration', () => {
  fc.assert(
    fc.property(documentOf(FRAMES), text => {
      const starts = new Map<number, number>();
      let at = 0;
      for (const [index, line] of text.split(/(?<=\r\n|\n|\r(?!\n))/).entries()) {
        starts.set(at, index);
        at += line.length;
      }
      const declared = outlineDocument(text).declarations.map(({ range }) => starts.get(range.start));
      assert.deepEqual(colouredLines(text), declared);
    }),
    { numRuns: 2000 },
  );
});

test('law: one line alone has the colours of a tag exactly when the parser says so', () => {
  const piece = fc.constantFrom(
    '<!--',
    '-->',
    '->',
    '--',
    '!',
    '/',
    'BLOCK_ID',
    'DISCARD_BLOCK',
    'ephemeral',
    ':',
    'a',
    '-',
    '_',
    ' ',
  );
  const line = fc.oneof(
    tagLine,
    fc.array(piece, { maxLength: 8 }).map(pieces => pieces.join('')),
  );
  fc.assert(
    fc.property(line, text => {
      assert.equal(colouredLines(text).length === 1, readDeclaration(text, 0) !== undefined);
    }),
    { numRuns: 2000 },
  );
});
