import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseWithRegexes } from '../bench/regexParser.ts';

test('the regular-expression parser of the bench does the same work as ours: it passes the reference documents', () => {
  const lines = readFileSync(new URL('../vectors/grammar.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  for (const [index, line] of lines.entries()) {
    const { text, structural, ...expected } = JSON.parse(line) as { text: string; structural: unknown };
    assert.deepEqual(parseWithRegexes(text), expected, `vector ${index + 1} (${JSON.stringify(structural)})`);
  }
});
