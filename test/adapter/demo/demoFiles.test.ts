import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PROJECT_FILES } from '../../../adapter/demo/demoFiles.ts';

test('the demo’s files are those of the sample', () => {
  for (const [file, text] of Object.entries(PROJECT_FILES)) {
    assert.equal(text, readFileSync(new URL(`../../../sample/${file}`, import.meta.url), 'utf8'), file);
  }
});
