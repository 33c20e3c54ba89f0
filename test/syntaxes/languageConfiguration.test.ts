import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tagLine } from '../../protocol/lifecycle/declaration.ts';

/** What VS Code reads of language-configuration.json. */
interface Configuration {
  readonly comments: { readonly blockComment: readonly [string, string] };
  readonly autoClosingPairs: readonly { readonly open: string; readonly close: string }[];
  readonly folding: { readonly markers: { readonly start: string; readonly end: string } };
  readonly wordPattern: { readonly pattern: string; readonly flags: string };
}

const configuration = JSON.parse(
  readFileSync(new URL('../../language-configuration.json', import.meta.url), 'utf8'),
) as Configuration;

/** The words of a line, found as VS Code does. */
function words(line: string): readonly string[] {
  const { pattern, flags } = configuration.wordPattern;
  return line.match(new RegExp(pattern, flags)) ?? [];
}

test('an ID is one word, with its hyphens and underscores at either end', () => {
  for (const id of ['a', '-', '_', '--', 'phase-1_plan', '-a-', 'a--b', '__proto__']) {
    for (const kind of ['opening', 'closing', 'discard'] as const) {
      assert.deepEqual(words(tagLine(kind, id)).slice(-1), [id], tagLine(kind, id));
    }
  }
  assert.deepEqual(words('<!--BLOCK_ID:a-b-->'), ['BLOCK_ID', 'a-b']);
  assert.deepEqual(words(tagLine('ephemeral')), ['ephemeral']);
});

test('words of prose are those of any language, without quotes, dashes and emphasis', () => {
  assert.deepEqual(words('- Über *größte* `snake_case`, kebab-case: x -- 日本語 _now_ -'), [
    'Über',
    'größte',
    'snake_case',
    'kebab-case',
    'x',
    '日本語',
    'now',
  ]);
});

test('editor-bugs 34: no pair is closed by more than the one character that typing it again goes over', () => {
  for (const { open, close } of configuration.autoClosingPairs) {
    assert.equal(open.length + close.length, 2, `${open} ${close}`);
  }
});

test('a block folds from its opening to its closing line, and so do region comments', () => {
  const start = new RegExp(configuration.folding.markers.start);
  const end = new RegExp(configuration.folding.markers.end);
  for (const line of [tagLine('opening', 'a-1'), '<!-- #region x -->', '  <!--region-->']) {
    assert.ok(start.test(line) && !end.test(line), line);
  }
  for (const line of [tagLine('closing', 'a-1'), '<!-- #endregion -->']) {
    assert.ok(end.test(line) && !start.test(line), line);
  }
  for (const line of [
    ` ${tagLine('opening', 'a')}`,
    `${tagLine('opening', 'a')} `,
    '<!--BLOCK_ID:A-->',
    tagLine('ephemeral'),
  ]) {
    assert.ok(!start.test(line) && !end.test(line), line);
  }
});

test('comments are HTML comments', () => {
  assert.deepEqual(configuration.comments.blockComment, ['<!--', '-->']);
});
