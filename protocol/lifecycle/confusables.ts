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

/** Where Unicode keeps its styled forms of the characters that tags hold, first and last. */
const STYLED: readonly (readonly [first: number, last: number])[] = [
  [0xaa, 0xba],
  [0x17f, 0x17f],
  [0x2b0, 0x2e4],
  [0x1d2c, 0x1dbf],
  [0x2070, 0x218f],
  [0x2460, 0x24ff],
  [0x2c7c, 0x2c7d],
  [0xa7f1, 0xa7f4],
  [0xfe10, 0xfe6f],
  [0xff01, 0xff5e],
  [0x107a5, 0x107a5],
  [0x1ccd6, 0x1ccf9],
  [0x1d400, 0x1d7ff],
  [0x1f110, 0x1f189],
  [0x1fbf0, 0x1fbf9],
];

/** All else need not be normalised, which keeps comments in other scripts cheap. */
function mayBeStyled(codePoint: number): boolean {
  return STYLED.some(([first, last]) => codePoint >= first && codePoint <= last);
}
