import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineDocument } from '../../protocol/lifecycle/document.ts';
import { NEAR_MISS_REASONS } from '../../protocol/lifecycle/problem.ts';
import { BYTE_NOTE_CODES } from '../../protocol/lifecycle/sourceBytes.ts';
import { FINDING_CODES } from '../../server/check/finding.ts';
import { defaultSeverity } from '../../server/check/rules.ts';
import { anchorOf, readPage, sectionsOf, tableRows } from './pages.ts';

const page = readPage('docs/diagnostics.md');
const sections = sectionsOf(page);
const codes = sections.filter(({ level, title }) => level === 2 && title !== 'Turning a code off');
const reasons = sections.filter(({ level }) => level === 3);

test('every code has one section, in the order of the codes, under its own anchor', () => {
  assert.deepEqual(
    codes.map(({ title }) => anchorOf(title)),
    FINDING_CODES,
  );
});

test('every section of a code says what is wrong and what to do', () => {
  for (const { title, text } of codes) {
    assert.match(text, /^Wrong: /m, title);
    assert.match(text, /^Fix: /m, title);
  }
});

test('every reason of a near miss has a section below malformed-tag', () => {
  assert.deepEqual(
    reasons.map(({ title }) => title),
    NEAR_MISS_REASONS,
  );
  const first = sections.findIndex(({ level }) => level === 3);
  assert.equal(sections[first - 1]?.title, 'malformed-tag');
});

test('the wrong example of every reason is a near miss for that reason, and of no other code', () => {
  for (const { title, text } of reasons) {
    const [, code = ''] = /^Wrong: `([^`]*)`/m.exec(text) ?? [];
    const line = text.includes('followed by a blank') ? `${code} ` : code;
    const { problems } = outlineDocument(`text\n\n${line}\n`);
    assert.deepEqual(
      problems.map(problem => [problem.code, problem.reason]),
      [['malformed-tag', title]],
      line,
    );
  }
});

test('the table of levels names every code at its default level', () => {
  const levels = tableRows(page)
    .filter(([level = '']) => /^(?:error|warning|note)/.test(level))
    .map(([level = '', cell = '']) => [
      level.split(',')[0],
      [...cell.matchAll(/\[([a-z0-9-]+)\]\(#\1\)/g)].map(([, code]) => code),
    ]);
  for (const severity of ['error', 'warning', 'note'] as const) {
    assert.deepEqual(
      new Set(levels.find(([level]) => level === severity)?.[1]),
      new Set(FINDING_CODES.filter(code => defaultSeverity(code) === severity)),
      severity,
    );
  }
  assert.deepEqual(
    FINDING_CODES.filter(code => defaultSeverity(code) === 'note'),
    [...BYTE_NOTE_CODES],
  );
});
