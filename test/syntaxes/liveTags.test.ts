import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadGrammar, type Token, tokenize } from './grammarKit.ts';

const ID_SCOPES = ['entity.name.tag.block-id.context-lifecycle', 'entity.name.function.block-id.context-lifecycle'];
const BEGIN: readonly [string, string[]] = ['<!--', ['punctuation.definition.tag.begin.context-lifecycle']];
const COLON: readonly [string, string[]] = [':', ['punctuation.separator.key-value.context-lifecycle']];
const END: readonly [string, string[]] = ['-->', ['punctuation.definition.tag.end.context-lifecycle']];

/** Each tag kind: its line, the scope of the whole line, and the tokens that the line must have. */
const TAGS = [
  {
    kind: 'ephemeral',
    line: '<!--ephemeral-->',
    meta: 'meta.tag.ephemeral.context-lifecycle',
    tokens: [BEGIN, ['ephemeral', ['keyword.control.ephemeral.context-lifecycle']], END],
  },
  {
    kind: 'opening',
    line: '<!--BLOCK_ID:a-b_2-->',
    meta: 'meta.tag.block.begin.context-lifecycle',
    tokens: [BEGIN, ['BLOCK_ID', ['keyword.control.block.begin.context-lifecycle']], COLON, ['a-b_2', ID_SCOPES], END],
  },
  {
    kind: 'closing',
    line: '<!--/BLOCK_ID:a--->',
    meta: 'meta.tag.block.end.context-lifecycle',
    tokens: [BEGIN, ['/BLOCK_ID', ['keyword.control.block.end.context-lifecycle']], COLON, ['a-', ID_SCOPES], END],
  },
  {
    kind: 'discard',
    line: '<!--DISCARD_BLOCK:__proto__-->',
    meta: 'meta.tag.discard.context-lifecycle',
    tokens: [
      BEGIN,
      ['DISCARD_BLOCK', ['keyword.control.discard.context-lifecycle']],
      COLON,
      ['__proto__', ID_SCOPES],
      END,
    ],
  },
] as const;

/** Where a live line may stand; `{tag}` is the line, `also` a scope that the place itself gives. */
const PLACES = [
  { name: 'alone, without a line end', text: '{tag}' },
  { name: 'first line', text: '{tag}\ntext' },
  { name: 'between paragraphs', text: 'before\n\n{tag}\n\nafter' },
  { name: 'right behind a paragraph', text: 'before\n{tag}\nafter' },
  { name: 'CRLF', text: 'before\r\n{tag}\r\nafter' },
  { name: 'lone CR', text: 'before\r{tag}\rafter' },
  { name: 'right behind a list item', text: '- item\n{tag}\n- item' },
  { name: 'right behind a quote', text: '> quote\n{tag}\n> quote' },
  { name: 'right behind a table', text: '| a | b |\n| - | - |\n{tag}\n' },
  { name: 'inside a fence', text: '```\n{tag}\n```', also: 'markup.fenced_code.block.markdown' },
  { name: 'inside a tilde fence', text: '~~~\n{tag}\n~~~', also: 'markup.fenced_code.block.markdown' },
  { name: 'inside an open fence', text: '````md\n```\n{tag}', also: 'markup.fenced_code.block.markdown' },
  ...['js', 'ts', 'yaml', 'html', 'xml', 'css', 'md', 'python', 'sh', 'json', 'diff', 'php', 'tex', 'c', 'ruby'].map(
    language => ({
      name: `inside a fence with embedded ${language}`,
      text: `\`\`\`${language}\n{tag}\n\`\`\``,
      also: 'markup.fenced_code.block.markdown',
    }),
  ),
  {
    name: 'inside a block comment of embedded TypeScript',
    text: '```ts\n/* a\n{tag}\n*/\n```',
    also: 'comment.block.ts',
  },
  { name: 'inside a template string', text: '```js\nconst a = `\n{tag}\n`\n```', also: 'string.template.js' },
  { name: 'inside front matter', text: '---\n{tag}\n---\n', also: 'meta.embedded.block.frontmatter' },
  {
    name: 'inside a block scalar of front matter',
    text: '---\na: |\n  b\n{tag}\n---\n',
    also: 'meta.embedded.block.frontmatter',
  },
  { name: 'inside a raw HTML block', text: '<div>\n{tag}\n</div>' },
  { name: 'inside an HTML tag', text: '<div\n{tag}\n>' },
  { name: 'inside <pre>', text: '<pre>\n{tag}\n</pre>' },
  { name: 'inside <script>', text: '<script>\n{tag}\n</script>' },
  { name: 'inside <style>', text: '<style>\n{tag}\n</style>' },
] as const;

/** Places whose comment ends at the tag's own end mark, which therefore keeps the comment's scope. */
const COMMENTS = [
  { name: 'inside a multi-line HTML comment', text: '<!-- a\n{tag}\nb' },
  { name: 'inside a comment in a raw HTML block', text: '<div>\n<!-- a\n{tag}\nb' },
  { name: 'inside a comment in fenced HTML', text: '```html\n<!-- a\n{tag}\nb\n```' },
  { name: 'inside a comment in fenced XML', text: '```xml\n<!-- a\n{tag}\nb\n```' },
] as const;

const grammars = {
  markdown: await loadGrammar('text.html.markdown'),
  'prompt files': await loadGrammar('text.html.markdown.prompt'),
  'context-markdown': await loadGrammar('text.html.markdown.context'),
};

/** The tokens of the line `tag` that `{tag}` became. */
function tagTokens(grammar: keyof typeof grammars, template: string, tag: string): readonly Token[] {
  const text = template.replace('{tag}', () => tag);
  const index = text.split(/\r\n|\r|\n/).indexOf(tag);
  return tokenize(grammars[grammar], text)[index] ?? [];
}

/** Text and own scopes of each token, from the scope `meta` inwards. */
function inside(tokens: readonly Token[], meta: string): readonly unknown[] {
  return tokens.map(({ text, scopes }) => [text, scopes.slice(scopes.indexOf(meta) + 1)]);
}

for (const name of Object.keys(grammars) as (keyof typeof grammars)[]) {
  for (const place of PLACES) {
    test(`${name}: a tag line ${place.name} has the scopes of a tag`, () => {
      for (const { line, meta, tokens } of TAGS) {
        const found = tagTokens(name, place.text, line);
        assert.ok(
          found.every(({ scopes }) => scopes.includes(meta)),
          `${line} as a whole: ${JSON.stringify(found)}`,
        );
        assert.deepEqual(inside(found, meta), tokens, line);
        if ('also' in place) {
          assert.ok(
            found.every(({ scopes }) => scopes.includes(place.also)),
            `${place.also} of ${JSON.stringify(found)}`,
          );
        }
      }
    });
  }

  for (const place of COMMENTS) {
    test(`${name}: a tag line ${place.name} has the scopes of a tag and ends the comment`, () => {
      for (const { line, meta, tokens } of TAGS) {
        const found = tagTokens(name, place.text, line);
        assert.deepEqual(inside(found.slice(0, -1), meta), tokens.slice(0, -1), line);
        assert.equal(found.at(-1)?.text, '-->');
        assert.match(found.at(-1)?.scopes.join(' ') ?? '', /comment\.block\.\w+ punctuation\.definition\.comment/);
        const after = tokenize(
          grammars[name],
          place.text.replace('{tag}', () => line),
        ).find(([token]) => token?.text === 'b');
        assert.ok(
          after && !after.some(({ scopes }) => /comment/.test(scopes.join())),
          'the line behind it is no comment',
        );
      }
    });
  }
}

/** Lines that are ordinary Markdown by V1; near misses among them have a test of their own. */
const NOT_LIVE = [
  '<{tag}',
  '<<{tag}',
  ' {tag}',
  '\t{tag}',
  '    {tag}',
  '{tag} ',
  '{tag}.',
  'text {tag}',
  '> {tag}',
  '- {tag}',
  '1. {tag}',
  '# {tag}',
  '`{tag}`',
  '\\{tag}',
  '{tag}{tag}',
  '| {tag} |',
  '\u00a0{tag}',
  '\u2028{tag}',
  '{tag}\u2028',
  'a\u2028{tag}\u2029b',
  '{tag}\u0085',
  '{tag}\f',
  '\ufeff{tag}',
];

test('a tag line keeps its scopes in indented front matter, where embedded YAML takes its first character', () => {
  for (const { line, meta, tokens } of TAGS) {
    const found = tagTokens('markdown', '---\n  - a\n{tag}\n---', line);
    assert.equal(found[0]?.text, '<');
    const expected = [['!--', tokens[0][1]], ...tokens.slice(1)];
    assert.deepEqual(inside(found.slice(1, expected.length + 1), meta), expected, line);
  }
});

test('a line with anything before or behind the tag is not a tag', () => {
  for (const template of NOT_LIVE) {
    for (const { line } of TAGS) {
      const text = template.replaceAll('{tag}', line);
      assert.deepEqual(liveScopes(text), [], JSON.stringify(text));
    }
  }
});

test('a tag inside a list item, a quote or indented code is not a tag', () => {
  for (const { line } of TAGS) {
    for (const template of [
      '- a\n  {tag}',
      '> a\n> {tag}',
      '> - a\n>   {tag}',
      'a\n\n    {tag}',
      '- ```\n  {tag}\n  ```',
    ]) {
      assert.deepEqual(liveScopes(template.replace('{tag}', () => line)), [], template);
    }
  }
});

test('other comments and broken tags are not tags', () => {
  const lines = [
    '<!-- note -->',
    '!--ephemeral-->',
    '<!<!--ephemeral-->',
    '<!---->',
    '<!--ephemeral -->',
    '<!-- ephemeral-->',
    '<!--Ephemeral-->',
    '<!--ephemeral--->',
    '<!--ephemeral:a-->',
    '<!--/ephemeral-->',
    '<!--BLOCK_ID-->',
    '<!--BLOCK_ID:-->',
    '<!--BLOCK_ID:a b-->',
    '<!--BLOCK_ID:A-->',
    '<!--BLOCK_ID:é-->',
    '<!--BLOCK_ID: a-->',
    '<!--block_id:a-->',
    '<!--BLOCK-ID:a-->',
    '<!--BLOCK_ID:a--!>',
    '<!--BLOCK_ID:a->',
    '<!--BLOCK_ID:a',
    '<!-BLOCK_ID:a-->',
    '<!--/ BLOCK_ID:a-->',
    '<!--DISCARD:a-->',
    '<!--/DISCARD_BLOCK:a-->',
    '<!--BLOCK_ID:--->x',
  ];
  for (const line of lines) {
    assert.deepEqual(liveScopes(line), [], line);
  }
});

function liveScopes(text: string): readonly string[] {
  return tokenize(grammars.markdown, text)
    .flat()
    .flatMap(({ scopes }) =>
      scopes.filter(scope => scope.startsWith('meta.tag.') && scope.endsWith('context-lifecycle')),
    );
}
