import { tagLine } from '../declaration.ts';
import type { Fix, Problem } from '../problem.ts';
import { afterLineEnd, type TextRange, type Work } from '../text.ts';
import type { Candidate } from './candidate.ts';
import { trimBack, trimFront } from './closing.ts';
import { type Flaw, firstToRead } from './flaw.ts';
import { type Reading, readCandidate } from './reading.ts';
import { flawsAround, isTalk, readSurroundings } from './surroundings.ts';

/** A line that a person meant as a tag. */
export interface NearMiss {
  /** The whole line without its line end. */
  readonly line: TextRange;
  readonly problem: Problem;
}

export interface NearMissResult {
  /** Absent when the line is ordinary Markdown that nobody meant as a tag. */
  readonly nearMiss: NearMiss | undefined;
  /** How far the text was read; no candidate before it needs a look. */
  readonly stop: number;
}

const TITLES = {
  change: "Change the line to '{0}'",
  split: "Put '{0}' on a line of its own",
} as const;

/**
 * Reads a candidate with its line. One line has at most one near miss, and it is the first. The reasons for calling a
 * line ordinary stand with `readEphemeral`, `readNamedTag` and `isTalk`.
 */
export function readNearMiss(text: string, candidate: Candidate, work: Work | undefined): NearMissResult {
  if (isEscaped(text, candidate.start)) {
    return { nearMiss: undefined, stop: candidate.wordEnd };
  }
  const { reading, stop } = readCandidate(text, candidate, work);
  if (!reading) {
    return { nearMiss: undefined, stop };
  }
  const tag = { start: candidate.start, end: reading.end };
  const around = readSurroundings(text, tag, work);
  const line = { start: around.before.range.start, end: around.behind.range.end };
  const talk = isTalk(around, reading, candidate.match.spelling === 'exact');
  const flaws = talk ? [] : [...reading.flaws, ...flawsAround(text, around)];
  const first = firstToRead(flaws);
  return { nearMiss: first && { line, problem: problemOf(text, line, tag, reading, flaws, first) }, stop: line.end };
}

function problemOf(
  text: string,
  line: TextRange,
  tag: TextRange,
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
    ...(certain && { fix: fixOf(text, line, tag, tagLine(kind, id), flaws) }),
  };
}

/** Makes the tag an exact line: everything around it goes, except text, which gets a line of its own. */
function fixOf(text: string, line: TextRange, tag: TextRange, exact: string, flaws: readonly Flaw[]): Fix {
  const before = flaws.some(({ reason }) => reason === 'text-before');
  const after = flaws.some(({ reason }) => reason === 'text-after');
  const lineEnd = before || after ? lineEndNear(text, line) : '';
  const start = before ? trimBack(text, line.start, tag.start) : line.start;
  const end = after ? trimFront(text, tag.end, line.end) : line.end;
  return {
    title: { template: before || after ? TITLES.split : TITLES.change, values: [exact] },
    changes: [{ range: { start, end }, newText: (before ? lineEnd : '') + exact + (after ? lineEnd : '') }],
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
function isEscaped(text: string, start: number): boolean {
  let at = start;
  while (at > 0 && text.charCodeAt(at - 1) === 0x5c) {
    at--;
  }
  return (start - at) % 2 === 1;
}
