import { tagLine } from '../declaration.ts';
import type { Fix, Problem } from '../problem.ts';
import { afterLineEnd, type TextRange, type Work } from '../text.ts';
import type { Candidate } from './candidate.ts';
import { type Flaw, firstToRead } from './flaw.ts';
import { type Reading, readCandidate } from './reading.ts';
import { flawsAround, mayStandInText, readSurroundings, type Surroundings } from './surroundings.ts';

/** A line that a person meant as a tag. */
export interface NearMiss {
  /** The whole line without its line end. */
  readonly line: TextRange;
  readonly problem: Problem;
}

export interface NearMissResult {
  /** Absent when the comment is ordinary Markdown that nobody meant as a tag. */
  readonly nearMiss: NearMiss | undefined;
  /** How far the text was read; no candidate before it needs a look. */
  readonly stop: number;
  /** Where the comment ends when it reads as a tag but its line speaks of it; what follows on that line is talk too. */
  readonly talkedUntil?: number;
}

const TITLES = {
  change: "Change the line to '{0}'",
  split: "Put '{0}' on a line of its own",
} as const;

/**
 * Reads a candidate with its line. One line has at most one near miss, and it is the first. The reasons for calling a
 * comment ordinary stand with `readEphemeral`, `readNamedTag` and `readSurroundings`. `talkedUntil` is the last one
 * that was given, or 0.
 */
export function readNearMiss(
  text: string,
  candidate: Candidate,
  talkedUntil: number,
  work: Work | undefined,
): NearMissResult {
  if (isEscaped(text, candidate.start, work)) {
    return { nearMiss: undefined, stop: candidate.wordEnd };
  }
  const { reading, stop } = readCandidate(text, candidate, work);
  if (!reading) {
    return { nearMiss: undefined, stop };
  }
  const tag = { start: candidate.start, end: reading.end };
  const inText = mayStandInText(reading, candidate.match.spelling === 'exact');
  const around = readSurroundings(text, tag, talkedUntil, inText, work);
  if (!around) {
    return { nearMiss: undefined, stop, talkedUntil: tag.end };
  }
  const line = { start: around.before.range.start, end: around.behind.range.end };
  const flaws = [...reading.flaws, ...flawsAround(text, around)];
  const first = firstToRead(flaws);
  return { nearMiss: first && { line, problem: problemOf(text, around, reading, flaws, first) }, stop: line.end };
}

function problemOf(
  text: string,
  around: Surroundings,
  { kind, id }: Reading,
  flaws: readonly Flaw[],
  first: Flaw,
): Problem {
  const certain = id !== undefined && flaws.every(({ repairable }) => repairable);
  return {
    code: 'malformed-tag',
    range: first.range,
    message: first.message,
    related: [],
    ...(id && { blockId: id }),
    reason: first.reason,
    ...(certain && { fix: fixOf(text, around, tagLine(kind, id), flaws) }),
  };
}

/** Makes the tag an exact line: everything around it goes, except text, which gets a line of its own. */
function fixOf(text: string, { before, behind }: Surroundings, exact: string, flaws: readonly Flaw[]): Fix {
  const textBefore = before.around === 'text';
  const textBehind = behind.around === 'text';
  const split = textBefore || textBehind;
  const lineEnd = split ? lineEndNear(text, { start: before.range.start, end: behind.range.end }) : '';
  const range = {
    start: textBefore ? before.edge : before.range.start,
    end: textBehind ? behind.edge : behind.range.end,
  };
  return {
    title: { template: split ? TITLES.split : TITLES.change, values: [exact] },
    changes: [{ range, newText: (textBefore ? lineEnd : '') + exact + (textBehind ? lineEnd : '') }],
    mechanical: flaws.every(({ mechanical }) => mechanical),
  };
}

/** The line end that a new line break at this line should have: the line's own, else the one before it, else `\n`. */
function lineEndNear(text: string, line: TextRange): string {
  const own = text.slice(line.end, afterLineEnd(text, line.end));
  if (own !== '' || line.start === 0) {
    return own || '\n';
  }
  return text.slice(text.startsWith('\r\n', line.start - 2) ? line.start - 2 : line.start - 1, line.start);
}

/** CommonMark: Backslash escapes: an odd number of backslashes before `<`. */
function isEscaped(text: string, start: number, work: Work | undefined): boolean {
  let at = start;
  while (at > 0 && text.charCodeAt(at - 1) === 0x5c) {
    at--;
  }
  if (work) {
    work.visited += start - at;
  }
  return (start - at) % 2 === 1;
}
