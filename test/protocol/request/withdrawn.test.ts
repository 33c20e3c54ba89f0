import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const ROOMS = ['protocol', 'local', 'adapter', 'cli', 'server', 'client'];

test('seed 2: what its newest message withdraws has no name anywhere in the code', () => {
  const files = ROOMS.flatMap(room =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.ts'))
      .map(path => join(room, path)),
  );
  assert.ok(files.length > 200, `${files.length} files`);
  assert.deepEqual(
    files.filter(path =>
      /RequestAdvice|RequestMessages|message_?suffix|request-advice/i.test(readFileSync(join(root, path), 'utf8')),
    ),
    [],
  );
});
