import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Location, LocationLink } from 'vscode-languageserver';
import type { Project } from '../../../server/check/project.ts';
import { definition } from '../../../server/features/definition.ts';
import { CURSOR, LINE_ENDS, type Opened, open, project, projectOf, textOf, uriOf } from './fixture.ts';

function targets({ document, position }: Opened, inProject: Project): readonly string[] {
  const found = definition(document, position, inProject, { links: false }) as Location[] | null;
  return (found ?? []).map(({ uri, range }) => `${uri.replace('file:///w/', '')}:${range.start.line + 1}`);
}

for (const lineEnd of LINE_ENDS) {
  test(`closing leads to opening and back (${JSON.stringify(lineEnd)})`, () => {
    const closing = open(['', '<!--BLOCK_ID:a-->', 'x', `<!--/BLOCK_ID:a${CURSOR}-->`], { lineEnd });
    assert.deepEqual(targets(closing, projectOf(closing)), ['AGENTS.md:2']);
    const opening = open(['', `${CURSOR}<!--BLOCK_ID:a-->`, 'x', '<!--/BLOCK_ID:a-->'], { lineEnd });
    assert.deepEqual(targets(opening, projectOf(opening)), ['AGENTS.md:4']);
  });
}

test('an opening without closing leads to itself', () => {
  const opened = open(['', `${CURSOR}<!--BLOCK_ID:a-->`, 'x']);
  assert.deepEqual(targets(opened, projectOf(opened)), ['AGENTS.md:2']);
});

test('a closing that closes nothing leads to the openings of its ID, or nowhere', () => {
  const opened = open(['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->', `${CURSOR}<!--/BLOCK_ID:a-->`]);
  assert.deepEqual(targets(opened, projectOf(opened)), ['AGENTS.md:1']);
  const alone = open([`${CURSOR}<!--/BLOCK_ID:a-->`]);
  assert.equal(definition(alone.document, alone.position, projectOf(alone), { links: false }), null);
});

test('a discard leads to all valid blocks in load order', () => {
  const pair = ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'];
  const inProject = project({
    'x.prompt.md': ['', ...pair],
    'CLAUDE.md': ['', '', ...pair],
    'AGENTS.md': ['<!--BLOCK_ID:a-->'],
    'GEMINI.md': [],
  });
  const opened = open([`<!--DISCARD_BLOCK:${CURSOR}a-->`, ...pair], { path: 'GEMINI.md' });
  assert.deepEqual(targets(opened, inProject), ['CLAUDE.md:3', 'GEMINI.md:2', 'x.prompt.md:2']);
});

test('a discard of blocks that are all invalid leads to their openings', () => {
  const opened = open(['<!--BLOCK_ID:a-->', `<!--DISCARD_BLOCK:${CURSOR}a-->`]);
  assert.deepEqual(targets(opened, projectOf(opened)), ['AGENTS.md:1']);
});

test('links carry the ID here and the line and ID there', () => {
  const opened = open([`<!--DISCARD_BLOCK:a${CURSOR}-b-->`, '', '<!--BLOCK_ID:a-b-->', '<!--/BLOCK_ID:a-b-->']);
  const found = definition(opened.document, opened.position, projectOf(opened), { links: true });
  const link = found?.[0] as LocationLink;
  assert.ok(link.originSelectionRange);
  assert.equal(textOf(opened.document, link.originSelectionRange), 'a-b');
  assert.equal(textOf(opened.document, link.targetRange), '<!--BLOCK_ID:a-b-->');
  assert.equal(textOf(opened.document, link.targetSelectionRange), 'a-b');
  assert.equal(link.targetUri, uriOf('AGENTS.md'));
});

test('null off our lines and on an ephemeral line', () => {
  for (const line of [`a ${CURSOR}b`, `<!--ephem${CURSOR}eral-->`]) {
    const opened = open([line]);
    assert.equal(definition(opened.document, opened.position, projectOf(opened), { links: true }), null);
  }
});

test('IDs that are names of object members are ordinary', () => {
  const opened = open(['<!--BLOCK_ID:__proto__-->', `<!--/BLOCK_ID:__proto__${CURSOR}-->`]);
  assert.deepEqual(targets(opened, projectOf(opened)), ['AGENTS.md:1']);
  const discard = open([`<!--DISCARD_BLOCK:constructor${CURSOR}-->`]);
  assert.deepEqual(targets(discard, projectOf(discard)), []);
});
