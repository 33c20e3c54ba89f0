import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { loadGrammar, type ScanWork, tokenize } from './grammarKit.ts';

const folder = new URL('../../syntaxes/', import.meta.url);

/** Every `match` in our grammars, by file. */
function patterns(): readonly { readonly file: string; readonly pattern: string }[] {
  return readdirSync(folder).flatMap(file => {
    const found: { file: string; pattern: string }[] = [];
    JSON.parse(readFileSync(new URL(file, folder), 'utf8'), (key, value: unknown) => {
      if (['match', 'begin', 'end', 'while'].includes(key)) {
        assert.equal(typeof value, 'string', `${file}: ${key}`);
        found.push({ file, pattern: String(value) });
      }
      return value;
    });
    return found;
  });
}

test('editor-bugs 62: no pattern repeats a group, or repeats two things in a row that can match the same character', () => {
  const all = patterns();
  assert.ok(all.length >= 8, `${all.length} patterns`);
  for (const { file, pattern } of all) {
    assert.doesNotMatch(pattern, /\)[*+{]/, `${file}: a repeated group in ${pattern}`);
    assert.doesNotMatch(pattern, /\.[*+]/, `${file}: a repeated dot in ${pattern}`);
    const repeats = [...pattern.matchAll(/(\[[^\]]+\])[*+](?:[)?]|\(\?[:=!]|\(|$)*(?=(\[[^\]]+\])[*+])/g)];
    for (const [, first = '', second = ''] of repeats) {
      const overlap = [...Array(128).keys()]
        .map(code => String.fromCharCode(code))
        .filter(character => new RegExp(`^${first}$`).test(character) && new RegExp(`^${second}$`).test(character));
      assert.deepEqual(overlap, [], `${file}: ${first} and ${second} in ${pattern}`);
    }
  }
});

/** Shapes of one long line; each is repeated until the line has the wanted length. */
const SHAPES = [
  { name: 'one long ID', line: (length: number) => `<!--BLOCK_ID:${'a'.repeat(length)}` },
  { name: 'one long ID of hyphens', line: (length: number) => `<!--BLOCK_ID:${'-'.repeat(length)}x` },
  { name: 'a long live tag', line: (length: number) => `<!--BLOCK_ID:${'a-'.repeat(length / 2)}-->` },
  { name: 'comment starts', line: (length: number) => '<!--'.repeat(length / 4) },
  { name: 'whole comments', line: (length: number) => '<!--ephemeral-->'.repeat(length / 16) },
  { name: 'blanks', line: (length: number) => `${' '.repeat(length)}<!--ephemeral-->` },
  { name: 'blanks inside', line: (length: number) => `<!--${' '.repeat(length)}ephemeral-->x` },
  { name: 'blanks behind', line: (length: number) => `<!--ephemeral-->${' '.repeat(length)}x` },
  { name: 'quote marks', line: (length: number) => `${'> '.repeat(length / 2)}<!--ephemeral-->` },
];

for (const { name, line } of SHAPES) {
  test(`a line twice as long costs our patterns at most twice the scans: ${name}`, async () => {
    const [short, long] = [await scans(line(1000)), await scans(line(2000))];
    assert.ok(short.calls > 0, 'our patterns were asked');
    assert.ok(long.calls <= 2 * short.calls + 8, `${short.calls} scans, then ${long.calls}`);
  });
}

/** What our grammars' scanners did for one line. */
async function scans(line: string): Promise<ScanWork> {
  const work = { calls: 0 };
  tokenize(await loadGrammar('text.html.markdown', { work }), line);
  return work;
}
