import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shown } from '../../../client/views/wording.ts';

test('issue 4: what is cut off ends with no half of a character, which no address of a document may hold', () => {
  for (const length of [10, 11, 12]) {
    const cut = shown('😀'.repeat(100), length);
    assert.doesNotThrow(() => encodeURIComponent(cut));
    assert.ok(cut.length <= length && cut.endsWith('😀…'));
  }
});
