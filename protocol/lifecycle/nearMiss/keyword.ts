/** The word that a tag line is made of, whatever slash stands before it. */
export type Keyword = 'ephemeral' | 'BLOCK_ID' | 'DISCARD_BLOCK';

/**
 * How far a word is from its keyword: not at all; in letter case only; in letter case and in what joins its parts
 * (`block-id`, `BlockId`); or a word that can only be a slip of the pen or of memory (`BLOK_ID`, `DISCARD`).
 */
export type Spelling = 'exact' | 'case' | 'joined' | 'guess';

export interface KeywordMatch {
  readonly keyword: Keyword;
  readonly spelling: Spelling;
  /** The word itself says that it closes: `END_BLOCK_ID`. */
  readonly closing: boolean;
}

const KEYWORDS: readonly Keyword[] = ['ephemeral', 'BLOCK_ID', 'DISCARD_BLOCK'];
/** By small letters, and by small letters without what joins the parts. */
const BY_LOWER: ReadonlyMap<string, Keyword> = new Map(KEYWORDS.map(keyword => [keyword.toLowerCase(), keyword]));
const BY_LETTERS: ReadonlyMap<string, Keyword> = new Map(
  KEYWORDS.map(keyword => [keyword.toLowerCase().replace('_', ''), keyword]),
);

/** Words that people write for a keyword and that no other tool is known to use this way. Upper case only. */
const ALIASES: ReadonlyMap<string, readonly [keyword: Keyword, closing: boolean]> = new Map([
  ['DISCARD', ['DISCARD_BLOCK', false]],
  ['DISCARD_ID', ['DISCARD_BLOCK', false]],
  ['DISCARD_BLOCK_ID', ['DISCARD_BLOCK', false]],
  ['DISCARD_BLOCKS', ['DISCARD_BLOCK', false]],
  ['BLOCK_DISCARD', ['DISCARD_BLOCK', false]],
  ['BEGIN_BLOCK_ID', ['BLOCK_ID', false]],
  ['START_BLOCK_ID', ['BLOCK_ID', false]],
  ['END_BLOCK_ID', ['BLOCK_ID', true]],
  ['BLOCK_ID_END', ['BLOCK_ID', true]],
  ['CLOSE_BLOCK_ID', ['BLOCK_ID', true]],
  ['ENDBLOCK_ID', ['BLOCK_ID', true]],
]);

/** Frequent slips that are further off than `slipOf` allows. */
const FAR_SLIPS: ReadonlySet<string> = new Set(['ephermal', 'ephemal', 'empheral']);

/** Real words that a slip could also make; whoever wrote them meant them. */
const OTHER_WORDS: ReadonlySet<string> = new Set([
  'ephemera',
  'ephemerae',
  'ephemeras',
  'ephemeris',
  'ephemerid',
  'ephemerally',
  'BLACK_ID',
  'BLOCK_IP',
  'BLOCK_IN',
  'BLOCK_ED',
  'BLOCK_IO',
]);

const LONGEST_WORD = 'DISCARD_BLOCK_ID'.length + 2;

/** Which keyword a word (lookalikes and invisible characters already folded) stands for, or undefined for none. */
export function matchKeyword(word: string): KeywordMatch | undefined {
  if (word.length < 6 || word.length > LONGEST_WORD) {
    return undefined;
  }
  const lower = word.toLowerCase();
  const same = BY_LOWER.get(lower);
  if (same !== undefined) {
    return { keyword: same, spelling: word === same ? 'exact' : 'case', closing: false };
  }
  const alias = ALIASES.get(word);
  if (alias) {
    return { keyword: alias[0], spelling: 'guess', closing: alias[1] };
  }
  const joined = BY_LETTERS.get(lower.replace(/[-_.]/g, ''));
  if (joined !== undefined) {
    return { keyword: joined, spelling: 'joined', closing: false };
  }
  const slip = OTHER_WORDS.has(word) || OTHER_WORDS.has(lower) ? undefined : slipOf(word, lower);
  return slip === undefined ? undefined : { keyword: slip, spelling: 'guess', closing: false };
}

/**
 * The block keywords only in capitals (`lock_id` is a name, `BLOCK_DI` is not), and never with another first letter
 * (`CLOCK_ID`), save where the first two changed places.
 */
function slipOf(word: string, lower: string): Keyword | undefined {
  if (FAR_SLIPS.has(lower) || (keepsStart(lower, 'ephemeral') && isWithin(2, lower, 'ephemeral'))) {
    return 'ephemeral';
  }
  if (word !== word.toUpperCase()) {
    return undefined;
  }
  if (keepsStart(word, 'BLOCK_ID') && isWithin(1, word, 'BLOCK_ID')) {
    return 'BLOCK_ID';
  }
  return keepsStart(word, 'DISCARD_BLOCK') && isWithin(2, word, 'DISCARD_BLOCK') ? 'DISCARD_BLOCK' : undefined;
}

function keepsStart(word: string, keyword: string): boolean {
  return word[0] === keyword[0] || (word[0] === keyword[1] && word[1] === keyword[0]);
}

/** Whether at most so many slips lie between the words; a difference in length alone takes as many. */
function isWithin(slips: number, word: string, keyword: string): boolean {
  return Math.abs(word.length - keyword.length) <= slips && distance(word, keyword) <= slips;
}

/** Optimal string alignment: insertions, deletions, changes and swaps of neighbours. Words here are short. */
function distance(word: string, keyword: string): number {
  let older: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: keyword.length + 1 }, (_, index) => index);
  for (let i = 1; i <= word.length; i++) {
    const row = [i];
    for (let j = 1; j <= keyword.length; j++) {
      const change = word[i - 1] === keyword[j - 1] ? 0 : 1;
      let best = Math.min(cell(previous, j) + 1, cell(row, j - 1) + 1, cell(previous, j - 1) + change);
      if (i > 1 && j > 1 && word[i - 1] === keyword[j - 2] && word[i - 2] === keyword[j - 1]) {
        best = Math.min(best, cell(older, j - 2) + 1);
      }
      row.push(best);
    }
    older = previous;
    previous = row;
  }
  return cell(previous, keyword.length);
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
