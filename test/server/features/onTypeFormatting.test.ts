import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onTypeFormatting } from '../../../server/features/onTypeFormatting.ts';
import { CURSOR, edited, LINE_ENDS, open } from './fixture.ts';

function after(lines: readonly string[], typed: string, lineEnd = '\n'): readonly string[] {
  const { document, position } = open(lines, { lineEnd });
  return edited(document, onTypeFormatting(document, position, typed), lineEnd);
}

function untouched(lines: readonly string[], typed: string): void {
  const { document, position } = open(lines);
  assert.deepEqual(onTypeFormatting(document, position, typed), [], lines.join(' | '));
}

for (const lineEnd of LINE_ENDS) {
  const name = JSON.stringify(lineEnd);
  test(`the closing line appears below after > (${name})`, () => {
    assert.deepEqual(after(['x', `<!--BLOCK_ID:a-b-->${CURSOR}`, 'y'], '>', lineEnd), [
      'x',
      '<!--BLOCK_ID:a-b-->',
      '<!--/BLOCK_ID:a-b-->',
      'y',
    ]);
  });

  test(`the closing line appears below the new line after Enter (${name})`, () => {
    assert.deepEqual(after(['<!--BLOCK_ID:a-->', CURSOR, 'y'], '\n', lineEnd), [
      '<!--BLOCK_ID:a-->',
      '',
      '<!--/BLOCK_ID:a-->',
      'y',
    ]);
    assert.deepEqual(after(['x', '<!--BLOCK_ID:a-->', CURSOR], '\n', lineEnd), [
      'x',
      '<!--BLOCK_ID:a-->',
      '',
      '<!--/BLOCK_ID:a-->',
      '',
    ]);
  });
}

test('after > on the last line nothing is inserted, since the cursor would end up behind it', () => {
  untouched([`<!--BLOCK_ID:a-->${CURSOR}`], '>');
});

test('a new block above another one is closed before that one', () => {
  assert.deepEqual(after([`<!--BLOCK_ID:a-->${CURSOR}`, '<!--BLOCK_ID:b-->', '<!--/BLOCK_ID:b-->'], '>'), [
    '<!--BLOCK_ID:a-->',
    '<!--/BLOCK_ID:a-->',
    '<!--BLOCK_ID:b-->',
    '<!--/BLOCK_ID:b-->',
  ]);
});

test('nothing where the closing is there, inside a block, or off an exact opening', () => {
  untouched([`<!--BLOCK_ID:a-->${CURSOR}`, 'x', '<!--/BLOCK_ID:a-->'], '>');
  untouched(['<!--BLOCK_ID:b-->', `<!--BLOCK_ID:a-->${CURSOR}`, '<!--/BLOCK_ID:b-->'], '>');
  untouched(['<!--BLOCK_ID:b-->', '<!--BLOCK_ID:a-->', CURSOR, '<!--/BLOCK_ID:b-->'], '\n');
  untouched(['```', `<!--BLOCK_ID:a-->${CURSOR}`, '```'], '>');
  untouched([`<!--BLOCK_ID:a -->${CURSOR}`, ''], '>');
  untouched([` <!--BLOCK_ID:a-->${CURSOR}`, ''], '>');
  untouched([`<!--BLOCK_ID:A-->${CURSOR}`, ''], '>');
  untouched([`<!--ephemeral-->${CURSOR}`, ''], '>');
  untouched([`<!--DISCARD_BLOCK:a-->${CURSOR}`, ''], '>');
  untouched([`<!--/BLOCK_ID:a-->${CURSOR}`, ''], '>');
  untouched([`text ->${CURSOR}`, '<!--BLOCK_ID:a-->'], '>');
  untouched([`${CURSOR}<!--BLOCK_ID:a-->`, ''], '>');
  untouched([CURSOR, '<!--BLOCK_ID:a-->'], '\n');
  untouched(['text', `${CURSOR}text`], '\n');
  untouched([`<!--BLOCK_ID:a-->${CURSOR}`, ''], ';');
});
