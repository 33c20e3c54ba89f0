import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { removeStale, writeOutput } from '../../scripts/build/outputs.ts';
import { filesUnder } from '../../scripts/build/paths.ts';

// Not in dist/: other tests pack it meanwhile.
const folder = mkdtempSync(join(tmpdir(), 'outputs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('what nobody builds any more is removed, the rest and what another build is writing stay', () => {
  for (const path of ['new.js', 'old.js', 'types/new.d.ts', 'types/old.d.ts', 'new.js.1.partial']) {
    writeOutput(join(folder, 'dist', path), 'text');
  }
  removeStale(new Set(['new.js', 'types/new.d.ts']), join(folder, 'dist'));
  assert.deepEqual(filesUnder(join(folder, 'dist')), ['new.js', 'new.js.1.partial', 'types/new.d.ts']);
});

test('a file with the same content is left alone, one with another is replaced', () => {
  const file = join(folder, 'file.js');
  writeOutput(file, 'one');
  utimesSync(file, 1, 1);
  writeOutput(file, 'one');
  assert.equal(statSync(file).mtimeMs, 1000);
  writeOutput(file, 'two', 0o755);
  assert.equal(readFileSync(file, 'utf8'), 'two');
  assert.deepEqual(
    filesUnder(folder).filter(path => path.startsWith('file')),
    ['file.js'],
  );
});
