import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarkupContent } from 'vscode-languageserver';
import type { Project } from '../../../server/check/project.ts';
import { hover } from '../../../server/features/hover.ts';
import { codeSpan } from '../../../server/features/shared/displayText.ts';
import { CURSOR, LINE_ENDS, type Opened, open, project, projectOf, textOf } from './fixture.ts';

function hoverText({ document, position }: Opened, inProject: Project, markdown = false): string {
  const shown = hover(document, position, inProject, { markdown });
  assert.ok(shown && MarkupContent.is(shown.contents));
  assert.equal(shown.contents.kind, markdown ? 'markdown' : 'plaintext');
  return shown.contents.value;
}

for (const lineEnd of LINE_ENDS) {
  test(`an opening says what it does and how large its content is (${JSON.stringify(lineEnd)})`, () => {
    const opened = open(['# Rules', `<!--BLOCK_ID:ru${CURSOR}les-->`, 'aé😀', 'b', '<!--/BLOCK_ID:rules-->'], {
      lineEnd,
    });
    const text = hoverText(opened, projectOf(opened));
    const ends = 2 * lineEnd.length;
    assert.match(text, /^Opens block 'rules': its text is part of every request/);
    assert.ok(text.includes(`Content: 2 lines, ${4 + ends} characters, ${8 + ends} bytes in UTF-8.`), text);
    assert.ok(!text.includes('Not active'), text);
    assert.ok(text.includes('- line 5 of this file closes it'), text);
  });
}

test('a closing names its opening line; the hover marks the whole tag line', () => {
  const opened = open(['<!--BLOCK_ID:a-->', 'x', `<!--/BLOCK_ID:a-->${CURSOR}`]);
  assert.match(hoverText(opened, projectOf(opened)), /^Closes block 'a', which opens on line 1\./);
  const shown = hover(opened.document, opened.position, projectOf(opened), { markdown: false });
  assert.ok(shown?.range);
  assert.equal(textOf(opened.document, shown.range), '<!--/BLOCK_ID:a-->');
});

test('one line, one character, one byte are singular', () => {
  const opened = open([`<!--BLOCK_ID:a-->${CURSOR}`, '', '<!--/BLOCK_ID:a-->']);
  assert.ok(hoverText(opened, projectOf(opened)).includes('Content: 1 line, 1 character, 1 byte in UTF-8.'));
});

test('an ephemeral line explains itself and has no other places', () => {
  const opened = open([`${CURSOR}<!--ephemeral-->`, '<!--ephemeral-->']);
  assert.match(hoverText(opened, projectOf(opened)), /^The message or tool result that holds this line/);
});

test('a discard of a known block names where the block is; of an unknown one, that it does nothing', () => {
  const known = open([`<!--DISCARD_BLOCK:a${CURSOR}-->`], { path: 'CLAUDE.md' });
  const inProject = project({ 'AGENTS.md': ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'], 'CLAUDE.md': [] });
  const text = hoverText(known, inProject);
  assert.ok(text.includes('- AGENTS.md:1 opens the block'), text);
  assert.ok(!text.includes('discards nothing'), text);
  assert.ok(hoverText(known, project()).includes("No known file defines block 'a', so this line discards nothing."));
});

test('a discard of a block that is not valid says so', () => {
  const opened = open(['<!--BLOCK_ID:a-->', `<!--DISCARD_BLOCK:a-->${CURSOR}`]);
  assert.ok(hoverText(opened, projectOf(opened)).includes("No valid block 'a' is known"));
});

test('why not active: the structural problem of the line itself', () => {
  const opened = open([`<!--BLOCK_ID:a-->${CURSOR}`, 'x']);
  assert.ok(hoverText(opened, projectOf(opened)).includes("Block 'a' is never closed, so it does not become active."));
});

test('why not active: a line inside the block spoils it', () => {
  const opened = open([`<!--BLOCK_ID:a-->${CURSOR}`, '<!--/BLOCK_ID:b-->', '<!--/BLOCK_ID:a-->']);
  assert.ok(hoverText(opened, projectOf(opened)).includes('Not active: line 2, inside this block, makes it invalid.'));
});

test('why not active: the first of two definitions in one document', () => {
  const pair = ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'];
  const opened = open([`${CURSOR}<!--BLOCK_ID:a-->`, '<!--/BLOCK_ID:a-->', ...pair]);
  assert.ok(hoverText(opened, projectOf(opened)).includes("Not active: this document opens 'a' more than once."));
});

test('why not active: an earlier source defines the ID', () => {
  const pair = ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'];
  const inProject = project({ 'AGENTS.md': ['', ...pair], 'GEMINI.md': pair });
  const later = open([`${CURSOR}<!--BLOCK_ID:a-->`, '<!--/BLOCK_ID:a-->'], { path: 'GEMINI.md' });
  assert.ok(hoverText(later, inProject).includes('Not active: AGENTS.md:2 is loaded first and defines the same ID.'));
  const first = open([`${CURSOR}<!--BLOCK_ID:a-->`, '<!--/BLOCK_ID:a-->'], { path: 'AGENTS.md' });
  assert.ok(!hoverText(first, inProject).includes('Not active'));
});

test('why not active: the file is no context source', () => {
  const opened = open([`${CURSOR}<!--BLOCK_ID:a-->`, '<!--/BLOCK_ID:a-->'], { path: 'notes.md' });
  assert.ok(hoverText(opened, project()).includes('Not active: this file is none of the context sources'));
});

test('a known source that discards the block is named', () => {
  const inProject = project({
    'AGENTS.md': ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'],
    'x.prompt.md': ['', '<!--DISCARD_BLOCK:a-->'],
  });
  const opened = open([`${CURSOR}<!--BLOCK_ID:a-->`, '<!--/BLOCK_ID:a-->']);
  const text = hoverText(opened, inProject);
  assert.ok(text.includes('x.prompt.md:2 discards this block where that file is trusted to do so.'), text);
});

test('a list of places is bounded', () => {
  const discards = Array.from({ length: 30 }, () => '<!--DISCARD_BLOCK:a-->');
  const opened = open([`${CURSOR}<!--BLOCK_ID:a-->`, '<!--/BLOCK_ID:a-->', ...discards]);
  const text = hoverText(opened, projectOf(opened));
  assert.equal(text.match(/^- line \d+ of this file/gm)?.length, 10);
  assert.ok(text.includes('- and 21 more places'), text);
});

test('a hostile path can make no link, image, HTML or code in the Markdown', () => {
  const path = '](command:x) <img src=y> `z` https://evil.example/# h\u202e/AGENTS.md';
  const inProject = project({ [path]: ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'], 'CLAUDE.md': [] });
  const opened = open([`${CURSOR}<!--DISCARD_BLOCK:a-->`], { path: 'CLAUDE.md' });
  const text = hoverText(opened, inProject, true);
  const place = text.split('\n').find(line => line.startsWith('- '));
  assert.equal(place, '- ``](command:x) <img src=y> `z` https://evil.example/# h\ufffd/AGENTS.md:1`` opens the block');
});

test('a code span cannot be ended from inside, nor by a line end', () => {
  assert.equal(codeSpan('a`b'), '``a`b``');
  assert.equal(codeSpan('```'), '```` ``` ````');
  assert.equal(codeSpan('`'), '`` ` ``');
  assert.equal(codeSpan(' a '), '`  a  `');
  assert.equal(codeSpan('a\n# b\r- c\u2028d'), '`a\ufffd# b\ufffd- c\ufffdd`');
});

test('a path can be read where an editor shows the Markdown as it is written', () => {
  const inProject = project({
    'AGENTS.md': ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'],
    '.github/start-up_x.prompt.md': ['', '<!--DISCARD_BLOCK:a-->'],
  });
  const opened = open([`${CURSOR}<!--BLOCK_ID:a-->`, '<!--/BLOCK_ID:a-->']);
  const text = hoverText(opened, inProject, true);
  assert.ok(!text.includes('\\'), text);
  assert.ok(text.includes('- `.github/start-up_x.prompt.md:2` discards it'), text);
});

test('a line without effect is not said to have one', () => {
  const invalid = open([`${CURSOR}<!--BLOCK_ID:a-->`, 'x']);
  assert.match(
    hoverText(invalid, projectOf(invalid)),
    /^Would open block 'a': its text would be part of every request/,
  );
  const pair = ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'];
  const later = open([`${CURSOR}<!--BLOCK_ID:a-->`, '<!--/BLOCK_ID:a-->'], { path: 'GEMINI.md' });
  assert.match(hoverText(later, project({ 'AGENTS.md': pair, 'GEMINI.md': pair })), /^Would open block 'a'/);
  const unknown = open([`${CURSOR}<!--DISCARD_BLOCK:b-->`]);
  assert.match(hoverText(unknown, project()), /^Would discard block 'b'/);
  const discarded = open([`${CURSOR}<!--BLOCK_ID:a-->`, '<!--/BLOCK_ID:a-->', '<!--DISCARD_BLOCK:a-->']);
  assert.match(hoverText(discarded, projectOf(discarded)), /^Opens block 'a': its text is part of every request/);
});

test('a sentence of our own is Markdown, what it quotes is not', () => {
  const opened = open([`<!--BLOCK_ID:__proto__-->${CURSOR}`, 'x']);
  const text = hoverText(opened, projectOf(opened), true);
  assert.ok(text.includes("Block '`__proto__`' is never closed, so it does not become active."), text);
});

test('nothing off our lines: prose, near misses, inline code', () => {
  for (const line of [
    `te${CURSOR}xt`,
    `<!--BLOCK_ID:a -->${CURSOR}`,
    ` <!--eph${CURSOR}emeral-->`,
    `\`<!--ephe${CURSOR}meral-->\``,
  ]) {
    const opened = open(['<!--ephemeral-->', line, '<!--ephemeral-->']);
    assert.equal(hover(opened.document, opened.position, projectOf(opened), { markdown: true }), null, line);
  }
});

test('editor-bugs 27, 28, 29: an exact line is a tag wherever it stands, as it is for agents', () => {
  const tag = `<!--ephe${CURSOR}meral-->`;
  for (const lines of [
    ['```', tag, '```'],
    ['---', tag, '---'],
    ['--- ', tag, '---'],
    ['<!--', tag, '-->'],
    [tag, '---'],
  ]) {
    const opened = open(lines);
    assert.match(hoverText(opened, projectOf(opened)), /^The message or tool result/, lines.join(' | '));
  }
});

test('editor-bugs 2: no tag line starts or ends at U+2028 or U+2029', () => {
  for (const line of [`\u2028<!--ephe${CURSOR}meral-->`, `<!--ephe${CURSOR}meral-->\u2029`]) {
    const opened = open([line]);
    assert.equal(hover(opened.document, opened.position, projectOf(opened), { markdown: true }), null);
  }
});
