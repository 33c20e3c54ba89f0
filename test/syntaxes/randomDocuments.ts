import * as fc from 'fast-check';

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
/** A tag, or nearly one, with little or nothing around it. */
export const tagLine = fc.tuple(around, tag, around).map(parts => parts.join(''));

/** Lines that open, close or confuse what Markdown and the languages in its fences are made of. */
export const FRAMES: readonly string[] = [
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
];
const lineEnd = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
/** A document of some tag lines and some of these lines, with any line ends. */
export function documentOf(frames: readonly string[]): fc.Arbitrary<string> {
  const line = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...frames) }, { weight: 2, arbitrary: tagLine });
  return fc
    .tuple(fc.array(fc.tuple(line, lineEnd), { maxLength: 14 }), fc.boolean())
    .map(([lines, cut]) => (cut ? lines.flat().slice(0, -1) : lines.flat()).join(''));
}
