import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readDeclaration } from '../../protocol/lifecycle/declaration.ts';
import { scanDeclarations } from '../../protocol/lifecycle/scan.ts';
import { loadGrammar, type Token, tokenize } from './grammarKit.ts';

const markdown = await loadGrammar('text.html.markdown');

const id = fc.string({
  unit: fc.constantFrom('a', 'z', '0', '9', '-', '_', 'A', ' ', 'é'),
  minLength: 0,
  maxLength: 4,
});
const tag = fc
  .tuple(fc.constantFrom('<!--BLOCK_ID:', '<!--/BLOCK_ID:', '<!--DISCARD_BLOCK:', '<!--ephemeral'), id)
  .map(([prefix, name]) => (prefix.endsWith(':') ? `${prefix}${name}-->` : `${prefix}-->`));
const around = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '    ',
  '\t',
  '> ',
  '- ',
  '  - ',
  '| ',
  '`',
  'x',
  '\u2028',
  '\u00a0',
  '\ufeff',
);
const tagLine = fc.tuple(around, tag, around).map(parts => parts.join(''));

/** Lines that open, close or confuse what Markdown and the languages in its fences are made of. */
const frame = fc.constantFrom(
  '',
  '',
  'text',
  '  text',
  '---',
  '...',
  'key: |',
  '  value',
  '"open string',
  '```',
  '````',
  '~~~',
  ...[
    'js',
    'ts',
    'yaml',
    'html',
    'xml',
    'css',
    'md',
    'python',
    'sh',
    'json',
    'diff',
    'php',
    'latex',
    'c',
    'cpp',
    'ruby',
  ].map(language => `\`\`\`${language}`),
  ...['rst', 'perl', 'lua', 'go', 'rust', 'sql', 'java', 'cs', 'ini', 'make', 'dockerfile', 'clojure', 'bat', 'r'].map(
    language => `~~~${language}`,
  ),
  '  ```js',
  '> ```',
  '- ```',
  '# heading',
  'heading',
  '===',
  '- item',
  '  continued',
  '1. one',
  '> quote',
  '| a | b |',
  '| - | - |',
  '[ref]: http://a.b "t',
  '**bold',
  'open ` code',
  '<div>',
  '<div',
  '</div>',
  '<pre>',
  '</pre>',
  '<script>',
  '</script>',
  '<style>',
  '</style>',
  '<!-- open',
  '<!--',
  '-->',
  '<!-- whole -->',
  '/*',
  '*/',
  '// c',
  '`template',
  '${',
  "'''",
  '"""',
  '<<EOF',
  'EOF',
  '<<<X',
  '<?php',
  '?>',
  '<![CDATA[',
  ']]>',
  '#if 0',
  '#define A \\',
  '=begin',
  '=end',
  '=pod',
  '\\begin{verbatim}',
  '--[[',
  'R"(',
  '@@ -1 +1 @@',
);
const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
const document = fc
  .array(fc.tuple(fc.oneof({ weight: 3, arbitrary: frame }, { weight: 2, arbitrary: tagLine }), lineEnd), {
    maxLength: 14,
  })
  .chain(lines => fc.boolean().map(cut => (cut ? lines.flat().slice(0, -1) : lines.flat()).join('')));

/** Numbers of the lines, from 0, that have the colours of a tag. */
function colouredLines(text: string): readonly number[] {
  return tokenize(markdown, text).flatMap((tokens, index) => (tokens.some(isTag) ? [index] : []));
}

function isTag({ scopes }: Token): boolean {
  return scopes.some(scope => scope.startsWith('meta.tag.') && scope.endsWith('.context-lifecycle'));
}

test('law: a line of any document has the colours of a tag exactly when the parser says that it is a declaration', () => {
  fc.assert(
    fc.property(document, text => {
      const starts = new Map<number, number>();
      let at = 0;
      for (const [index, line] of text.split(/(?<=\r\n|\n|\r(?!\n))/).entries()) {
        starts.set(at, index);
        at += line.length;
      }
      const declared = scanDeclarations(text).map(({ range }) => starts.get(range.start));
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
