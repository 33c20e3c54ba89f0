import { describeCharacter, describeStretch, quote } from '../characterNames.ts';
import { lookalikeOf } from '../confusables.ts';
import type { DeclarationKind } from '../declaration.ts';
import { trimBack, trimFront } from './closing.ts';
import { LONGEST_ID, readId } from './id.ts';
import type { CommentParts, Reading } from './reading.ts';

const MESSAGES = {
  blank: 'A tag holds no blanks or unseen characters, but {0} stands in it.',
  slash: "A closing line is written '<!--/BLOCK_ID:…-->': its '/' stands right before the word.",
  noClosing: "'DISCARD_BLOCK' has no closing line.",
  lookalike: "{0} looks like ':', but is another character.",
  noColon: "A ':' must stand between '{0}' and the block ID.",
  notColon: "A ':' must stand between '{0}' and the block ID, not {1}.",
  colons: "One ':' stands between '{0}' and the block ID, not {1}.",
  missingId: "'{0}:' needs a block ID behind it.",
} as const;

/** More words than this behind the very word `BLOCK_ID:` are a sentence about it. */
const MOST_WORDS = 3;

/**
 * How much else must fit before a comment counts as meant, by how well its word fits:
 * - the very word: with `:`, anything but a sentence behind it, and even that where no blank stands around the word and
 *   the `:`; without, one word that could be an ID (`<!-- BLOCK_ID is the name … -->` is prose), or nothing at all right
 *   in `<!--BLOCK_ID-->` or behind a `/`;
 * - other letter case: `:` or `=` and one word (`<!-- block_id is … -->` is prose);
 * - joined otherwise, or a slip: `:` and one legal ID, and save in capitals no blank behind the `:`, for
 *   `<!-- block-id: 5 -->` is the metadata of some other tool, and "Block ID: …" is English.
 */
export function readNamedTag(parts: CommentParts): Pick<Reading, 'kind' | 'id'> | undefined {
  const { text, candidate, ending, spaced, flaw } = parts;
  const { keyword, spelling } = candidate.match;
  const separator = readSeparator(parts);
  const end = trimBack(text, separator.idStart, Math.max(separator.idStart, ending.range.start));
  const id = readId(text, separator.idStart, end, flaw);
  const { colon, blankBehind } = separator;
  const tight = !spaced && !blankBehind;
  let meant: boolean;
  if (id.words === 0) {
    meant =
      spelling === 'exact'
        ? colon !== 'none' || !spaced || parts.closing
        : spelling === 'case' && colon !== 'none' && !spaced;
  } else if (spelling === 'exact') {
    meant = colon === 'none' ? id.words === 1 && id.id !== undefined : id.words <= (tight ? LONGEST_ID : MOST_WORDS);
  } else if (spelling === 'case') {
    meant = colon !== 'none' && id.words === 1;
  } else {
    const capitals = spelling === 'joined' && isCapitals(text.slice(candidate.wordStart, candidate.wordEnd));
    meant = colon === 'colon' && id.words === 1 && id.id !== undefined && (capitals || !blankBehind);
  }
  if (!meant) {
    return undefined;
  }
  if (id.words === 0) {
    flaw('missing-id', separator.idStart, separator.idStart, MESSAGES.missingId, [keyword], 'none');
  }
  if (end < ending.range.start && id.words > 0) {
    const blanks = describeStretch(text, end, ending.range.start);
    flaw('blank-inside', end, ending.range.start, MESSAGES.blank, [blanks], 'plain');
  }
  return { kind: kindOf(parts, separator.closing), id: id.id };
}

function kindOf({ candidate, closing, flaw }: CommentParts, slashInside: boolean): DeclarationKind {
  const closes = closing || slashInside || candidate.match.closing;
  if (candidate.match.keyword === 'BLOCK_ID') {
    return closes ? 'closing' : 'opening';
  }
  if (closes) {
    flaw('wrong-closing-form', candidate.wordStart, candidate.wordEnd, MESSAGES.noClosing, [], 'none');
  }
  return 'discard';
}

interface Separator {
  /** `other` is a sign that people put in place of `:`. */
  readonly colon: 'colon' | 'other' | 'none';
  readonly closing: boolean;
  readonly idStart: number;
  readonly blankBehind: boolean;
}

/** Reads what stands between the word and the ID and notes what is wrong with it. */
function readSeparator({ text, candidate, ending, flaw }: CommentParts): Separator {
  const { keyword } = candidate.match;
  const end = Math.max(candidate.wordEnd, ending.range.start);
  let at = candidate.wordEnd;
  let closing = false;
  let colon: Separator['colon'] = 'none';
  const skipBlanks = (): boolean => {
    const start = at;
    at = trimFront(text, start, end);
    if (at === start || at === end) {
      return at !== start;
    }
    flaw('blank-inside', start, at, MESSAGES.blank, [describeStretch(text, start, at)], 'plain');
    return true;
  };
  const skipSlash = (): void => {
    const code = at < end ? text.charCodeAt(at) : 0;
    if (!closing && (code === 0x2f || code === 0x5c)) {
      closing = true;
      flaw('wrong-closing-form', at, at + 1, MESSAGES.slash, [], 'guess');
      at++;
    }
  };
  let blankBehind = skipBlanks();
  skipSlash();
  const sign = at < end ? signAt(text, at) : undefined;
  if (sign) {
    colon = sign;
    const found = text.codePointAt(at) ?? 0;
    if (sign === 'other') {
      flaw('misspelt-keyword', at, at + 1, MESSAGES.notColon, [keyword, describeCharacter(found)], 'guess');
    } else if (found !== 0x3a) {
      flaw('homoglyph', at, at + 1, MESSAGES.lookalike, [describeCharacter(found)], 'guess');
    }
    at++;
    const more = at;
    while (at < end && text.charCodeAt(at) === 0x3a) {
      at++;
    }
    if (at > more) {
      flaw('misspelt-keyword', more, at, MESSAGES.colons, [keyword, quote(text.slice(more - 1, at))], 'guess');
    }
    blankBehind = skipBlanks();
    skipSlash();
    skipBlanks();
  } else if (at < end) {
    flaw('misspelt-keyword', candidate.wordEnd, at, MESSAGES.noColon, [keyword], 'guess');
  }
  return { colon, closing, idStart: at, blankBehind };
}

function signAt(text: string, at: number): 'colon' | 'other' | undefined {
  const code = text.charCodeAt(at);
  if (code === 0x3a || (code >= 0x80 && lookalikeOf(code) === ':')) {
    return 'colon';
  }
  // = ; , | #
  return [0x3d, 0x3b, 0x2c, 0x7c, 0x23].includes(code) ? 'other' : undefined;
}

function isCapitals(word: string): boolean {
  return word === word.toUpperCase();
}
