import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage, sectionsOf } from './pages.ts';
import { assertAllRead, assertTestsExist, provenRows } from './provenRows.ts';

const gateway = sectionsOf(readPage('docs/security.md')).find(({ title }) => title === 'The gateway');
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
