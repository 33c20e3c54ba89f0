import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LINE_LENGTH, readLogText } from '../../protocol/log/logReader.ts';
import { MAX_LEVELS } from '../../protocol/log/nesting.ts';
import { initialState, reduce } from '../../protocol/log/reduce.ts';
import { vocabulary } from '../../protocol/log/sessionEvents.ts';
import { shapeComments } from '../../scripts/logFormat/comments.ts';
import { logFormatPage, withTables } from '../../scripts/logFormat.ts';
import { fencesOf, readPage, sectionsOf } from './pages.ts';

const page = readPage(logFormatPage);

test('the tables of the page on logs are those of the shapes: node scripts/logFormat.ts writes them', () => {
  assert.equal(withTables(page), page);
});

test('every event has a section that says what it means before it lists its members', () => {
  const sections = sectionsOf(page).filter(({ level, title }) => level === 3 && title.includes('/'));
  assert.deepEqual(
    sections.map(({ title }) => title),
    Object.keys(vocabulary),
  );
  for (const { title, text } of sections) {
    assert.match(text, /^\n[A-Z][^|\n]{10,}\./, title);
    assert.match(text, /\n\| `\w+` \||\nIts data is /, title);
  }
});

test('the example on the page is a log', () => {
  const [example = ''] = fencesOf(page, 'jsonl');
  const { fault, torn, events } = readLogText(example);
  assert.equal(fault, undefined);
  assert.equal(torn, undefined);
  assert.equal(events.reduce(reduce, initialState).lastTurn, 1);
});

test('the page says the longest and the deepest line', () => {
  for (const most of [MAX_LINE_LENGTH, MAX_LEVELS]) {
    assert.ok(page.includes(most.toLocaleString('en')), String(most));
  }
});

test('doc comments are found by the path of the member, through constants, spreads, lists and optional members', () => {
  const first = `const shared = {
  /** Of the line. */
  line: ordinal,
} as const;
export const events = {
  /** An
   *  event. */
  'a/b': record({ ...shared, list: list(record({ /** Deep. */ deep: text })), /** Perhaps. */ perhaps: maybe(inner) }),
  // No doc comment.
  'a/c': record(other),
};`;
  const second = `const inner = record({
  /** Inside. */
  inside: text,

  /* No doc comment either. */
  none: text,
});
const other = { /** Of another file. */ far: text };`;
  const comments = shapeComments([first, second]);
  assert.deepEqual(
    [...comments].filter(([path]) => path.startsWith('events.')),
    [
      ['events.a/b', 'An event.'],
      ['events.a/b.line', 'Of the line.'],
      ['events.a/b.list[].deep', 'Deep.'],
      ['events.a/b.perhaps', 'Perhaps.'],
      ['events.a/b.perhaps.inside', 'Inside.'],
      ['events.a/c.far', 'Of another file.'],
    ],
  );
});
