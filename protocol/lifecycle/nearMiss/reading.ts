import { quoteNaming } from '../characterNames.ts';
import type { DeclarationKind } from '../declaration.ts';
import type { NearMissReason } from '../problem.ts';
import type { Work } from '../text.ts';
import type { Candidate } from './candidate.ts';
import { type CommentEnd, findCommentEnd } from './closing.ts';
import { readEphemeral } from './ephemeral.ts';
import type { Flaw } from './flaw.ts';
import { readNamedTag } from './namedTag.ts';
import { readOpening } from './opening.ts';
import { readWord } from './word.ts';

/** What a candidate's comment says when it is read as a tag. */
export interface Reading {
  readonly kind: DeclarationKind;
  /** The ID that is meant, mended; the empty string for `ephemeral`; undefined when it cannot be told. */
  readonly id: string | undefined;
  readonly flaws: readonly Flaw[];
  /** Where the comment ends on its line. */
  readonly end: number;
}

/**
 * The parts of a comment that a reader of its inside works on. `flaw` notes one thing wrong and may be called again.
 */
export interface CommentParts {
  readonly text: string;
  readonly candidate: Candidate;
  readonly ending: CommentEnd;
  /** A `/` stands where a closing tag has it, or something is there that must have been meant as one. */
  readonly closing: boolean;
  /** Blanks stand between the opening and the word. */
  readonly spaced: boolean;
  flaw(
    reason: NearMissReason,
    start: number,
    end: number,
    template: string,
    values: readonly string[],
    how: Repair,
  ): void;
}

/** `plain` needs no guess, `guess` has one repair that a person should look at, `none` has none or several. */
export type Repair = 'plain' | 'guess' | 'none';

const MESSAGES = {
  unclosed: "This comment is not closed on its line. A tag line must end with '-->'.",
  misclosed: "A tag line must end with '-->', but this one ends with {0}.",
} as const;

/** Where the last reading stopped; the scan goes on from there. */
export interface ReadingResult {
  readonly reading: Reading | undefined;
  readonly stop: number;
}

/**
 * Reads a candidate's comment. The reading is absent when the comment merely holds the words: see `readEphemeral` and
 * `readNamedTag` for where that line runs.
 */
export function readCandidate(text: string, candidate: Candidate, work: Work | undefined): ReadingResult {
  const ending = findCommentEnd(text, candidate.wordEnd, work);
  const flaws: Flaw[] = [];
  const flaw: CommentParts['flaw'] = (reason, start, end, template, values, how) => {
    flaws.push({
      reason,
      range: { start, end },
      message: { template, values },
      mechanical: how === 'plain',
      repairable: how !== 'none',
    });
  };
  // What the line leaves open is meant only when its word is the very one.
  const opening = readOpening(text, candidate, flaw, work);
  const known = candidate.match.spelling === 'exact' || candidate.match.spelling === 'case';
  if (!opening.readable || (ending.form === 'missing' && !known)) {
    return { reading: undefined, stop: ending.stop };
  }
  const parts: CommentParts = { text, candidate, ending, flaw, ...opening };
  if (work) {
    // What stands behind the word is read once more: as blanks, as signs or as an ID.
    work.visited += Math.max(0, ending.range.start - candidate.wordEnd);
  }
  const meaning = candidate.match.keyword === 'ephemeral' ? readEphemeral(parts) : readNamedTag(parts);
  if (!meaning) {
    return { reading: undefined, stop: ending.stop };
  }
  readWord(text, candidate, flaw, work);
  noteEnding(parts);
  return { reading: { ...meaning, flaws, end: ending.range.end }, stop: ending.stop };
}

function noteEnding({ text, ending, flaw }: CommentParts): void {
  const { start, end } = ending.range;
  if (ending.form === 'wrong') {
    flaw('misclosed-comment', start, end, MESSAGES.misclosed, [quoteNaming(text, start, end)], 'plain');
  } else if (ending.form === 'missing') {
    flaw('unclosed-comment', start, end, MESSAGES.unclosed, [], 'guess');
  }
}
