import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineDocument, parseDocument } from '../../protocol/lifecycle/document.ts';

const TAG = '<!--ephemeral-->';

/** The words that name the enclosure of each live tag that is marked, in order. */
function enclosures(text: string): readonly string[] {
  return parseDocument(text)
    .problems.filter(({ code }) => code === 'live-tag-in-code-fence')
    .map(
      ({ message }) => /in (?:a fenced code block|the front matter|an HTML comment|raw HTML)/.exec(message)?.[0] ?? '',
    );
}

const FENCE = ['in a fenced code block'];

/** Every text holds the tag once; it is live each time. */
const INSIDE: readonly (readonly [text: string, says: readonly string[]])[] = [
  [`\`\`\`\n${TAG}\n\`\`\`\n`, FENCE],
  [`\`\`\`\n${TAG}`, FENCE],
  [`~~~\n${TAG}\n~~~`, FENCE],
  [`\`\`\`\`\n\`\`\`\n${TAG}\n\`\`\`\`\n`, FENCE],
  [`   \`\`\`md\n${TAG}\n`, FENCE],
  [`\`\`\`\n~~~\n${TAG}\n`, FENCE],
  [`\`\`\`\n    \`\`\`\n${TAG}\n`, FENCE],
  [`\`\`\`\n\`\`\` x\n${TAG}\n`, FENCE],
  [`~~~ \`\`\`\n${TAG}\n`, FENCE],
  [`\`\`\`\n\n\n${TAG}\n`, FENCE],
  [`text\n\`\`\`\n${TAG}\n`, FENCE],
  [`\`\`\`\r${TAG}\r\`\`\`\r`, FENCE],
  [`\`\`\`\r\n${TAG}\r\n\`\`\`\r\n`, FENCE],
  [`---\na: 1\n${TAG}\n---\n`, ['in the front matter']],
  [`---  \n${TAG}\n...\n`, ['in the front matter']],
  [`\ufeff---\n${TAG}\n---\n`, ['in the front matter']],
  [`---\r\n${TAG}\r\n---\r\n`, ['in the front matter']],
  [`---\n\`\`\`\n${TAG}\n---\n`, ['in the front matter']],
  [`<!--\n${TAG}\n`, ['in an HTML comment']],
  [`<!-- old:\n\n${TAG}\n-->\n`, ['in an HTML comment']],
  [`  <!-- a -- >\n${TAG}\n`, ['in an HTML comment']],
  [`<pre>\n${TAG}\n</pre>\n`, ['in raw HTML']],
  [`<PRE class="x">\n\n${TAG}\n`, ['in raw HTML']],
  [`<script\n${TAG}\n`, ['in raw HTML']],
  [`<style>\n${TAG}\n</style>`, ['in raw HTML']],
  [`<textarea>\n${TAG}\n</textarea>`, ['in raw HTML']],
  // A comment that ends with its list item is none any more, and the fence behind it is one.
  [`- <!-- a\n\n\`\`\`\n${TAG}\n`, FENCE],
];

const OUTSIDE: readonly string[] = [
  TAG,
  `\`\`\`\na\n\`\`\`\n${TAG}\n`,
  `\`\`\`\na\n\`\`\`\`\`  \n${TAG}\n`,
  `\`\`\`\na\n   \`\`\`\t\n${TAG}\n`,
  `\`\`\n${TAG}\n`,
  `\`\`\` a\`b\n${TAG}\n`,
  `    \`\`\`\n${TAG}\n`,
  `\t\`\`\`\n${TAG}\n`,
  `a \`\`\`\n${TAG}\n`,
  `\\\`\`\`\n${TAG}\n`,
  // A fence, a comment and raw HTML end with the quote or list item that they stand in.
  `> <!-- a\n${TAG}\n`,
  `- <!-- a\n  b\n${TAG}\n`,
  `1. a\n   <pre>\n   b\n${TAG}\n`,
  `> - <script>\n> b\n${TAG}\n`,
  `> \`\`\`\n${TAG}\n`,
  `- \`\`\`\n${TAG}\n`,
  `1. a\n   \`\`\`\n   b\n   \`\`\`\n${TAG}\n`,
  // No front matter: not in line 1, not alone on its line, never closed.
  `\n---\n${TAG}\n---\n`,
  `--- a\n${TAG}\n---\n`,
  `----\n${TAG}\n----\n`,
  ` ---\n${TAG}\n---\n`,
  `---\n${TAG}\n`,
  `---\na: 1\n---\n${TAG}\n`,
  `---\n---\n${TAG}\n`,
  `<!-- a -->\n${TAG}\n`,
  `<!-->\n${TAG}\n`,
  `<!--->\n${TAG}\n`,
  `<!--\na -->\n${TAG}\n`,
  `text <!--\n${TAG}\n`,
  `    <!--\n${TAG}\n`,
  `${TAG}\n<!--\n-->\n`,
  `<pre>a</pre>\n${TAG}\n`,
  `<pre>\na\n</PRE>\n${TAG}\n`,
  `<prefix>\n${TAG}\n`,
  `a <pre>\n${TAG}\n`,
  // People wrap live Markdown in these.
  `<details>\n<summary>More</summary>\n\n${TAG}\n\n</details>\n`,
  `<div>\n${TAG}\n</div>\n`,
  `<!-- BLOCK_ID:a\n${TAG}\n`,
];

test('editor-bugs 27, 28: an exact line is live in every enclosure, and the hint names which', () => {
  for (const [text, says] of INSIDE) {
    assert.deepEqual(enclosures(text), says, JSON.stringify(text));
    assert.equal(parseDocument(text).ephemeral, true);
    const [problem] = outlineDocument(text).problems;
    assert.equal(text.slice(problem?.range.start, problem?.range.end), TAG);
    assert.equal(problem?.related.length, 1);
  }
});

test('editor-bugs 27, 29: no hint where Markdown sees no enclosure', () => {
  for (const text of OUTSIDE) {
    assert.deepEqual(enclosures(text), [], JSON.stringify(text));
    assert.equal(parseDocument(text).ephemeral, true);
  }
});

test('the other place of a hint is what opens the enclosure', () => {
  for (const [text, opens] of [
    [`a\n  \`\`\`\`md\n${TAG}\n`, '````'],
    [`---\n${TAG}\n---\n`, '---'],
    [`\ufeff---\n${TAG}\n---\n`, '---'],
    [`x\n <!--\n${TAG}\n`, '<!--'],
    [`x\n\n<PRE>\n${TAG}\n`, '<PRE'],
  ] as const) {
    const place = outlineDocument(text).problems[0]?.related[0]?.range;
    assert.equal(text.slice(place?.start, place?.end), opens);
  }
});

test('a tag line, or a line that is meant as one, opens no comment', () => {
  assert.deepEqual(enclosures('<!--BLOCK_ID:a-->\n<!--/BLOCK_ID:a-->\n<!--ephemeral-->\n'), []);
  assert.deepEqual(enclosures('<!--BLOCK_ID:a\n<!--/BLOCK_ID:a-->\n'), []);
  assert.deepEqual(enclosures('<!--ephemeral--!>\n<!--ephemeral-->\n'), []);
});

test('the first tag line inside a comment ends it, as it does for every reader of HTML', () => {
  assert.equal(enclosures(`<!--\n${TAG}\n${TAG}\n-->\n`).length, 1);
});

test('every tag line of a block in a fence is marked, and the block is valid all the same', () => {
  const text = '```\n<!--BLOCK_ID:a-->\nb\n<!--/BLOCK_ID:a-->\n```\n';
  const { blocks, problems } = parseDocument(text);
  assert.deepEqual(blocks, [{ id: 'a', content: 'b\n', startLine: 2, endLine: 4 }]);
  assert.deepEqual(
    problems.map(({ line }) => line),
    [2, 4],
  );
});
