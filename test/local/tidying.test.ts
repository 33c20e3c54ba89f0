import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DEFAULT_RETENTION } from '../../local/retention.ts';
import { tidyLogs } from '../../local/tidying.ts';

test('many sessions that open in one minute look through the logs of their folder once', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'cl-tidying-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const litter = join(folder, 'a.jsonl.new');
  const leave = (): void => {
    writeFileSync(litter, '');
    utimesSync(litter, 1, 1);
  };
  leave();
  const began = await Promise.all([0, 1, 59_999].map(now => tidyLogs(folder, DEFAULT_RETENTION, 1_000_000 + now)));
  assert.deepEqual(began, [true, false, false]);
  assert.equal(existsSync(litter), false);
  leave();
  assert.equal(await tidyLogs(folder, DEFAULT_RETENTION, 1_060_000), true);
  assert.equal(existsSync(litter), false);
});

test('a folder that is not there is no fault', async () => {
  assert.equal(await tidyLogs('/nonexistent/sessions', DEFAULT_RETENTION, 5), true);
});
