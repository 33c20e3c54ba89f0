import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { o200kTokens } from '../../../adapter/tokens/o200k.ts';
import { countablePieces, LONGEST_PRE_TOKEN } from '../../../adapter/tokens/pieces.ts';
import { repository } from '../../../scripts/build/paths.ts';

/** What the encoder's work is made of: the square of each pre-token's length. */
function preTokens(text: string): readonly string[] {
  return [...text.matchAll(O200K_TOKEN_SPLIT_REGEX)].map(([preToken]) => preToken);
}

function encoderWork(text: string): number {
  return countablePieces(text)
    .flatMap(preTokens)
    .reduce((work, { length }) => work + length ** 2, 0);
}

const cjk = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode(0x4e_00 + ((at * 7_919) % 20_000))).join('');

/** specs/tokens.md 3, and runs that no single class of characters makes up. */
const PATHOLOGICAL: Readonly<Record<string, string>> = {
  'letters a': 'a'.repeat(65_536),
  'capital letters': 'A'.repeat(65_536),
  blanks: ' '.repeat(65_536),
  tabs: '\t'.repeat(65_536),
  'line ends': '\n'.repeat(65_536),
  'a separator line': '='.repeat(65_536),
  'Chinese without punctuation': cjk(32_768),
  'blanks and line ends in turn': ' \n'.repeat(32_768),
  'symbols, then slashes and line ends in turn': `=${'/\n'.repeat(32_768)}`,
  'symbols and combining marks in turn': `==${'\u0301='.repeat(32_768)}`,
  'emoji that are joined': '👩‍💻'.repeat(13_000),
  'emoji, each a pair of surrogates': '😀'.repeat(32_768),
  'surrogates that stand alone': '\ud83d'.repeat(65_536),
  'fullwidth punctuation': '，'.repeat(65_536),
  'no-break spaces': '\u00a0'.repeat(65_536),
  'one base64 line': Buffer.from(cjk(16_000)).toString('base64'),
  'zero bytes': '\0'.repeat(65_536),
};

for (const [name, text] of Object.entries(PATHOLOGICAL)) {
  test(`tokens.md 3: ${name} is counted in linear work`, () => {
    const work = encoderWork(text);
    assert.ok(work <= text.length * LONGEST_PRE_TOKEN, `${work} for ${text.length}`);
    assert.equal(countablePieces(text).join(''), text);
    // Twice the text is about twice the work.
    assert.ok(encoderWork(text + text) <= 2 * work + LONGEST_PRE_TOKEN ** 2);
    const tokens = o200kTokens(text);
    assert.ok(tokens > 0 && tokens <= Buffer.byteLength(text));
  });
}

test('tokens.md 3: a run of ten million characters is counted, where one regular expression runs out of stack', () => {
  const text = '中'.repeat(10_000_000);
  assert.throws(() => preTokens(text), RangeError);
  assert.ok(countablePieces(text).every(piece => piece.length <= LONGEST_PRE_TOKEN));
});

test('tokens.md 3: a blank that stands alone before a long pre-token joins no row of blanks where that is cut off', () => {
  const text = '\t'.repeat(LONGEST_PRE_TOKEN + 1) + '='.repeat(LONGEST_PRE_TOKEN + 1);
  assert.deepEqual(
    preTokens(text).map(({ length }) => length),
    [LONGEST_PRE_TOKEN, 1, LONGEST_PRE_TOKEN + 1],
  );
  const pieces = countablePieces(text);
  assert.equal(pieces.join(''), text);
  assert.deepEqual(
    pieces.map(piece => preTokens(piece).map(({ length }) => length)),
    [[LONGEST_PRE_TOKEN], [1], [LONGEST_PRE_TOKEN], [1]],
  );
});

test('tokens.md 3: each cut adds about one token at most', () => {
  for (const text of ['a'.repeat(4_096), '='.repeat(4_096), ' '.repeat(4_096), cjk(2_048), '😀'.repeat(1_024)]) {
    const whole = countTokens(text, { disallowedSpecial: new Set() });
    const cuts = countablePieces(text).length - 1;
    assert.ok(Math.abs(o200kTokens(text) - whole) <= cuts, `${o200kTokens(text)} of ${whole} with ${cuts} cuts`);
  }
});

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(' ', '\n', '\r\n', '\t', '/', '=', "'s", 'A', 'a', '中', '\u0301', '😀', '\ud83d', '\ude00', '7'),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc
        .tuple(
          fc.constantFrom('a', 'Z', ' ', '\n', '-', '中', '\u0301', '😀', '\u00a0'),
          fc.integer({ max: 700, min: 1 }),
        )
        .map(([unit, times]) => unit.repeat(times)),
    ),
    { maxLength: 30 },
  )
  .map(parts => parts.join(''));

test('law: pieces are the text, none has a long pre-token, and none begins or ends within a surrogate pair', () => {
  fc.assert(
    fc.property(soup, text => {
      const pieces = countablePieces(text);
      assert.equal(pieces.join(''), text);
      for (const piece of pieces) {
        assert.ok(preTokens(piece).every(preToken => preToken.length <= LONGEST_PRE_TOKEN));
      }
      for (const [place, piece] of pieces.slice(1).entries()) {
        assert.ok(!/[\ud800-\udbff]$/.test(pieces[place] ?? '') || !/^[\udc00-\udfff]/.test(piece));
      }
    }),
    { numRuns: 500 },
  );
});

test('law: a text without long pre-tokens is one piece', () => {
  fc.assert(
    fc.property(soup, text => {
      if (preTokens(text).every(preToken => preToken.length <= LONGEST_PRE_TOKEN)) {
        assert.ok(countablePieces(text).join('|') === text);
      }
    }),
  );
});

test('ordinary files are counted as if nothing was ever cut', () => {
  const files = ['protocol', 'server', 'docs', 'sample'].flatMap(folder =>
    readdirSync(path.join(repository, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && /\.(ts|md|json)$/.test(entry.name))
      .map(entry => readFileSync(path.join(entry.parentPath, entry.name), 'utf8')),
  );
  assert.ok(files.length > 100);
  // The last is longer than a window.
  for (const text of [...files, files.join('\n')]) {
    assert.equal(o200kTokens(text), countTokens(text, { disallowedSpecial: new Set() }));
  }
});

test('special tokens in a text are text', () => {
  for (const text of ['<|endoftext|>', 'a <|im_start|>system<|im_sep|> b', '<|endofprompt|><|endoftext|>']) {
    assert.ok(o200kTokens(text) > 4, text);
  }
});

test('law: any text at all is counted, and only the empty one has no tokens', () => {
  fc.assert(
    fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), text => {
      assert.equal(o200kTokens(text) > 0, text !== '');
    }),
  );
});
