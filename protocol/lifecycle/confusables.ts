import { isHyphenLookalike } from './characters.ts';

/** Letters and strokes, each row with the ASCII character that they are mistaken for. */
const LOOKALIKES: ReadonlyMap<number, string> = new Map(
  [
    ['ΑАᎪ', 'A'],
    ['ΒВᏴ', 'B'],
    ['СϹᏟ', 'C'],
    ['Ꭰ', 'D'],
    ['ΕЕᎬ', 'E'],
    ['ΗНᎻ', 'H'],
    ['ΙІӀ', 'I'],
    ['ЈͿ', 'J'],
    ['ΚК', 'K'],
    ['Ꮮ', 'L'],
    ['ΜМ', 'M'],
    ['Ν', 'N'],
    ['ΟОՕ', 'O'],
    ['ΡР', 'P'],
    ['Ꭱ', 'R'],
    ['ЅՏ', 'S'],
    ['ΤТ', 'T'],
    ['ΧХ', 'X'],
    ['ΥҮ', 'Y'],
    ['Ζ', 'Z'],
    ['аαɑ', 'a'],
    ['Ьᖯ', 'b'],
    ['сϲ', 'c'],
    ['ԁ', 'd'],
    ['еҽ', 'e'],
    ['ɡ', 'g'],
    ['һ', 'h'],
    ['іıι', 'i'],
    ['јϳ', 'j'],
    ['кκ', 'k'],
    ['ӏ', 'l'],
    ['м', 'm'],
    ['ո', 'n'],
    ['оοօ', 'o'],
    ['рρ', 'p'],
    ['ԛ', 'q'],
    ['г', 'r'],
    ['ѕ', 's'],
    ['тτ', 't'],
    ['υս', 'u'],
    ['νѵ', 'v'],
    ['ԝ', 'w'],
    ['хχ', 'x'],
    ['уγү', 'y'],
    ['꞉∶ː׃', ':'],
    ['⁄∕⧸', '/'],
    ['ˍ', '_'],
    ['›❯', '>'],
  ].flatMap(([lookalikes = '', ascii = '']) =>
    [...lookalikes].map(character => [character.codePointAt(0) ?? 0, ascii] as const),
  ),
);

/**
 * The one ASCII character that a person may take this one for: full-width and styled forms by Unicode's NFKC, the
 * usual Cyrillic, Greek and Armenian letters and strokes by a table. Undefined for ASCII and for all else.
 */
export function lookalikeOf(codePoint: number): string | undefined {
  if (codePoint < 0x80) {
    return undefined;
  }
  if (isHyphenLookalike(codePoint)) {
    return '-';
  }
  const listed = LOOKALIKES.get(codePoint);
  if (listed !== undefined) {
    return listed;
  }
  if (!mayBeStyled(codePoint)) {
    return undefined;
  }
  const folded = String.fromCodePoint(codePoint).normalize('NFKC');
  return folded.length === 1 && folded > ' ' && folded < '\u007f' ? folded : undefined;
}

/** Where Unicode keeps its styled forms of ASCII characters; all else need not be normalised. */
function mayBeStyled(codePoint: number): boolean {
  return (
    (codePoint >= 0x2b0 && codePoint <= 0x2e4) ||
    (codePoint >= 0x1d2c && codePoint <= 0x1d6a) ||
    (codePoint >= 0x2070 && codePoint <= 0x209f) ||
    (codePoint >= 0x2100 && codePoint <= 0x214f) ||
    (codePoint >= 0x2460 && codePoint <= 0x24ff) ||
    (codePoint >= 0xfe50 && codePoint <= 0xfe6f) ||
    (codePoint >= 0xff01 && codePoint <= 0xff5e) ||
    (codePoint >= 0x1d400 && codePoint <= 0x1d7ff) ||
    (codePoint >= 0x1f110 && codePoint <= 0x1f189)
  );
}
