import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DocumentTags, documentTags } from '../../../client/editor/documentTags.ts';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const TEXTS = [
  '<!--BLOCK_ID:a-->',
  '<!--/BLOCK_ID:a-->',
  '<!--BLOCK_ID:b-->',
  '<!--/BLOCK_ID:b-->',
  '<!--DISCARD_BLOCK:a-->',
  '<!--ephemeral-->',
  '<!--',
  'prose',
  ' ',
  '',
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom('\n', '\n', '\r\n', '\r', '')), { maxLength: 12 })
  .map(lines => lines.flat().join(''));

/** All that is said of a text, and what each block says to the hashes of all of them. */
function saidBy({ blocks, discards }: DocumentTags, hashes: readonly string[]): unknown {
  return {
    discards,
    blocks: blocks.map(({ id, line, endLine, valid, range, is }) => ({
      id,
      line,
      endLine,
      valid,
      range,
      is: hashes.map(is),
    })),
  };
}

function blockHashes(...all: readonly DocumentTags[]): readonly string[] {
  return all.flatMap(tags => tags.blocks.map(({ range }) => sha256(tags.text.slice(range.start, range.end))));
}

test('after any edits, what the tag lines declare is what a fresh look at the text says', () => {
  fc.assert(
    fc.property(
      text,
      fc.array(fc.tuple(fc.nat(), fc.nat(30), text), { minLength: 1, maxLength: 4 }),
      (first, edits) => {
        let now = first;
        let tags = documentTags(first, sha256);
        for (const [place, length, put] of edits) {
          const start = place % (now.length + 1);
          now = now.slice(0, start) + put + now.slice(start + length);
          const before = tags;
          tags = documentTags(now, sha256, before);
          const fresh = documentTags(now, sha256);
          const hashes = blockHashes(before, fresh);
          assert.deepEqual(saidBy(tags, hashes), saidBy(fresh, hashes));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test('an edit of prose hashes no block anew but the one it stands in', () => {
  const block = (id: number): string => `<!--BLOCK_ID:b${id}-->\nText ${id}.\n<!--/BLOCK_ID:b${id}-->\n`;
  const blocks = Array.from({ length: 100 }, (_, id) => block(id));
  let hashed = 0;
  const counted = (said: string): string => {
    hashed++;
    return sha256(said);
  };
  const look = (tags: DocumentTags): void =>
    tags.blocks.forEach(({ is, id }) => is(sha256(block(Number(id.slice(1))))));
  const before = documentTags(blocks.join('\n'), counted);
  look(before);
  assert.equal(hashed, 100);
  const between = documentTags(`More.\n${blocks.join('\n')}`, counted, before);
  look(between);
  assert.equal(hashed, 100);
  assert.equal(between.blocks[99]?.line, (before.blocks[99]?.line ?? 0) + 1);
  look(documentTags(blocks.join('\n').replace('Text 50.', 'Text 50, more.'), counted, between));
  // It has another text, whose other forms are tried too.
  assert.ok(hashed > 100 && hashed <= 105, `${hashed}`);
});
