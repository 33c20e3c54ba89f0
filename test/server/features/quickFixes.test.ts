import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineDocument } from '../../../protocol/lifecycle/document.ts';
import { actions, after, titles } from './codeActionKit.ts';
import { CURSOR, LINE_ENDS, project } from './fixture.ts';

for (const lineEnd of LINE_ENDS) {
  const name = JSON.stringify(lineEnd);
  test(`unclosed: the closing line at the end, with and without a last line end (${name})`, () => {
    const title = "Close block 'a' at the end of the document";
    const open = `<!--BLOCK_ID:a-->${CURSOR}`;
    assert.deepEqual(titles([open, 'x'], { lineEnd }), [`*${title}`, 'Remove this line']);
    const closed = ['<!--BLOCK_ID:a-->', 'x', '<!--/BLOCK_ID:a-->'];
    assert.deepEqual(after([open, 'x'], title, { lineEnd }), closed);
    assert.deepEqual(after([open, 'x', ''], title, { lineEnd }), [...closed, '']);
  });

  test(`removing a line leaves no empty one, wherever it stands (${name})`, () => {
    const stray = `<!--/BLOCK_ID:a-->${CURSOR}`;
    assert.deepEqual(titles(['x', stray, 'y'], { lineEnd }), ['*Remove this line']);
    for (const lines of [
      [stray, 'x', 'y'],
      ['x', stray, 'y'],
      ['x', 'y', stray],
    ]) {
      assert.deepEqual(after(lines, 'Remove this line', { lineEnd }), ['x', 'y']);
    }
    assert.deepEqual(after([stray], 'Remove this line', { lineEnd }), ['']);
  });
}

test('unclosed before another opening: both places are offered, none is preferred', () => {
  const lines = [`<!--BLOCK_ID:a-->${CURSOR}`, 'x', '<!--BLOCK_ID:b-->', 'y', '<!--/BLOCK_ID:b-->'];
  const before = "Close block 'a' before line 3";
  assert.deepEqual(titles(lines), [before, "Close block 'a' at the end of the document", 'Remove this line']);
  assert.deepEqual(after(lines, before), [
    '<!--BLOCK_ID:a-->',
    'x',
    '<!--/BLOCK_ID:a-->',
    '<!--BLOCK_ID:b-->',
    'y',
    '<!--/BLOCK_ID:b-->',
  ]);
});

test('a closing or opening line that is there, but is a near miss, is what gets repaired', () => {
  const unclosed = [`<!--BLOCK_ID:a-->${CURSOR}`, 'x', '<!--/BLOCK_ID:a --> '];
  assert.deepEqual(titles(unclosed), [
    '*Repair the closing line on line 3',
    "Close block 'a' at the end of the document",
    'Remove this line',
  ]);
  assert.equal(after(unclosed, 'Repair the closing line on line 3').at(-1), '<!--/BLOCK_ID:a-->');
  const unopened = [' <!--BLOCK_ID:a-->', 'x', `<!--/BLOCK_ID:a-->${CURSOR}`];
  assert.deepEqual(titles(unopened), ['*Repair the opening line on line 1', 'Remove this line']);
});

test('nested: the outer closing line moves up, or the inner tag lines go', () => {
  const lines = [
    '<!--BLOCK_ID:a-->',
    'x',
    `<!--BLOCK_ID:b-->${CURSOR}`,
    'y',
    '<!--/BLOCK_ID:b-->',
    '<!--/BLOCK_ID:a-->',
  ];
  assert.deepEqual(titles(lines), ["Move the closing line of 'a' before line 3", "Remove the tag lines of 'b'"]);
  assert.deepEqual(after(lines, "Move the closing line of 'a' before line 3"), [
    '<!--BLOCK_ID:a-->',
    'x',
    '<!--/BLOCK_ID:a-->',
    '<!--BLOCK_ID:b-->',
    'y',
    '<!--/BLOCK_ID:b-->',
  ]);
  assert.deepEqual(after(lines, "Remove the tag lines of 'b'"), ['<!--BLOCK_ID:a-->', 'x', 'y', '<!--/BLOCK_ID:a-->']);
});

test('nested in a block that is never closed: the outer one is closed before', () => {
  const lines = ['<!--BLOCK_ID:a-->', `<!--BLOCK_ID:b-->${CURSOR}`, '<!--/BLOCK_ID:b-->'];
  assert.deepEqual(titles(lines), ["Close block 'a' before line 2", "Remove the tag lines of 'b'"]);
});

test('mismatched: the closing line takes the open ID, preferred where its own ID is never opened', () => {
  const lines = ['<!--BLOCK_ID:rules-->', 'x', `<!--/BLOCK_ID:rule${CURSOR}-->`];
  assert.deepEqual(titles(lines), ["*Change this closing line to 'rules'", 'Remove this line']);
  assert.deepEqual(after(lines, "Change this closing line to 'rules'"), [
    '<!--BLOCK_ID:rules-->',
    'x',
    '<!--/BLOCK_ID:rules-->',
  ]);
  const nested = ['<!--BLOCK_ID:a-->', '<!--BLOCK_ID:b-->', `<!--/BLOCK_ID:b-->${CURSOR}`, '<!--/BLOCK_ID:a-->'];
  assert.ok(!titles(nested).some(title => title.startsWith('*')));
});

test('unexpected second closing: the block may end there instead', () => {
  const lines = ['<!--BLOCK_ID:a-->', 'x', '<!--/BLOCK_ID:a-->', 'y', `<!--/BLOCK_ID:a-->${CURSOR}`];
  assert.deepEqual(titles(lines), ['*Remove this line', "Let block 'a' end here"]);
  assert.deepEqual(after(lines, "Let block 'a' end here"), ['<!--BLOCK_ID:a-->', 'x', 'y', '<!--/BLOCK_ID:a-->']);
});

test('duplicate: the second block gets a fresh ID on both lines; on the first it is offered but not preferred', () => {
  const pair = ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'];
  const second = [...pair, '<!--BLOCK_ID:a-2-->', '<!--/BLOCK_ID:a-2-->', `${CURSOR}<!--BLOCK_ID:a-->`, pair[1] ?? ''];
  assert.deepEqual(titles(second), ["*Rename this block to 'a-3'"]);
  assert.deepEqual(after(second, "Rename this block to 'a-3'").slice(4), [
    '<!--BLOCK_ID:a-3-->',
    '<!--/BLOCK_ID:a-3-->',
  ]);
  const first = [`${CURSOR}<!--BLOCK_ID:a-->`, pair[1] ?? '', ...pair];
  assert.deepEqual(titles(first), ["Rename this block to 'a-2'"]);
});

test('conflict with another source: this block gets an ID that is fresh in all of them', () => {
  const pair = ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'];
  const inProject = project({ 'AGENTS.md': pair, 'CLAUDE.md': ['<!--DISCARD_BLOCK:a-2-->'], 'GEMINI.md': pair });
  const asked = { path: 'GEMINI.md', inProject };
  const lines = [`<!--BLOCK_ID:a${CURSOR}-->`, 'x', '<!--/BLOCK_ID:a-->'];
  assert.deepEqual(titles(lines, asked), ["Rename this block to 'a-3'"]);
  assert.deepEqual(after(lines, "Rename this block to 'a-3'", asked), [
    '<!--BLOCK_ID:a-3-->',
    'x',
    '<!--/BLOCK_ID:a-3-->',
  ]);
});

test('unknown block: a slip of one known ID is preferred, removing the line is always offered', () => {
  const pair = ['<!--BLOCK_ID:build-rules-->', '<!--/BLOCK_ID:build-rules-->'];
  const slip = [...pair, `<!--DISCARD_BLOCK:biuld-rules-->${CURSOR}`];
  assert.deepEqual(titles(slip), ["*Change to 'build-rules'", 'Remove this line']);
  assert.deepEqual(after(slip, "Change to 'build-rules'"), [...pair, '<!--DISCARD_BLOCK:build-rules-->']);
  assert.deepEqual(titles([...pair, `<!--DISCARD_BLOCK:zzz-->${CURSOR}`]), ['Remove this line']);
});

test('discard inside a block: it moves below the block, also where the block ends the text', () => {
  const lines = ['<!--BLOCK_ID:a-->', `<!--DISCARD_BLOCK:a-->${CURSOR}`, '<!--/BLOCK_ID:a-->'];
  const title = "Move this line below block 'a'";
  assert.deepEqual(titles(lines), [`*${title}`, 'Remove this line']);
  const moved = ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->', '<!--DISCARD_BLOCK:a-->'];
  assert.deepEqual(after(lines, title), moved);
  assert.deepEqual(after([...lines, 'x'], title), [...moved, 'x']);
  assert.deepEqual(after([...lines, ''], title), [...moved, '']);
});

test('a repeated discard can be removed although it is no problem', () => {
  const pair = ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->', '<!--DISCARD_BLOCK:a-->'];
  assert.deepEqual(titles([...pair, 'x', `<!--DISCARD_BLOCK:a-->${CURSOR}`]), ["Remove this repeated discard of 'a'"]);
  assert.deepEqual(titles([...pair.slice(0, 2), `<!--DISCARD_BLOCK:a-->${CURSOR}`, 'x', '<!--DISCARD_BLOCK:a-->']), []);
});

for (const lineEnd of LINE_ENDS) {
  test(`a code can be turned off by a comment on the first line, which takes more codes (${JSON.stringify(lineEnd)})`, () => {
    const title = "Turn 'unexpected-block-end' off for this file with a comment on its first line";
    assert.deepEqual(after(['x', `<!--/BLOCK_ID:a-->${CURSOR}`], title, { lineEnd }), [
      '<!-- context-lifecycle-disable unexpected-block-end -->',
      'x',
      '<!--/BLOCK_ID:a-->',
    ]);
    const first = '<!-- context-lifecycle-disable malformed-tag -->';
    assert.deepEqual(after([first, `<!--/BLOCK_ID:a-->${CURSOR}`], title, { lineEnd }), [
      '<!-- context-lifecycle-disable malformed-tag unexpected-block-end -->',
      '<!--/BLOCK_ID:a-->',
    ]);
  });
}

test('a file with front matter gets no comment on its first line, and is told why', () => {
  const [action] = actions(['---', 'a: b', '---', `<!--/BLOCK_ID:a-->${CURSOR}`]).filter(({ disabled }) => disabled);
  assert.match(action?.disabled?.reason ?? '', /^This file starts with front matter/);
  assert.equal(action?.edit, undefined);
});

test('every structural repair leaves fewer problems or more valid blocks', () => {
  const documents = [
    ['<!--BLOCK_ID:a-->', '<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'],
    ['<!--BLOCK_ID:a-->', '<!--BLOCK_ID:b-->', '<!--/BLOCK_ID:a-->', '<!--/BLOCK_ID:b-->'],
    ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:b-->', '<!--BLOCK_ID:b-->'],
    ['<!--/BLOCK_ID:a-->', '<!--BLOCK_ID:a-->', '<!--BLOCK_ID:c-->', '<!--/BLOCK_ID:c-->'],
  ];
  for (const document of documents) {
    document.forEach((line, index) => {
      const lines = document.with(index, line + CURSOR);
      for (const title of titles(lines).map(one => one.replace(/^\*/, ''))) {
        const repaired = after(lines, title);
        assert.ok(problemCount(repaired) < problemCount(document), `${document.join(' | ')} → ${title}`);
      }
    });
  }
});

function problemCount(lines: readonly string[]): number {
  return outlineDocument(lines.join('\n')).problems.length;
}
