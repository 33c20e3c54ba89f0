import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileChecks } from '../../cli/handoff/fileChecks.ts';
import { HANDOFF_VERSION, readHandoff } from '../../protocol/budget/handoff/handoffFile.ts';
import { handoffPage, withTables } from '../../scripts/logFormat.ts';
import { fencesOf, readPage } from './pages.ts';

const page = readPage(handoffPage);

test('the table of the page on handoff files is that of their shape: node scripts/logFormat.ts writes it', () => {
  assert.equal(withTables(page), page);
});

test('the example on the page is a handoff file, and the page says its version', () => {
  const [example = ''] = fencesOf(page, 'json');
  const file = readHandoff(example);
  assert.equal(file.version, HANDOFF_VERSION);
  assert.deepEqual(
    fileChecks(file).map(({ result }) => result),
    ['ok', 'ok', 'ok'],
  );
  assert.ok(page.includes(`\`version\` is ${HANDOFF_VERSION}.`));
});
