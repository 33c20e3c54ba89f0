import assert from 'node:assert/strict';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { inRepository } from '../../scripts/build/paths.ts';
import { build } from '../../scripts/build.ts';

test('a build removes what nobody builds any more and leaves equal files alone', async () => {
  await build();
  const stale = ['dist/oldBundle.js', 'dist/types/lifecycle/gone.d.ts'].map(path => inRepository(path));
  for (const file of stale) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'old\n');
  }
  const before = statSync(inRepository('dist/protocol.js')).mtimeMs;
  await build();
  assert.deepEqual(stale.filter(existsSync), []);
  assert.equal(statSync(inRepository('dist/protocol.js')).mtimeMs, before);
});
