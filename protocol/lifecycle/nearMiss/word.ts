import { describeCharacter, describeStretch, quote } from '../characterNames.ts';
import { isBlank, isInvisible, unitsOf } from '../characters.ts';
import { lookalikeOf } from '../confusables.ts';
import { tagLine } from '../declaration.ts';
import type { Work } from '../text.ts';
import type { Candidate } from './candidate.ts';
import type { CommentParts } from './reading.ts';

const MESSAGES = {
  blank: 'A tag holds no blanks or unseen characters, but {0} stands in its word.',
  lookalike: "{0} looks like '{1}', but is another character.",
  letterCase: "Letter case counts in tags: the word is '{0}', not {1}.",
  misspelt: "The tag's word is '{0}', not {1}.",
  closing: "A closing line is written '{0}', not with the word {1}.",
} as const;

/** Notes what is wrong with a candidate's word. */
export function readWord(text: string, candidate: Candidate, flaw: CommentParts['flaw'], work: Work | undefined): void {
  const { wordStart, wordEnd, match } = candidate;
  if (candidate.startsExactly) {
    return;
  }
  if (work) {
    work.visited += wordEnd - wordStart;
  }
  if (
    match.spelling === 'exact' &&
    wordEnd - wordStart === match.keyword.length &&
    text.startsWith(match.keyword, wordStart)
  ) {
    return;
  }
  noteOddCharacters(text, wordStart, wordEnd, flaw);
  const word = text.slice(wordStart, wordEnd);
  const values = [match.keyword, quote(word)];
  if (match.closing) {
    const form = tagLine('closing', '…');
    flaw('wrong-closing-form', wordStart, wordEnd, MESSAGES.closing, [form, quote(word)], 'guess');
  } else if (match.spelling === 'case') {
    flaw('wrong-case', wordStart, wordEnd, MESSAGES.letterCase, values, 'plain');
  } else if (match.spelling !== 'exact') {
    flaw('misspelt-keyword', wordStart, wordEnd, MESSAGES.misspelt, values, 'guess');
  }
}

function noteOddCharacters(text: string, start: number, end: number, flaw: CommentParts['flaw']): void {
  let empty: number | undefined;
  let lookalike: number | undefined;
  for (let at = start; at < end; ) {
    const codePoint = text.codePointAt(at) ?? 0;
    if (isInvisible(codePoint) || isBlank(codePoint)) {
      empty ??= at;
    } else if (lookalikeOf(codePoint) !== undefined) {
      lookalike ??= at;
    }
    at += unitsOf(codePoint);
  }
  if (empty !== undefined) {
    const emptyEnd = empty + unitsOf(text.codePointAt(empty) ?? 0);
    flaw('blank-inside', empty, emptyEnd, MESSAGES.blank, [describeStretch(text, empty, emptyEnd)], 'plain');
  }
  if (lookalike !== undefined) {
    const codePoint = text.codePointAt(lookalike) ?? 0;
    const values = [describeCharacter(codePoint), lookalikeOf(codePoint) ?? ''];
    flaw('homoglyph', lookalike, lookalike + unitsOf(codePoint), MESSAGES.lookalike, values, 'guess');
  }
}
