import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('seed 2: what its newest message withdraws has no name anywhere in the code', () => {
  const files = globSync('{protocol,local,adapter,cli,server,client}/**/*.ts', { cwd: root }).filter(
    path => !path.includes('node_modules'),
  );
  assert.ok(files.length > 200, `${files.length} files`);
  assert.deepEqual(
    files.filter(path =>
      /RequestAdvice|RequestMessages|message_?suffix|request-advice/i.test(readFileSync(join(root, path), 'utf8')),
    ),
    [],
  );
});
