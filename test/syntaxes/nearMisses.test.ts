import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { outlineDocument } from '../../protocol/lifecycle/document.ts';
import { LineCounter } from '../../protocol/lifecycle/text.ts';
import { builtInThemes, colourLastLine, loadGrammar, tokenize } from './grammarKit.ts';
import { documentOf, FRAMES, tagLine } from './randomDocuments.ts';

const markdown = await loadGrammar('text.html.markdown');

/** Each slip that the grammar shows, and the word that it shows it at. */
const SLIPS = [
  ['<!-- ephemeral -->', 'ephemeral'],
  ['<!--Ephemeral-->', 'Ephemeral'],
  ['<!--/ephemeral-->', '/ephemeral'],
  [' <!--ephemeral-->', 'ephemeral'],
  ['\t<!--ephemeral-->', 'ephemeral'],
  ['<!--ephemeral--> ', 'ephemeral'],
  ['> <!--ephemeral-->', 'ephemeral'],
  ['- <!--ephemeral-->', 'ephemeral'],
  ['- item\n  <!--ephemeral-->', 'ephemeral'],
  ['> quote\n> <!--ephemeral-->', 'ephemeral'],
  ['text\n    <!--ephemeral-->', 'ephemeral'],
  ['<!--block_id:a-->', 'block_id'],
  ['<!--BLOCK_ID: a-->', 'BLOCK_ID'],
  ['<!--BLOCK_ID:a -->', 'BLOCK_ID'],
  ['<!--BLOCK_ID:A-->', 'BLOCK_ID'],
  ['<!--BLOCK_ID:é-->', 'BLOCK_ID'],
  ['<!--BLOCK_ID:-->', 'BLOCK_ID'],
  ['<!--/Block_ID:a-->', '/Block_ID'],
  ['<!--DISCARD_BLOCK:a.b-->', 'DISCARD_BLOCK'],
  ['> <!--DISCARD_BLOCK:a-->', 'DISCARD_BLOCK'],
] as const;

test('a near miss looks like a comment, with its word marked', () => {
  for (const [text, word] of SLIPS) {
    const tokens = tokenize(markdown, text).at(-1) ?? [];
    const marked = tokens.filter(({ scopes }) => scopes.includes('invalid.illegal.near-miss.context-lifecycle'));
    assert.deepEqual(
      marked.map(token => token.text),
      [word],
      text,
    );
    assert.ok(marked.every(({ scopes }) => scopes.includes('comment.block.html')));
    assert.ok(!tokens.some(({ scopes }) => scopes.some(scope => scope.startsWith('meta.tag.'))), text);
  }
});

test('other comments, code and prose are not marked', () => {
  const lines = [
    '<!-- note -->',
    '<!-- ephemeral ports are recycled -->',
    'a remark <!-- ephemeral -->',
    '`<!-- ephemeral -->`',
    '`<!--BLOCK_ID:A-->`',
    '\\<!--BLOCK_ID:A-->',
    '```\n<!-- ephemeral -->',
    '~~~html\n<!-- ephemeral -->',
    '---\n<!-- ephemeral -->\n---',
    '<!-- open\n <!--ephemeral-->',
  ];
  for (const text of lines) {
    assert.deepEqual(markedLines(text), [], text);
  }
});

test('law: what is marked as a near miss has a diagnostic', () => {
  // Left out: HTML elements, whose content has no scope in VS Code's grammar that a pattern could ask for, and what that
  // grammar reads in another way than CommonMark: fences of four marks and indented ones, and formulas over some lines,
  // which begin with a `$` at the start of a line and hide what opens a fence or a comment in them.
  const readable = documentOf(FRAMES.filter(line => !/^<[/a-z]|````|^ +```/.test(line)));
  fc.assert(
    fc.property(fc.oneof(readable, tagLine), text => {
      fc.pre(!hasFormulaOverLines(text));
      const { problems } = outlineDocument(text);
      const counter = new LineCounter(text);
      const reported = problems
        .filter(({ code }) => code === 'malformed-tag')
        .map(({ range }) => counter.lineAt(range.start) - 1);
      assert.deepEqual(
        markedLines(text).filter(line => !reported.includes(line)),
        [],
      );
    }),
    { numRuns: 2000 },
  );
});

test("what VS Code's grammar takes for a formula hides a fence in it, so that a line of code is marked", () => {
  const text = '${\n~~~r\n${\n<!--BLOCK_ID:-->\n';
  assert.deepEqual(outlineDocument(text).problems, []);
  assert.deepEqual(markedLines(text), [3]);
  assert.ok(hasFormulaOverLines(text), 'the law leaves it out');
});

for (const { file, theme } of builtInThemes()) {
  test(`${file}: the marked word differs from a comment, and the line from a live tag`, async () => {
    const grammar = await loadGrammar('text.html.markdown', { theme });
    const lookOf = (line: string, word: string): string | undefined =>
      colourLastLine(grammar, line).find(({ text }) => text.includes(word))?.look;
    assert.notEqual(lookOf('<!-- ephemeral -->', 'ephemeral'), lookOf('<!-- ephemerally -->', 'ephemerally'));
    // In the light high contrast theme keywords are as red as what is invalid; there the signs around the word differ.
    const looksOf = (line: string): readonly string[] => colourLastLine(grammar, line).map(({ look }) => look);
    assert.notDeepEqual(looksOf('<!-- ephemeral -->'), looksOf('<!--ephemeral-->'));
  });
}

/** Whether VS Code's grammar reads some whole line as a formula. */
function hasFormulaOverLines(text: string): boolean {
  return tokenize(markdown, text).some(([first]) => first?.scopes.includes('meta.embedded.math.markdown'));
}

/** Numbers of the lines, from 0, on which a near miss is marked. */
function markedLines(text: string): readonly number[] {
  return tokenize(markdown, text).flatMap((tokens, index) =>
    tokens.some(({ scopes }) => scopes.includes('meta.near-miss.context-lifecycle')) ? [index] : [],
  );
}
