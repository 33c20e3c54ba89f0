import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { idProblem, selectionProblem, wrapChanges } from '../../client/wrapSelection.ts';
import { parseDocument } from '../../protocol/lifecycle/document.ts';
import type { TextChange, TextRange } from '../../protocol/lifecycle/text.ts';

function apply(text: string, changes: readonly TextChange[]): string {
  return changes.toReversed().reduce((result, { range, newText }) => {
    return result.slice(0, range.start) + newText + result.slice(range.end);
  }, text);
}

/** The text between `[` and `]` is selected. */
function marked(text: string): { text: string; selection: TextRange } {
  const start = text.indexOf('[');
  const end = text.indexOf(']') - 1;
  return { text: text.replace('[', '').replace(']', ''), selection: { start, end } };
}

function wrapped(selected: string, lineEnd = '\n'): string {
  const { text, selection } = marked(selected);
  return apply(text, wrapChanges(text, selection, 'new', lineEnd));
}

const OPEN = '<!--BLOCK_ID:new-->';
const CLOSE = '<!--/BLOCK_ID:new-->';

test('the lines that the selection touches become the block', () => {
  assert.equal(wrapped('one\ntw[o\nthr]ee\nfour\n'), `one\n${OPEN}\ntwo\nthree\n${CLOSE}\nfour\n`);
});

test('a line that the selection only reaches at its start stays outside', () => {
  assert.equal(wrapped('[one\n]two\n'), `${OPEN}\none\n${CLOSE}\ntwo\n`);
});

test('without a selection it is the line of the cursor', () => {
  assert.equal(wrapped('one\nt[]wo\n'), `one\n${OPEN}\ntwo\n${CLOSE}\n`);
});

test('a last line without an end gets one, and the closing line has none', () => {
  assert.equal(wrapped('one\n[two]'), `one\n${OPEN}\ntwo\n${CLOSE}`);
});

test('an empty document gets an empty block', () => {
  assert.equal(wrapped('[]'), `${OPEN}\n${CLOSE}\n`);
});

test('CRLF documents get CRLF lines', () => {
  assert.equal(wrapped('one\r\n[two]\r\n', '\r\n'), `one\r\n${OPEN}\r\ntwo\r\n${CLOSE}\r\n`);
});

test('an ID must be legal and free', () => {
  const text = `${OPEN}\n${CLOSE}\n`;
  assert.equal(idProblem(text, 'other'), undefined);
  assert.equal(idProblem(text, 'new')?.template, "This document already has a block '{0}'.");
  for (const id of ['', 'A', 'ä', 'a b', 'a-->']) {
    assert.equal(idProblem(text, id)?.template, 'An ID has only the characters a–z, 0–9, _ and -.', id);
  }
});

test('a selection that would nest or cut a block is refused in one sentence', () => {
  const around = marked(`[before\n${OPEN}\ninside\n${CLOSE}\n]after\n`);
  assert.match(selectionProblem(around.text, around.selection)!.template, /first or last line of another block/);
  const inside = marked(`${OPEN}\nins[id]e\n${CLOSE}\n`);
  assert.match(selectionProblem(inside.text, inside.selection)!.template, /stands inside block/);
  const after = marked(`${OPEN}\ninside\n${CLOSE}\n[after]\n`);
  assert.equal(selectionProblem(after.text, after.selection), undefined);
});

test('whatever is selected: an accepted selection makes exactly one more valid block and loses no character', () => {
  const line = fc.constantFrom(
    'text',
    '',
    OPEN.replace('new', 'a'),
    CLOSE.replace('new', 'a'),
    '<!--DISCARD_BLOCK:a-->',
    '😀 ü',
  );
  const document = fc
    .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, lineEnd, open]) => ({ text: lines.join(lineEnd) + (open ? '' : lineEnd), lineEnd }));
  let accepted = 0;
  fc.assert(
    fc.property(document, fc.nat(), fc.nat(), ({ text, lineEnd }, one, other) => {
      const [start = 0, end = 0] = [one % (text.length + 1), other % (text.length + 1)].sort((a, b) => a - b);
      if (selectionProblem(text, { start, end })) {
        return;
      }
      accepted++;
      const result = apply(text, wrapChanges(text, { start, end }, 'new', lineEnd));
      const before = parseDocument(text).blocks.map(({ id }) => id);
      assert.deepEqual(
        parseDocument(result)
          .blocks.map(({ id }) => id)
          .toSorted(),
        [...before, 'new'].toSorted(),
      );
      assert.equal(
        result
          .replace(OPEN, '')
          .replace(CLOSE, '')
          .replace(/[\r\n]/g, ''),
        text.replace(/[\r\n]/g, ''),
      );
    }),
    { numRuns: 300 },
  );
  assert.ok(accepted > 50);
});
