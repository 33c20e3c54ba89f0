import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_RETENTION } from '../../local/retention.ts';
import { readPage, root, tableRows } from './pages.ts';

const PAGE = 'docs/session-files.md';

test('the page of session files has the settings of the schema, with their defaults', () => {
  const schema = JSON.parse(readFileSync(join(root, 'schemas/config.schema.json'), 'utf8')) as {
    readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
  };
  const documented = tableRows(readPage(PAGE))
    .filter(([name = '']) => /^`\w+`$/.test(name))
    .map(([name = '', usual = '']) => [name.slice(1, -1), usual.replaceAll('`', '')]);
  const expected = Object.entries(schema.properties)
    .filter(([name]) => name !== '$schema')
    .map(([name, { default: usual }]) => [name, usual === undefined ? 'the default policy' : JSON.stringify(usual)]);
  assert.deepEqual(documented, expected);
});

test('the page of session files says how long logs are kept', () => {
  const { days, bytes } = DEFAULT_RETENTION;
  assert.ok(readPage(PAGE).includes(`not written for ${days} days are removed`));
  assert.ok(readPage(PAGE).includes(`at most ${bytes / 1e9} GB`));
});
