import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseDocument } from '../../protocol/lifecycle/document.ts';
import { STRUCTURAL_CODES } from '../../protocol/lifecycle/problem.ts';

const vectors = readFileSync(new URL('../vectors/grammar.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');

test('V1: Grammar: all 4,000 reference documents parse to the same fields in the same order', () => {
  assert.equal(vectors.length, 4000);
  for (const [index, line] of vectors.entries()) {
    const { text, ...expected } = JSON.parse(line) as { text: string };
    const { problems, ...parsed } = parseDocument(text);
    const structural = problems
      .filter(({ code }) => STRUCTURAL_CODES.has(code))
      .map(({ code, line: number }) => ({ code, line: number }));
    assert.deepEqual({ ...parsed, structural }, expected, `vector ${index + 1}`);
    assert.equal(JSON.stringify({ ...parsed, structural }), JSON.stringify(expected), `field order of ${index + 1}`);
  }
});
