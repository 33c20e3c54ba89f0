import { isBlank, isDash, isInvisible, unitsOf } from './characters.ts';

/** Unicode's names, with the everyday word where Unicode has none or a strange one. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0x00, 'NULL'],
  [0x09, 'TAB'],
  [0x0a, 'LINE FEED'],
  [0x0b, 'LINE TABULATION'],
  [0x0c, 'FORM FEED'],
  [0x0d, 'CARRIAGE RETURN'],
  [0x1b, 'ESCAPE'],
  [0x20, 'SPACE'],
  [0x2d, 'HYPHEN-MINUS'],
  [0x7f, 'DELETE'],
  [0x85, 'NEXT LINE'],
  [0xa0, 'NO-BREAK SPACE'],
  [0xad, 'SOFT HYPHEN'],
  [0x2d7, 'MODIFIER LETTER MINUS SIGN'],
  [0x34f, 'COMBINING GRAPHEME JOINER'],
  [0x61c, 'ARABIC LETTER MARK'],
  [0x115f, 'HANGUL CHOSEONG FILLER'],
  [0x1160, 'HANGUL JUNGSEONG FILLER'],
  [0x1680, 'OGHAM SPACE MARK'],
  [0x17b4, 'KHMER VOWEL INHERENT AQ'],
  [0x17b5, 'KHMER VOWEL INHERENT AA'],
  [0x180e, 'MONGOLIAN VOWEL SEPARATOR'],
  [0x2000, 'EN QUAD'],
  [0x2001, 'EM QUAD'],
  [0x2002, 'EN SPACE'],
  [0x2003, 'EM SPACE'],
  [0x2004, 'THREE-PER-EM SPACE'],
  [0x2005, 'FOUR-PER-EM SPACE'],
  [0x2006, 'SIX-PER-EM SPACE'],
  [0x2007, 'FIGURE SPACE'],
  [0x2008, 'PUNCTUATION SPACE'],
  [0x2009, 'THIN SPACE'],
  [0x200a, 'HAIR SPACE'],
  [0x200b, 'ZERO WIDTH SPACE'],
  [0x200c, 'ZERO WIDTH NON-JOINER'],
  [0x200d, 'ZERO WIDTH JOINER'],
  [0x200e, 'LEFT-TO-RIGHT MARK'],
  [0x200f, 'RIGHT-TO-LEFT MARK'],
  [0x2010, 'HYPHEN'],
  [0x2011, 'NON-BREAKING HYPHEN'],
  [0x2012, 'FIGURE DASH'],
  [0x2013, 'EN DASH'],
  [0x2014, 'EM DASH'],
  [0x2015, 'HORIZONTAL BAR'],
  [0x2028, 'LINE SEPARATOR'],
  [0x2029, 'PARAGRAPH SEPARATOR'],
  [0x202a, 'LEFT-TO-RIGHT EMBEDDING'],
  [0x202b, 'RIGHT-TO-LEFT EMBEDDING'],
  [0x202c, 'POP DIRECTIONAL FORMATTING'],
  [0x202d, 'LEFT-TO-RIGHT OVERRIDE'],
  [0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
  [0x202f, 'NARROW NO-BREAK SPACE'],
  [0x2043, 'HYPHEN BULLET'],
  [0x205f, 'MEDIUM MATHEMATICAL SPACE'],
  [0x2060, 'WORD JOINER'],
  [0x2061, 'FUNCTION APPLICATION'],
  [0x2062, 'INVISIBLE TIMES'],
  [0x2063, 'INVISIBLE SEPARATOR'],
  [0x2064, 'INVISIBLE PLUS'],
  [0x2066, 'LEFT-TO-RIGHT ISOLATE'],
  [0x2067, 'RIGHT-TO-LEFT ISOLATE'],
  [0x2068, 'FIRST STRONG ISOLATE'],
  [0x2069, 'POP DIRECTIONAL ISOLATE'],
  [0x2212, 'MINUS SIGN'],
  [0x3000, 'IDEOGRAPHIC SPACE'],
  [0x3164, 'HANGUL FILLER'],
  [0xfe58, 'SMALL EM DASH'],
  [0xfe63, 'SMALL HYPHEN-MINUS'],
  [0xfeff, 'BYTE ORDER MARK'],
  [0xff0d, 'FULLWIDTH HYPHEN-MINUS'],
  [0xffa0, 'HALFWIDTH HANGUL FILLER'],
  [0xfff9, 'INTERLINEAR ANNOTATION ANCHOR'],
  [0xfffa, 'INTERLINEAR ANNOTATION SEPARATOR'],
  [0xfffb, 'INTERLINEAR ANNOTATION TERMINATOR'],
  [0xfffd, 'REPLACEMENT CHARACTER'],
  [0xe0001, 'LANGUAGE TAG'],
  [0xe007f, 'CANCEL TAG'],
]);

/** Kinds that fill whole ranges. */
const RANGES: readonly (readonly [first: number, last: number, name: string])[] = [
  [0x00, 0x1f, 'CONTROL CHARACTER'],
  [0x80, 0x9f, 'CONTROL CHARACTER'],
  [0x180b, 0x180f, 'MONGOLIAN VARIATION SELECTOR'],
  [0x2065, 0x2065, 'INVISIBLE CHARACTER'],
  [0x206a, 0x206f, 'DEPRECATED FORMAT CHARACTER'],
  [0xd800, 0xdfff, 'HALF OF A SURROGATE PAIR'],
  [0xfff0, 0xfff8, 'INVISIBLE CHARACTER'],
  [0x1bca0, 0x1bca3, 'SHORTHAND FORMAT CHARACTER'],
  [0x1d173, 0x1d17a, 'MUSICAL FORMAT CHARACTER'],
  [0xe0020, 0xe007e, 'TAG CHARACTER'],
  [0xe0100, 0xe01ef, 'VARIATION SELECTOR'],
  [0xe0000, 0xe0fff, 'INVISIBLE CHARACTER'],
];

/** `U+200B` for 0x200b; at least four digits. */
function codePointLabel(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * How a message names a character: `U+200B ZERO WIDTH SPACE` where it cannot be seen or is easily mistaken,
 * `'.'` for ASCII that can be seen, `'é' (U+00E9)` for all else.
 */
export function describeCharacter(codePoint: number): string {
  const label = codePointLabel(codePoint);
  const name = nameOf(codePoint);
  if (name !== undefined && codePoint !== 0x2d) {
    return `${label} ${name}`;
  }
  const shown = `'${String.fromCodePoint(codePoint)}'`;
  return codePoint < 0x80 ? shown : `${shown} (${label})`;
}

function nameOf(codePoint: number): string | undefined {
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0f) {
    return `VARIATION SELECTOR-${codePoint - 0xfe00 + 1}`;
  }
  return NAMES.get(codePoint) ?? RANGES.find(([first, last]) => codePoint >= first && codePoint <= last)?.[2];
}

const MOST_KINDS = 3;
const MOST_SHOWN = 24;
/** Longer stretches are described by their start. */
const LONGEST_COUNTED = 256;

/**
 * How a message names a stretch of text: its characters one by one, each kind once with its number, when all of them
 * are blanks, dashes or invisible; else the text in quotes, cut when it is long.
 */
export function describeStretch(text: string, start: number, end: number): string {
  const counts = new Map<number, number>();
  const limit = Math.min(end, start + LONGEST_COUNTED);
  for (let at = start; at < limit; ) {
    const codePoint = text.codePointAt(at) ?? 0;
    if (!isBlank(codePoint) && !isInvisible(codePoint) && !(isDash(codePoint) && codePoint !== 0x2d)) {
      return quote(text, start, end);
    }
    counts.set(codePoint, (counts.get(codePoint) ?? 0) + 1);
    at += unitsOf(codePoint);
  }
  const kinds = [...counts].map(([codePoint, count]) => {
    const name = describeCharacter(codePoint);
    return count === 1 ? name : `${name} (${count} times)`;
  });
  const shown = kinds.slice(0, MOST_KINDS).join(', ');
  return kinds.length > MOST_KINDS || limit < end ? `${shown}, …` : shown;
}

/**
 * The stretch in quotes, cut when it is long; what cannot be seen is written as its code point, so that a message never
 * hides anything.
 */
export function quote(text: string, start = 0, end = text.length): string {
  let shown = '';
  let at = start;
  for (let count = 0; at < end && count < MOST_SHOWN; count++) {
    const codePoint = text.codePointAt(at) ?? 0;
    const hidden = codePoint !== 0x20 && (isBlank(codePoint) || isInvisible(codePoint) || isSurrogate(codePoint));
    shown += hidden ? `[${codePointLabel(codePoint)}]` : String.fromCodePoint(codePoint);
    at += unitsOf(codePoint);
  }
  return at < end ? `'${shown}…'` : `'${shown}'`;
}

/** Like `quote`, and names the first character outside ASCII, which is easily taken for another: `'—>' (U+2014 EM DASH)`. */
export function quoteNaming(text: string, start: number, end: number): string {
  const shown = quote(text, start, end);
  for (let at = start; at < Math.min(end, start + LONGEST_COUNTED); at++) {
    if (text.charCodeAt(at) >= 0x80) {
      const codePoint = text.codePointAt(at) ?? 0;
      const name = nameOf(codePoint);
      return `${shown} (${name === undefined ? codePointLabel(codePoint) : describeCharacter(codePoint)})`;
    }
  }
  return shown;
}

function isSurrogate(codePoint: number): boolean {
  return codePoint >= 0xd800 && codePoint <= 0xdfff;
}
