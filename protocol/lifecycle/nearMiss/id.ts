import { describeCharacter, describeStretch } from '../characterNames.ts';
import { isBlank, isInvisible, unitsOf } from '../characters.ts';
import { lookalikeOf } from '../confusables.ts';
import { isBlockIdCode } from '../declaration.ts';
import type { CommentParts } from './reading.ts';

const MESSAGES = {
  illegal: "A block ID holds only 'a' to 'z', '0' to '9', '_' and '-', but here stands {0}.",
  blank: 'A block ID holds no blanks, but here stands {0}.',
  invisible: 'The block ID holds a character that cannot be seen: {0}.',
  lookalike: "{0} looks like '{1}', but is another character.",
  capital: 'A block ID has small letters only, but here stands {0}.',
} as const;

export interface IdReading {
  /** The ID that is meant; undefined when there is none, or none that is certain. */
  readonly id: string | undefined;
  /** How many words stand where the ID should. */
  readonly words: number;
}

/** Longer text is none that anybody meant as an ID; it keeps the work of reading bounded. */
export const LONGEST_ID = 256;

type Oddity = 'illegal' | 'blank' | 'invisible' | 'lookalike' | 'capital';

/** Reads `[start, end)`, which neither starts nor ends with a blank, as a block ID. */
export function readId(text: string, start: number, end: number, flaw: CommentParts['flaw']): IdReading {
  const first = new Map<Oddity, number>();
  let id = '';
  let words = 0;
  let inWord = false;
  if (end - start > LONGEST_ID) {
    return { id: undefined, words: Number.POSITIVE_INFINITY };
  }
  for (let at = start; at < end; ) {
    const codePoint = text.codePointAt(at) ?? 0;
    const oddity = oddityOf(codePoint);
    if (oddity && !first.has(oddity)) {
      first.set(oddity, at);
    }
    words += !inWord && oddity !== 'blank' ? 1 : 0;
    inWord = oddity !== 'blank';
    id += oddity === 'invisible' ? '' : meantCharacter(codePoint);
    at += unitsOf(codePoint);
  }
  for (const [oddity, at] of first) {
    noteOddity(text, oddity, at, end, flaw);
  }
  const certain = words === 1 && id !== '' && !first.has('illegal');
  return { id: certain ? id : undefined, words };
}

function oddityOf(codePoint: number): Oddity | undefined {
  if (isBlockIdCode(codePoint)) {
    return undefined;
  }
  if (isBlank(codePoint)) {
    return 'blank';
  }
  if (isInvisible(codePoint)) {
    return 'invisible';
  }
  if (codePoint >= 0x41 && codePoint <= 0x5a) {
    return 'capital';
  }
  return isBlockIdCode(meantCharacter(codePoint).charCodeAt(0)) ? 'lookalike' : 'illegal';
}

function meantCharacter(codePoint: number): string {
  if (codePoint >= 0x41 && codePoint <= 0x5a) {
    return String.fromCodePoint(codePoint + 0x20);
  }
  return codePoint < 0x80 ? String.fromCodePoint(codePoint) : (lookalikeOf(codePoint)?.toLowerCase() ?? '�');
}

function noteOddity(text: string, oddity: Oddity, start: number, limit: number, flaw: CommentParts['flaw']): void {
  const codePoint = text.codePointAt(start) ?? 0;
  let end = start + unitsOf(codePoint);
  // The capitals, blanks or unseen characters that follow at once are the same fault.
  if (oddity !== 'illegal' && oddity !== 'lookalike') {
    for (let next = text.codePointAt(end); end < limit && next !== undefined && oddityOf(next) === oddity; ) {
      end += unitsOf(next);
      next = text.codePointAt(end);
    }
  }
  const shown = oddity === 'capital' ? describeCharacter(codePoint) : describeStretch(text, start, end);
  switch (oddity) {
    case 'illegal':
      return flaw('illegal-id', start, end, MESSAGES.illegal, [describeCharacter(codePoint)], 'none');
    case 'blank':
      return flaw('illegal-id', start, end, MESSAGES.blank, [shown], 'none');
    case 'invisible':
      return flaw('illegal-id', start, end, MESSAGES.invisible, [shown], 'plain');
    case 'lookalike':
      return flaw(
        'homoglyph',
        start,
        end,
        MESSAGES.lookalike,
        [describeCharacter(codePoint), lookalikeOf(codePoint) ?? ''],
        'guess',
      );
    case 'capital':
      return flaw('wrong-case', start, end, MESSAGES.capital, [shown], 'plain');
  }
}
