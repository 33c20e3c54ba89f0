import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage, sectionsOf } from './pages.ts';
import { assertAllRead, assertTestsExist, provenRows } from './provenRows.ts';

const sections = sectionsOf(readPage('docs/security.md'));
const gateway = sections.find(({ title }) => title === 'The gateway');
const budget = sections.find(({ title }) => title === 'The budget layer');
const rows = provenRows(gateway?.text ?? '');

test('issue 5: each claim of the security page about the gateway has tests, which exist', () => {
  assert.ok(rows.length > 10);
  for (const { sentence, tests } of rows) {
    assert.ok(tests.length > 0, sentence);
  }
  assertTestsExist(rows);
  assertAllRead(rows);
});

test('issue 5: the page says what the gateway listens on, its token, credentials, proxies, web pages and other users', () => {
  const claims = rows.map(({ sentence }) => sentence).join(' ');
  for (const word of ['127.0.0.1', 'token', 'credentials', 'proxy', 'web page', 'only your user']) {
    assert.ok(claims.includes(word), word);
  }
  assert.match(gateway?.text ?? '', /sees every request .* \*\*stores\*\* .* \*\*sends\*\*/s);
});

test('issue 6: each claim of the security page about the budget layer has tests, which exist', () => {
  const claims = provenRows(budget?.text ?? '');
  assert.ok(claims.length > 8);
  for (const { sentence, tests } of claims) {
    assert.ok(tests.length > 0, sentence);
  }
  assertTestsExist(claims);
  assertAllRead(claims);
});

test('issue 6: the page says plainly that a summariser of one’s own is sent texts, and who may change the first tier', () => {
  const text = budget?.text ?? '';
  assert.match(text, /\*\*texts of your session go to the program or model that you name\*\*/);
  for (const word of [
    'Task and constraints are changed by you',
    'handoff',
    'obeyed as a tag',
    'without a shell',
    'loads nothing else',
  ]) {
    assert.ok(text.includes(word), word);
  }
});
