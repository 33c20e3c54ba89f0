import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeCharacter, describeStretch, quote, quoteNaming } from '../../protocol/lifecycle/characterNames.ts';
import { isBlank, isEmptyLookingAt, isInvisible } from '../../protocol/lifecycle/characters.ts';
import { lookalikeOf } from '../../protocol/lifecycle/confusables.ts';

/** Every code point that ends no line. */
function* codePoints(): Generator<number> {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    if (codePoint !== 0x0a && codePoint !== 0x0d) {
      yield codePoint;
    }
  }
}

test('blank and invisible are what Unicode says of every code point', () => {
  for (const codePoint of codePoints()) {
    const character = String.fromCodePoint(codePoint);
    const blank = /^[\p{Zs}\t\v\f\x85\u2028\u2029]$/u.test(character);
    const invisible = /^(?:\p{Default_Ignorable_Code_Point}|\p{Cc}|[\ufff9-\ufffb])$/u.test(character) && !blank;
    assert.equal(isBlank(codePoint), blank, codePoint.toString(16));
    assert.equal(isInvisible(codePoint), invisible, codePoint.toString(16));
  }
  assert.ok(!isBlank(0x0a) && !isBlank(0x0d) && !isInvisible(0x0a) && !isInvisible(0x0d));
});

test('both units of an invisible character beyond the basic plane look empty, half a pair does not', () => {
  assert.deepEqual(
    [0, 1, 2].map(at => isEmptyLookingAt('\u{e0041}a', at)),
    [true, true, false],
  );
  assert.deepEqual(
    [0, 1].map(at => isEmptyLookingAt('\udb40a', at)),
    [false, false],
  );
  assert.deepEqual(
    [0, 1, 2].map(at => isEmptyLookingAt('a\udc41', at)),
    [false, false, false],
  );
});

test('every blank and every invisible character has a name', () => {
  for (const codePoint of codePoints()) {
    if (isBlank(codePoint) || isInvisible(codePoint)) {
      assert.match(describeCharacter(codePoint), /^U\+[0-9A-F]{4,6} [A-Z][A-Z0-9 -]+$/, codePoint.toString(16));
    }
  }
});

test('names that people meet', () => {
  assert.equal(describeCharacter(0x200b), 'U+200B ZERO WIDTH SPACE');
  assert.equal(describeCharacter(0xa0), 'U+00A0 NO-BREAK SPACE');
  assert.equal(describeCharacter(0xfeff), 'U+FEFF BYTE ORDER MARK');
  assert.equal(describeCharacter(0xfe00), 'U+FE00 VARIATION SELECTOR-1');
  assert.equal(describeCharacter(0xe0041), 'U+E0041 TAG CHARACTER');
  assert.equal(describeCharacter(0x2014), 'U+2014 EM DASH');
  assert.equal(describeCharacter(0x2d), "'-'");
  assert.equal(describeCharacter(0x2e), "'.'");
  assert.equal(describeCharacter(0xe9), "'é' (U+00E9)");
});

test('a stretch is described by its characters, or quoted when they can be seen', () => {
  assert.equal(describeStretch('  \t', 0, 3), 'U+0020 SPACE (2 times), U+0009 TAB');
  assert.equal(describeStretch(' \t\u00a0\u200b', 0, 4), 'U+0020 SPACE, U+0009 TAB, U+00A0 NO-BREAK SPACE, …');
  assert.equal(describeStretch('> ', 0, 2), "'> '");
  assert.equal(describeStretch(' '.repeat(256), 0, 256), 'U+0020 SPACE (256 times)');
  assert.equal(describeStretch(' '.repeat(257), 0, 257), 'U+0020 SPACE (256 times), …');
});

test('a quote is cut after 24 characters, never inside a pair, and hides nothing', () => {
  assert.equal(quote('x'.repeat(24)), `'${'x'.repeat(24)}'`);
  assert.equal(quote('x'.repeat(25)), `'${'x'.repeat(24)}…'`);
  assert.equal(quote('😀'.repeat(25)), `'${'😀'.repeat(24)}…'`);
  assert.equal(quote('a\u202e\t\ud800b c'), "'a[U+202E][U+0009][U+D800]b c'");
  assert.equal(quoteNaming('a—>b', 1, 3), "'—>' (U+2014 EM DASH)");
  assert.equal(quoteNaming('a->', 1, 3), "'->'");
  assert.equal(quoteNaming('＞', 0, 1), "'＞' (U+FF1E)");
});

test('every styled form of a character that tags hold is a lookalike, ASCII itself never is', () => {
  for (const codePoint of codePoints()) {
    const folded = codePoint >= 0xd800 && codePoint <= 0xdfff ? '' : String.fromCodePoint(codePoint).normalize('NFKC');
    if (codePoint < 0x80) {
      assert.equal(lookalikeOf(codePoint), undefined);
    } else if (/^[A-Za-z0-9_:/>-]$/.test(folded)) {
      assert.equal(lookalikeOf(codePoint), folded, codePoint.toString(16));
    }
    assert.match(lookalikeOf(codePoint) ?? 'a', /^[!-~]$/);
  }
});

test('lookalikes of other scripts fold to the letter that they look like', () => {
  for (const [word, ascii] of [
    ['ВLОСК_ІD', 'BLOCK_ID'],
    ['ΒLΟCΚ_ΙD', 'BLOCK_ID'],
    ['ерһеmеrаl', 'ephemeral'],
    ['ѕtаtе', 'state'],
    ['＿﹘‐‑‒–−', '_------'],
    ['꞉∶：', ':::'],
    ['⁄∕／', '///'],
  ] as const) {
    assert.equal([...word].map(character => lookalikeOf(character.codePointAt(0)!) ?? character).join(''), ascii);
  }
});
