import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsIn, messageOf, shortForm, uriOf } from './checkKit.ts';

const block = (id: string, ...content: string[]): string[] => [
  `<!--BLOCK_ID:${id}-->`,
  ...content,
  `<!--/BLOCK_ID:${id}-->`,
];

test('a context source without mistakes has no findings', () => {
  const lines = ['# Rules', ...block('rules', 'Text.'), '<!--ephemeral-->', '<!--DISCARD_BLOCK:rules-->'];
  assert.deepEqual(findingsIn('AGENTS.md', { 'AGENTS.md': lines }), []);
});

test('structural problems are errors, in document order', () => {
  const lines = ['<!--/BLOCK_ID:x-->', '<!--BLOCK_ID:a-->', '<!--BLOCK_ID:b-->', '<!--/BLOCK_ID:c-->'];
  assert.deepEqual(shortForm(findingsIn('AGENTS.md', { 'AGENTS.md': lines }), lines), [
    '1 unexpected-block-end error',
    '2 unclosed-block error',
    '3 nested-block error',
    '4 mismatched-block-end error',
  ]);
});

test('the first definition of a duplicate is marked too, and names all the others', () => {
  const lines = [...block('a'), ...block('a'), ...block('a')];
  const findings = findingsIn('notes.md', { 'notes.md': lines });
  assert.deepEqual(shortForm(findings, lines), [
    '1 duplicate-block-id error',
    '3 duplicate-block-id error',
    '5 duplicate-block-id error',
  ]);
  const others = findings[0]?.related.map(place => place.kind === 'here' && place.range.start);
  assert.deepEqual(others, [lines.slice(0, 2).join('\n').length + 1, lines.slice(0, 4).join('\n').length + 1]);
});

test('a sound block is marked when its ID is opened again inside another block, before or after it', () => {
  const nested = ['<!--BLOCK_ID:b-->', '<!--BLOCK_ID:a-->', '<!--/BLOCK_ID:b-->'];
  for (const [lines, marked, inner] of [
    [[...block('a'), ...nested], 1, 4],
    [[...nested, ...block('a')], 4, 2],
  ] as const) {
    const findings = findingsIn('notes.md', { 'notes.md': [...lines] });
    assert.deepEqual(
      new Set(shortForm(findings, lines)),
      new Set([`${marked} duplicate-block-id error`, `${inner} nested-block error`]),
    );
    assert.match(messageOf(findings.find(({ code }) => code === 'duplicate-block-id')), /inside another block/);
  }
});

test('a block that opens inside a block of the same ID is reported once, where it stands', () => {
  const lines = ['<!--BLOCK_ID:a-->', ...block('a')];
  assert.deepEqual(shortForm(findingsIn('notes.md', { 'notes.md': lines }), lines), ['2 nested-block error']);
});

test('the first source in load order keeps an ID; each later one points at it', () => {
  const files = {
    'packages/api/AGENTS.md': block('a'),
    'AGENTS.md': ['', ...block('a')],
    'CLAUDE.md': [],
    'x.context.md': block('a'),
  };
  assert.deepEqual(findingsIn('AGENTS.md', files), []);
  for (const path of ['packages/api/AGENTS.md', 'x.context.md']) {
    const [finding, ...more] = findingsIn(path, files);
    assert.equal(finding?.code, 'block-id-conflict');
    assert.equal(finding?.severity, 'warning');
    assert.deepEqual(more, []);
    assert.deepEqual(
      finding?.related.map(place => place.kind === 'elsewhere' && [place.uri, place.line, place.length]),
      [[uriOf('AGENTS.md'), 1, '<!--BLOCK_ID:a-->'.length]],
    );
  }
});

test('an invalid definition conflicts with nothing and wins against nothing', () => {
  const files = { 'AGENTS.md': ['<!--BLOCK_ID:a-->'], 'GEMINI.md': block('a') };
  assert.deepEqual(findingsIn('GEMINI.md', files), []);
});

test('a document that is no context source has no conflicts, but its own problems', () => {
  const lines = [...block('a'), '<!--BLOCK_ID:b-->', '<!--DISCARD_BLOCK:nobody-->'];
  assert.deepEqual(shortForm(findingsIn('notes.md', { 'AGENTS.md': block('a'), 'notes.md': lines }), lines), [
    '3 unclosed-block error',
    '4 unknown-block warning',
  ]);
});

test('a discard is known when this document or any context source defines its block', () => {
  const files = {
    'AGENTS.md': block('there'),
    'notes.md': [...block('here'), ...['here', 'there', 'nowhere'].map(id => `<!--DISCARD_BLOCK:${id}-->`)],
  };
  const findings = findingsIn('notes.md', files);
  assert.deepEqual(
    findings.map(({ code, blockId }) => [code, blockId]),
    [['unknown-block', 'nowhere']],
  );
});

test('a discard of a block that is invalid elsewhere points there; an invalid one here is reported once', () => {
  const files = {
    'AGENTS.md': ['<!--BLOCK_ID:a-->'],
    'notes.md': ['<!--DISCARD_BLOCK:a-->'],
    'own.md': ['<!--DISCARD_BLOCK:b-->', '<!--BLOCK_ID:b-->'],
  };
  const [finding] = findingsIn('notes.md', files);
  assert.equal(finding?.code, 'unknown-block');
  assert.deepEqual(
    finding?.related.map(place => place.kind === 'elsewhere' && place.uri),
    [uriOf('AGENTS.md')],
  );
  assert.deepEqual(
    findingsIn('own.md', files).map(({ code }) => code),
    ['unclosed-block'],
  );
});

test('a discard inside a valid block is explained; one that discards its own block says so', () => {
  const lines = [
    ...block('a', '<!--DISCARD_BLOCK:a-->'),
    ...block('b', '<!--DISCARD_BLOCK:a-->'),
    '<!--DISCARD_BLOCK:b-->',
  ];
  const findings = findingsIn('AGENTS.md', { 'AGENTS.md': lines });
  assert.deepEqual(shortForm(findings, lines), ['2 discard-inside-block warning', '5 discard-inside-block warning']);
  assert.match(messageOf(findings[0]), /discards the block 'a' in which it stands/);
  assert.match(messageOf(findings[1]), /discards 'a' although it stands inside block 'b'/);
});

test('a discard behind an unclosed opening is not inside a block: there is none', () => {
  const lines = ['<!--BLOCK_ID:a-->', '<!--DISCARD_BLOCK:a-->'];
  assert.deepEqual(shortForm(findingsIn('AGENTS.md', { 'AGENTS.md': lines }), lines), ['1 unclosed-block error']);
});

test('a file whose agent strips comments says so once, at its first tag line', () => {
  const lines = ['# Rules', ...block('a'), ...block('b')];
  const findings = findingsIn('packages/web/CLAUDE.md', { 'packages/web/CLAUDE.md': lines });
  assert.deepEqual(shortForm(findings, lines), ['2 host-strips-comments warning']);
  assert.match(messageOf(findings[0]), /Claude Code 2\.1\.72 and later removes/);
  assert.deepEqual(findingsIn('CLAUDE.md', { 'CLAUDE.md': ['# No tag', '<!-- a comment -->'] }), []);
});

test('severities: a code can be made louder, quieter or turned off', () => {
  const lines = ['<!--BLOCK_ID:a-->', '<!--DISCARD_BLOCK:b-->'];
  const severities = { 'unclosed-block': 'note', 'unknown-block': 'off' } as const;
  assert.deepEqual(shortForm(findingsIn('AGENTS.md', { 'AGENTS.md': lines }, { severities }), lines), [
    '1 unclosed-block note',
  ]);
});

test('an excluded file has no findings and defines nothing', () => {
  const files = { 'teach/AGENTS.md': [...block('a'), '<!--BLOCK_ID:b-->'], 'AGENTS.md': ['<!--DISCARD_BLOCK:a-->'] };
  const exclude = ['teach/**'];
  assert.deepEqual(findingsIn('teach/AGENTS.md', files, { exclude }), []);
  assert.deepEqual(
    findingsIn('AGENTS.md', files, { exclude }).map(({ code }) => code),
    ['unknown-block'],
  );
});
