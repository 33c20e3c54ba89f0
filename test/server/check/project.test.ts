import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineDocument } from '../../../protocol/lifecycle/document.ts';
import { combineRules } from '../../../server/check/rules.ts';
import { summarize } from '../../../server/check/summarize.ts';
import { projectOf, uriOf } from './checkKit.ts';

test('a summary keeps the exact tag lines with line, length and validity, for every kind of line end', () => {
  const lines = [
    '# Title',
    '<!--BLOCK_ID:a-->',
    '<!--BLOCK_ID:b-->',
    '<!--/BLOCK_ID:a-->',
    '<!--ephemeral-->',
    '<!--BLOCK_ID:c-->',
    '<!--/BLOCK_ID:c-->',
  ];
  for (const end of ['\n', '\r\n', '\r']) {
    const { declarations } = summarize('u', 'p', outlineDocument(lines.join(end)), 7);
    assert.deepEqual(
      declarations.map(({ kind, id, line, length, valid }) => [kind, id, line, length, valid]),
      [
        ['opening', 'a', 1, 17, false],
        ['opening', 'b', 2, 17, false],
        ['closing', 'a', 3, 18, false],
        ['ephemeral', '', 4, 16, false],
        ['opening', 'c', 5, 17, true],
        ['closing', 'c', 6, 18, false],
      ],
    );
  }
});

test('sources stand in load order, whatever order they come in; files that are no sources are left out', () => {
  const files = {
    'z.context.md': [],
    'README.md': [],
    'b/AGENTS.md': [],
    'teach/AGENTS.md': [],
    'AGENTS.md': [],
    'CLAUDE.md': [],
  };
  const project = projectOf(files, combineRules({ exclude: ['teach/**'] }));
  assert.deepEqual(
    project.sources.map(({ path }) => path),
    ['AGENTS.md', 'b/AGENTS.md', 'CLAUDE.md', 'z.context.md'],
  );
  assert.equal(project.isSource(uriOf('CLAUDE.md')), true);
  assert.equal(project.isSource(uriOf('README.md')), false);
  assert.equal(project.isSource(uriOf('teach/AGENTS.md')), false);
});

test('definitions are the valid ones in load order; places are all lines of an ID', () => {
  const project = projectOf({
    'x.context.md': ['<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:a-->'],
    'GEMINI.md': ['<!--DISCARD_BLOCK:a-->', '<!--BLOCK_ID:a-->'],
    'AGENTS.md': [
      '<!--BLOCK_ID:a-->',
      '<!--/BLOCK_ID:a-->',
      '<!--BLOCK_ID:constructor-->',
      '<!--/BLOCK_ID:constructor-->',
    ],
  });
  const shown = (places: ReturnType<typeof project.placesOf>): readonly string[] =>
    places.map(({ source, declaration }) => `${source.path} ${declaration.kind} ${declaration.line}`);
  assert.deepEqual(shown(project.definitionsOf('a')), ['AGENTS.md opening 0', 'x.context.md opening 0']);
  assert.deepEqual(shown(project.placesOf('a')), [
    'AGENTS.md opening 0',
    'AGENTS.md closing 1',
    'GEMINI.md discard 0',
    'GEMINI.md opening 1',
    'x.context.md opening 0',
    'x.context.md closing 1',
  ]);
  assert.deepEqual([...project.definedIds], ['a', 'constructor']);
  assert.deepEqual(project.definitionsOf('__proto__'), []);
});
