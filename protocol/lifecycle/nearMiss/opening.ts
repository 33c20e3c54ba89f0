import { describeCharacter, describeStretch, quote, quoteNaming } from '../characterNames.ts';
import { isDash } from '../characters.ts';
import { lookalikeOf } from '../confusables.ts';
import type { Work } from '../text.ts';
import type { Candidate } from './candidate.ts';
import type { CommentParts } from './reading.ts';

const MESSAGES = {
  misopened: "A tag line must start with '<!--', but this one starts with {0}.",
  blank: 'A tag holds no blanks or unseen characters, but {0} stands before its word.',
  slash: "A closing line is written '<!--/BLOCK_ID:…-->', with one '/' right before the word, but here stands {0}.",
  lookalike: "{0} looks like '/', but is another character.",
} as const;

/** What stands between `<` and the word. `readable` is false when that is no way to open a tag. */
export interface Opening {
  readonly closing: boolean;
  readonly spaced: boolean;
  readonly readable: boolean;
}

/** Reads `<!--` or `<!--/` and notes what is wrong with it. */
export function readOpening(
  text: string,
  candidate: Candidate,
  flaw: CommentParts['flaw'],
  work: Work | undefined,
): Opening {
  const { start, wordStart, match } = candidate;
  if (candidate.startsExactly) {
    return { closing: wordStart > start + 4, spaced: false, readable: true };
  }
  if (wordStart === start + 4 && text.startsWith('<!--', start)) {
    return { closing: false, spaced: false, readable: true };
  }
  if (work) {
    work.visited += wordStart - start;
  }
  const slashes: number[] = [];
  let signsEnd = start + 2;
  let pastSigns = false;
  let looseDash = -1;
  let blanks: { readonly start: number; readonly end: number } | undefined;
  for (let at = start + 2; at < wordStart; at++) {
    const code = text.charCodeAt(at);
    const dash = isDash(code) || code === 0x21;
    if (dash && !pastSigns) {
      // Blanks and a slash may have got before or between the dashes; blanks there are part of the wrong signs.
      signsEnd = at + 1;
      blanks = undefined;
    } else if (dash) {
      looseDash = at;
    } else {
      pastSigns ||= signsEnd > start + 2;
      if (isSlash(code)) {
        slashes.push(at);
      } else {
        blanks = blanks && blanks.end < at ? blanks : { start: blanks?.start ?? at, end: at + 1 };
      }
    }
  }
  const signs = text.slice(start, signsEnd);
  if (signs !== '<!--') {
    flaw('misopened-comment', start, signsEnd, MESSAGES.misopened, [quoteNaming(text, start, signsEnd)], 'plain');
  }
  if (blanks) {
    const values = [describeStretch(text, blanks.start, blanks.end)];
    flaw('blank-inside', blanks.start, blanks.end, MESSAGES.blank, values, 'plain');
  }
  if (looseDash >= 0) {
    const end = looseDash + 1;
    flaw('misopened-comment', start, end, MESSAGES.misopened, [quoteNaming(text, start, end)], 'guess');
  }
  noteSlashes(text, slashes, signsEnd, flaw);
  // `<!-- - ephemeral -->` is a list item that somebody commented out; `<!ephemeral` needs the very word.
  const readable = (looseDash < 0 || match.keyword !== 'ephemeral') && (hasDash(signs) || match.spelling === 'exact');
  return { closing: slashes.length > 0, spaced: blanks !== undefined, readable };
}

function noteSlashes(text: string, slashes: readonly number[], signsEnd: number, flaw: CommentParts['flaw']): void {
  const [first] = slashes;
  const last = slashes.at(-1);
  if (first === undefined || last === undefined) {
    return;
  }
  const code = text.charCodeAt(first);
  if (slashes.length > 1 || first < signsEnd || code === 0x5c) {
    const found = quote(text.slice(first, last + 1));
    flaw('wrong-closing-form', first, last + 1, MESSAGES.slash, [found], 'guess');
  } else if (code !== 0x2f) {
    flaw('homoglyph', first, first + 1, MESSAGES.lookalike, [describeCharacter(code)], 'guess');
  }
}

function hasDash(signs: string): boolean {
  return [...signs].some(sign => isDash(sign.charCodeAt(0)));
}

function isSlash(code: number): boolean {
  return code === 0x2f || code === 0x5c || (code >= 0x80 && lookalikeOf(code) === '/');
}
