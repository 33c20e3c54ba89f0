import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CompletionContext, type CompletionItem, CompletionTriggerKind, TextEdit } from 'vscode-languageserver';
import type { Project } from '../../../server/check/project.ts';
import { completion } from '../../../server/features/completion.ts';
import { CURSOR, edited, LINE_ENDS, type Options, open, project, projectOf } from './fixture.ts';

const SNIPPETS = { snippets: true, markdown: true };
const PLAIN = { snippets: false, markdown: false };
const TYPED: CompletionContext = { triggerKind: CompletionTriggerKind.TriggerCharacter, triggerCharacter: '-' };

interface Asked extends Options {
  readonly context?: CompletionContext;
  readonly support?: typeof PLAIN;
  readonly inProject?: Project;
}

function items(lines: readonly string[], asked: Asked = {}): readonly CompletionItem[] {
  const opened = open(lines, asked);
  const inProject = asked.inProject ?? projectOf(opened, asked.path);
  const list = completion(opened.document, opened.position, asked.context, inProject, asked.support ?? PLAIN);
  return list?.items ?? [];
}

function labels(lines: readonly string[], asked: Asked = {}): readonly string[] {
  return items(lines, asked).map(({ label }) => label);
}

/** The document after the item with this label was chosen. */
function chosen(lines: readonly string[], label: string, asked: Asked = {}): readonly string[] {
  const item = items(lines, asked).find(one => one.label === label);
  assert.ok(item && TextEdit.is(item.textEdit), `no ${label}`);
  return edited(open(lines, asked).document, [item.textEdit], asked.lineEnd);
}

test('an empty line offers all kinds of line when a person asks, and nothing by itself', () => {
  const lines = [CURSOR, '<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'];
  assert.deepEqual(labels(lines), ['<!--BLOCK_ID:block-->', '<!--ephemeral-->', '<!--DISCARD_BLOCK:a-->']);
  assert.deepEqual(labels(lines, { context: TYPED }), []);
});

test('each start of a tag line offers what it can become', () => {
  const pair = ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'];
  for (const start of ['<', '<!', '<!-', '<!--']) {
    assert.equal(labels([...pair, start + CURSOR], { context: TYPED }).length, 3, start);
  }
  assert.deepEqual(labels([...pair, `<!--e${CURSOR}`]), ['<!--ephemeral-->']);
  assert.deepEqual(labels([...pair, `<!--D${CURSOR}`]), ['<!--DISCARD_BLOCK:a-->']);
  assert.deepEqual(labels([...pair, `<!--BLO${CURSOR}`]), ['<!--BLOCK_ID:block-->']);
  assert.deepEqual(labels([...pair, `<!--/${CURSOR}`]), []);
  assert.deepEqual(labels([pair[0] ?? '', `<!--/${CURSOR}`]), ['<!--/BLOCK_ID:a-->']);
});

test('nothing in prose, after blanks, in wrong case, or on a line that is a tag already', () => {
  const lines = [
    `text <!--${CURSOR}`,
    ` <!--${CURSOR}`,
    `\t<${CURSOR}`,
    `<!-- ${CURSOR}`,
    `<!--b${CURSOR}`,
    `<!--BLOCK_ID:A${CURSOR}`,
    `<!--BLOCK_ID:é${CURSOR}`,
    `<${CURSOR}em>`,
    `<!--${CURSOR} a comment -->`,
    `- ${CURSOR}`,
    `-${CURSOR}`,
    `a/${CURSOR}`,
    `${CURSOR}text`,
    `<!--ephemeral-->${CURSOR}`,
    `<!--eph${CURSOR}emeral-->`,
    `<!--BLOCK_ID:a-->${CURSOR}`,
    `\u2028<!--${CURSOR}`,
  ];
  for (const line of lines) {
    assert.deepEqual(labels(['x', line, 'y']), [], line);
  }
});

test('editor-bugs 27, 28: nothing in fenced code, front matter, comments or raw HTML', () => {
  for (const [first, last] of [
    ['```', '```'],
    ['~~~md', ''],
    ['---', '---'],
    ['<!--', '-->'],
    ['<pre>', '</pre>'],
  ] as const) {
    assert.deepEqual(labels([first, `<!--${CURSOR}`, last]), [], first);
    assert.deepEqual(labels([first, `<!--DISCARD_BLOCK:${CURSOR}`, last]), [], first);
    assert.deepEqual(labels([first, CURSOR, last]), [], first);
  }
  assert.deepEqual(labels(['```', '```', `<!--e${CURSOR}`]), ['<!--ephemeral-->']);
});

for (const lineEnd of LINE_ENDS) {
  test(`the pair is a snippet with linked IDs, or plain text (${JSON.stringify(lineEnd)})`, () => {
    const [item] = items(['x', `<!--BL${CURSOR}`], { support: SNIPPETS, lineEnd });
    assert.ok(TextEdit.is(item?.textEdit));
    assert.equal(item.textEdit.newText, ['<!--BLOCK_ID:${1:block}-->', '$0', '<!--/BLOCK_ID:$1-->'].join(lineEnd));
    assert.equal(item.insertTextFormat, 2);
    assert.deepEqual(chosen(['x', `<!--BL${CURSOR}`, 'y'], '<!--BLOCK_ID:block-->', { lineEnd }), [
      'x',
      '<!--BLOCK_ID:block-->',
      '',
      '<!--/BLOCK_ID:block-->',
      'y',
    ]);
  });
}

test('an opening gets a fresh ID, also fresh in the other sources when the file is one', () => {
  const inProject = project({ 'AGENTS.md': [], 'CLAUDE.md': ['<!--BLOCK_ID:block-->', '<!--DISCARD_BLOCK:x-->'] });
  assert.deepEqual(labels([`<!--BLOCK_ID:${CURSOR}`], { inProject }), ['block-2']);
  assert.deepEqual(labels([`<!--BLOCK_ID:x${CURSOR}`], { inProject }), ['x-2']);
  assert.deepEqual(labels([`<!--BLOCK_ID:x${CURSOR}`], { inProject, path: 'notes.md' }), ['x']);
  assert.deepEqual(chosen([`<!--BLOCK_ID:my_b-${CURSOR}`], 'my_b-'), [
    '<!--BLOCK_ID:my_b--->',
    '',
    '<!--/BLOCK_ID:my_b--->',
  ]);
});

test('no opening inside a block, and none on an opening that is closed already', () => {
  assert.deepEqual(labels(['<!--BLOCK_ID:a-->', `<!--BLOCK_ID:${CURSOR}`, '<!--/BLOCK_ID:a-->']), []);
  assert.deepEqual(labels(['<!--BLOCK_ID:a-->', `<!--BL${CURSOR}`, '<!--/BLOCK_ID:a-->']), []);
  assert.deepEqual(labels([`<!--BLOCK_ID:a${CURSOR}b-->`, '<!--/BLOCK_ID:ab-->']), []);
});

test('a closing line below that has no opening is what an opening is offered for first', () => {
  const lines = [`<!--BLOCK_ID:${CURSOR}`, 'text', '<!--/BLOCK_ID:old-->'];
  assert.deepEqual(labels(lines), ['old', 'block']);
  assert.deepEqual(chosen(lines, 'old'), ['<!--BLOCK_ID:old-->', 'text', '<!--/BLOCK_ID:old-->']);
});

test('a closing gets the open ID only, whatever else is defined', () => {
  const lines = ['<!--BLOCK_ID:z-->', '<!--/BLOCK_ID:z-->', '<!--BLOCK_ID:a-b-->', 'x', `<!--/BLOCK_ID:${CURSOR}`];
  const [item, ...others] = items(lines);
  assert.equal(item?.label, 'a-b');
  assert.equal(item?.preselect, true);
  assert.deepEqual(others, []);
  assert.equal(chosen(lines, 'a-b').at(-1), '<!--/BLOCK_ID:a-b-->');
  assert.deepEqual(labels(['<!--BLOCK_ID:z-->', '<!--/BLOCK_ID:z-->', `<!--/BLOCK_ID:${CURSOR}`]), []);
  assert.equal(labels(['<!--BLOCK_ID:a-->', 'x', CURSOR])[0], '<!--/BLOCK_ID:a-->');
});

test('a discard gets the IDs of this document, then those of the sources; what is discarded already comes last', () => {
  const inProject = project({
    'AGENTS.md': [],
    'CLAUDE.md': ['<!--BLOCK_ID:far-->', '<!--/BLOCK_ID:far-->', '<!--BLOCK_ID:broken-->'],
  });
  const found = items(
    [
      '<!--BLOCK_ID:done-->',
      '<!--/BLOCK_ID:done-->',
      '<!--BLOCK_ID:near-->',
      '<!--/BLOCK_ID:near-->',
      '<!--DISCARD_BLOCK:done-->',
      `<!--DISCARD_BLOCK:${CURSOR}`,
    ],
    { inProject },
  );
  assert.deepEqual(
    found.map(({ label, detail }) => [label, detail]),
    [
      ['near', 'line 3 of this file'],
      ['far', 'CLAUDE.md:1'],
      ['done', 'line 1 of this file'],
    ],
  );
  assert.deepEqual(
    found.map(({ sortText }) => sortText),
    ['0000', '0001', '0002'],
  );
});

test('editor-bugs 35: after `foo-` and `foo_` the range starts at the first character of the ID', () => {
  for (const id of ['foo-bar', 'foo_bar', 'foo--bar', '-foo-bar-']) {
    const pair = [`<!--BLOCK_ID:${id}-->`, `<!--/BLOCK_ID:${id}-->`];
    for (let typed = 0; typed <= id.length; typed++) {
      const lines = [...pair, `<!--DISCARD_BLOCK:${id.slice(0, typed)}${CURSOR}`];
      const [item] = items(lines, { context: TYPED });
      assert.ok(TextEdit.is(item?.textEdit), lines.at(-1));
      assert.deepEqual(item.textEdit.range.start, { line: 2, character: '<!--DISCARD_BLOCK:'.length });
      assert.equal(item.filterText, id);
      assert.deepEqual(chosen(lines, id), [...pair, `<!--DISCARD_BLOCK:${id}-->`]);
    }
  }
});

test('editor-bugs 34: an end that stands there already is replaced, never doubled', () => {
  const pair = ['<!--BLOCK_ID:a-b-->', '<!--/BLOCK_ID:a-b-->'];
  for (const tail of ['>', '->', '-->', '--> ', '->\t', 'b-->', 'b>', 'b', '']) {
    const lines = [...pair, `<!--DISCARD_BLOCK:a-${CURSOR}${tail}`, 'next'];
    assert.deepEqual(chosen(lines, 'a-b'), [...pair, '<!--DISCARD_BLOCK:a-b-->', 'next'], tail);
  }
  for (const [before, tail] of [
    ['<', '>'],
    ['<!--', '-->'],
    ['<!-', '->'],
    ['<!', '--'],
    ['<!--eph', 'eral-->'],
    ['<!--e', '>'],
  ]) {
    const lines = [`${before}${CURSOR}${tail}`, 'next'];
    const fits = tail !== 'eral-->';
    assert.deepEqual(labels(lines).includes('<!--ephemeral-->'), fits, lines[0]);
    if (fits) {
      assert.deepEqual(chosen(lines, '<!--ephemeral-->'), ['<!--ephemeral-->', 'next'], lines[0]);
    }
  }
});

test('a long list is cut and asked for again; a new ID follows what is typed', () => {
  const many = Array.from({ length: 300 }, (_, number) => [
    `<!--BLOCK_ID:b${number}-->`,
    `<!--/BLOCK_ID:b${number}-->`,
  ]).flat();
  const opened = open([...many, `<!--DISCARD_BLOCK:${CURSOR}`]);
  const list = completion(opened.document, opened.position, undefined, projectOf(opened), PLAIN);
  assert.equal(list?.isIncomplete, true);
  assert.equal(list.items.length, 200);
  assert.deepEqual(labels([...many, `<!--DISCARD_BLOCK:299${CURSOR}`]), ['b299']);
  const fresh = open([`<!--BLOCK_ID:${CURSOR}`]);
  assert.equal(completion(fresh.document, fresh.position, undefined, projectOf(fresh), PLAIN)?.isIncomplete, true);
});

test('every item explains itself in the form that the client takes', () => {
  for (const [support, kind] of [
    [SNIPPETS, 'markdown'],
    [PLAIN, 'plaintext'],
  ] as const) {
    const found = items(['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->', `<${CURSOR}`], { support });
    assert.equal(found.length, 3);
    for (const { documentation, filterText, label } of found) {
      assert.ok(typeof documentation === 'object' && documentation.value.length > 10);
      assert.equal(documentation.kind, kind);
      assert.equal(filterText, label);
    }
  }
});

test('a very long line behind the cursor is left alone', () => {
  const line = `<!--${CURSOR}${' '.repeat(200_000)}x`;
  assert.deepEqual(labels([line]), []);
});

test('utf-8: the range counts in the units of the client', () => {
  const lines = ['😀é', '<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->', `<!--DISCARD_BLOCK:${CURSOR}>`];
  assert.equal(chosen(lines, 'a', { encoding: 'utf-8' }).at(-1), '<!--DISCARD_BLOCK:a-->');
});
