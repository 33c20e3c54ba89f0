import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsIn } from './checkKit.ts';

const mistakes = ['<!--BLOCK_ID:a-->', '<!--DISCARD_BLOCK:b-->'];

function codesWith(firstLine: string): readonly string[] {
  return findingsIn('notes.md', { 'notes.md': [firstLine, ...mistakes] }).map(({ code }) => code);
}

test('the first-line comment turns all codes off', () => {
  assert.deepEqual(codesWith('<!-- context-lifecycle-disable -->'), []);
  assert.deepEqual(codesWith('<!-- context-lifecycle-disable --> \t'), []);
});

test('the first-line comment turns named codes off and leaves the others', () => {
  assert.deepEqual(codesWith('<!-- context-lifecycle-disable unknown-block malformed-tag -->'), ['unclosed-block']);
  assert.deepEqual(codesWith('<!-- context-lifecycle-disable no-such-code -->'), ['unclosed-block', 'unknown-block']);
});

test('it must be the whole first line', () => {
  for (const line of [
    'Text <!-- context-lifecycle-disable -->',
    ' <!-- context-lifecycle-disable -->',
    '<!-- context-lifecycle-disable --> text',
    '<!-- context-lifecycle-disabled -->',
    '<!-- context-lifecycle-disable',
    `<!-- context-lifecycle-disable ${' unknown-block'.repeat(1000)} -->`,
  ]) {
    const codes = codesWith(line).filter(code => code !== 'live-tag-in-code-fence');
    assert.deepEqual(codes, ['unclosed-block', 'unknown-block'], line.slice(0, 80));
  }
  const second = ['# Title', '<!-- context-lifecycle-disable -->', ...mistakes];
  assert.equal(findingsIn('notes.md', { 'notes.md': second }).length, 2);
});
