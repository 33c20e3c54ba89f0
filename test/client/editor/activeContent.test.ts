import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activeContent, withActiveContent } from '../../../client/editor/activeContent.ts';
import { sha256 } from './session.ts';

const BLOCK = '<!--BLOCK_ID:style-->\nShort words.\n<!--/BLOCK_ID:style-->\n';
const style = { id: 'style', sha256: sha256(BLOCK) };

function request(...messages: readonly unknown[]): string {
  return JSON.stringify({ config: {}, system: 'Work.', messages });
}

function found(text: string, block = style): string | undefined {
  return activeContent(text, block, sha256);
}

test('the text is found among other blocks, in a text or in a part of one', () => {
  const other = BLOCK.replaceAll('style', 'other');
  assert.equal(found(request({ role: 'user', content: other + BLOCK })), BLOCK);
  assert.equal(found(request({ role: 'user', content: [{ type: 'text', text: BLOCK + other }] })), BLOCK);
});

test('only the text that was activated counts, not another one with the same ID', () => {
  const quoted = BLOCK.replace('Short', 'Long');
  assert.equal(found(request({ role: 'user', content: quoted })), undefined);
  assert.equal(found(request({ role: 'user', content: quoted }, { role: 'user', content: quoted + BLOCK })), BLOCK);
});

test('the line end that a request adds to the last line is taken off again', () => {
  const without = BLOCK.trimEnd();
  assert.equal(found(request({ content: BLOCK }), { id: 'style', sha256: sha256(without) }), without);
});

test('no request, hashes instead of content and a request without the block give nothing', () => {
  assert.equal(found(''), undefined);
  assert.equal(found('{'), undefined);
  assert.equal(found(request({ role: 'user', content: { sha256: style.sha256, bytes: 9 } })), undefined);
});

test('a request that is nested deeply is read all the same', () => {
  const deep = `${'['.repeat(5_000)}${JSON.stringify(BLOCK)}${']'.repeat(5_000)}`;
  assert.equal(found(deep), BLOCK);
});

test('a document is shown with the loaded text in the place of the block', () => {
  const before = '# Rules\n\n';
  const now = BLOCK.replace('Short', 'Long');
  assert.equal(withActiveContent(`${before}${now}after\n`, 'style', BLOCK), `${before}${BLOCK}after\n`);
  assert.equal(withActiveContent(`${before}${now}after\n`, 'style', BLOCK.trimEnd()), `${before}${BLOCK}after\n`);
  assert.equal(withActiveContent(before + now.trimEnd(), 'style', BLOCK.trimEnd()), before + BLOCK.trimEnd());
});

test('a document without the block leaves the loaded text alone', () => {
  assert.equal(withActiveContent('# Rules\n', 'style', BLOCK), BLOCK);
  assert.equal(withActiveContent('<!--BLOCK_ID:style-->\n', 'style', BLOCK), BLOCK);
});
