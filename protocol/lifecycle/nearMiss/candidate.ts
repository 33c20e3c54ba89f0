import { isBlank, isDash, isEmptyLookingAt, isInvisible, unitsOf } from '../characters.ts';
import { lookalikeOf } from '../confusables.ts';
import { type DeclarationKind, TAG_PREFIX } from '../declaration.ts';
import type { Work } from '../text.ts';
import { type Keyword, type KeywordMatch, matchKeyword } from './keyword.ts';

/** A place where `<!` is followed by a word that stands for one of the keywords. */
export interface Candidate {
  /** Where `<!` stands. */
  readonly start: number;
  readonly wordStart: number;
  readonly wordEnd: number;
  readonly match: KeywordMatch;
  /** Everything up to `wordEnd` is as in a tag line, so it need not be read again. */
  readonly startsExactly: boolean;
}

interface FirstHalf {
  readonly keyword: Keyword;
  readonly second: string;
  readonly closing: boolean;
}

/** What may stand before a blank: half a keyword, where a person put the blank in place of `_`, or a word of other formats. */
const FIRST_HALVES: ReadonlyMap<string, FirstHalf> = new Map([
  ['BLOCK', { keyword: 'BLOCK_ID', second: 'ID', closing: false }],
  ['BLOCK_', { keyword: 'BLOCK_ID', second: 'ID', closing: false }],
  ['DISCARD', { keyword: 'DISCARD_BLOCK', second: 'BLOCK', closing: false }],
  ['DISCARD_', { keyword: 'DISCARD_BLOCK', second: 'BLOCK', closing: false }],
  ['BEGIN', { keyword: 'BLOCK_ID', second: 'BLOCK_ID', closing: false }],
  ['START', { keyword: 'BLOCK_ID', second: 'BLOCK_ID', closing: false }],
  ['END', { keyword: 'BLOCK_ID', second: 'BLOCK_ID', closing: true }],
  ['CLOSE', { keyword: 'BLOCK_ID', second: 'BLOCK_ID', closing: true }],
]);

/** The candidate of a line that starts like a declaration of a named kind and goes on otherwise. */
export function candidateOfKind(start: number, kind: DeclarationKind): Candidate | undefined {
  if (kind === 'ephemeral') {
    return undefined;
  }
  const keyword = kind === 'discard' ? 'DISCARD_BLOCK' : 'BLOCK_ID';
  const wordEnd = start + TAG_PREFIX[kind].length - 1;
  const match: KeywordMatch = { keyword, spelling: 'exact', closing: false };
  return { start, wordStart: wordEnd - keyword.length, wordEnd, match, startsExactly: true };
}

/** Longer words are none of ours; with invisible characters between the letters a keyword is still shorter. */
const LONGEST_WORD = 64;

/**
 * Decides from the first characters behind `<!` whether a comment can be a near miss at all. Made for speed: nothing is
 * allocated for an ordinary comment, and each character is looked at once. `stop` is where it stopped looking; between
 * `<!` and there stands no other `<`, so the scan goes on from there.
 */
export class CandidateFinder {
  readonly #text: string;
  readonly #work: Work | undefined;
  stop = 0;

  constructor(text: string, work: Work | undefined) {
    this.#text = text;
    this.#work = work;
  }

  /** The candidate whose `<!` stands at `start`, or undefined. */
  at(start: number): Candidate | undefined {
    const wordStart = this.#skipOpening(start + 2);
    this.stop = wordStart;
    let wordEnd = wordStart;
    let match: KeywordMatch | undefined;
    if (mayStartKeyword(this.#text, wordStart)) {
      const word = this.#readWord(wordStart);
      wordEnd = this.stop;
      match = matchKeyword(word);
      const joined = this.#blankJoined(word);
      if (joined) {
        wordEnd = this.stop;
        match = joined;
      }
    }
    if (this.#work) {
      this.#work.visited += this.stop - start - 2;
    }
    return match && { start, wordStart, wordEnd, match, startsExactly: false };
  }

  /** Behind dashes, blanks, invisible characters, `!` and slashes. `<!\--` is escaped text, so a backslash needs a dash. */
  #skipOpening(from: number): number {
    const text = this.#text;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (!(code === 0x2d || code === 0x20 || code === 0x2f || code === 0x21 || (code === 0x5c && at > from))) {
        if (!isEmptyLookingAt(text, at) && !(code >= 0x80 && (isDash(code) || lookalikeOf(code) === '/'))) {
          return at;
        }
      }
      at++;
    }
  }

  /** `DISCARD BLOCK`, `BLOCK ID`, `BLOCK _ID`, `END BLOCK_ID`: in capitals only, for in small letters they are English. */
  #blankJoined(first: string): KeywordMatch | undefined {
    const half = FIRST_HALVES.get(first);
    if (half === undefined || !isBlank(this.#text.charCodeAt(this.stop))) {
      return undefined;
    }
    const second = this.#readWord(this.stop + 1);
    if (second !== half.second && second !== `_${half.second}`) {
      return undefined;
    }
    return { keyword: half.keyword, spelling: 'joined', closing: half.closing };
  }

  /**
   * The word at `start` as a person sees it: invisible characters dropped, lookalikes in ASCII, all else as it stands.
   * A `-` belongs to it only between letters: `block-id`, but `ephemeral-->`. `stop` moves behind it.
   */
  #readWord(start: number): string {
    const text = this.#text;
    let word = '';
    let at = start;
    while (at - start < LONGEST_WORD) {
      const code = text.codePointAt(at) ?? 0x20;
      if (!(isWordCode(code) || ((isDash(code) || code === 0x2e) && isLetterOrDigit(text.charCodeAt(at + 1))))) {
        break;
      }
      if (!isInvisible(code)) {
        word += lookalikeOf(code) ?? String.fromCodePoint(code);
      }
      at += unitsOf(code);
    }
    this.stop = at;
    return word;
  }
}

/** First letters of the keywords and of what people write for them, and their lookalikes. */
function mayStartKeyword(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const letter = code >= 0x80 ? lookalikeOf(text.codePointAt(at) ?? 0)?.charCodeAt(0) : code;
  switch ((letter ?? 0) | 0x20) {
    case 0x62: // b
    case 0x63: // c, CLOSE_BLOCK_ID
    case 0x64: // d
    case 0x65: // e
    case 0x69: // i, IDSCARD_BLOCK
    case 0x6c: // l, LBOCK_ID
    case 0x70: // p, pehemeral
    case 0x73: // s, START_BLOCK_ID
      return true;
    default:
      return false;
  }
}

function isLetterOrDigit(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x80 && !isDash(code))
  );
}

function isWordCode(code: number): boolean {
  if (code >= 0x80) {
    const lookalike = lookalikeOf(code);
    return !isBlank(code) && !isDash(code) && lookalike !== ':' && lookalike !== '>' && lookalike !== '/';
  }
  return isLetterOrDigit(code) || code === 0x5f || isInvisible(code);
}
