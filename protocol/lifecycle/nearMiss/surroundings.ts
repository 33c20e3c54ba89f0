import { describeStretch, quote } from '../characterNames.ts';
import { isEmptyLookingAt } from '../characters.ts';
import { isLineEnd, type TextRange, type Work } from '../text.ts';
import { trimBack, trimFront } from './closing.ts';
import type { Flaw } from './flaw.ts';
import type { Reading } from './reading.ts';

const MESSAGES = {
  leading: 'A tag must be the only thing on its line, but {0} stands before it.',
  trailing: 'A tag must be the only thing on its line, but {0} stands behind it.',
  before: 'A tag must be the only thing on its line, but text stands before it: {0}.',
  after: 'A tag must be the only thing on its line, but text stands behind it: {0}.',
} as const;

/** Marks of block quotes, list items and task items, and blanks. Each alternative starts with other characters. */
const CONTAINER_MARKS = /(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]|\[[ xX]\][ \t])*/y;

type Around = 'nothing' | 'blanks' | 'marks' | 'text';

/** One side of a tag on its line. */
interface Side {
  readonly range: TextRange;
  readonly around: Around;
  /** A run of backticks has no partner of the same length (CommonMark: Code spans). */
  readonly codeOpen: boolean;
}

/** What stands around a tag on its line. */
export interface Surroundings {
  readonly before: Side;
  readonly behind: Side;
}

/** Reads both sides of the tag, each character once (marks twice). */
export function readSurroundings(text: string, tag: TextRange, work: Work | undefined): Surroundings {
  const before = readSide(text, tag.start, -1);
  const behind = readSide(text, tag.end, 1);
  if (work) {
    work.visited += before.range.end - before.range.start + behind.range.end - behind.range.start;
  }
  if (before.around !== 'text') {
    return { before, behind };
  }
  CONTAINER_MARKS.lastIndex = before.range.start;
  CONTAINER_MARKS.test(text);
  if (work) {
    work.visited += CONTAINER_MARKS.lastIndex - before.range.start;
  }
  const marks = CONTAINER_MARKS.lastIndex === tag.start;
  return { before: marks ? { ...before, around: 'marks' } : before, behind };
}

/** Reads from the tag to the line's start or end. Marks count as text here. */
function readSide(text: string, edge: number, step: 1 | -1): Side {
  let at = edge;
  let blank = true;
  let open = 0;
  let run = 0;
  for (;;) {
    const code = text.charCodeAt(step > 0 ? at : at - 1);
    if (code === 0x60) {
      run++;
    } else if (run > 0) {
      open = open === 0 ? run : open === run ? 0 : open;
      run = 0;
    }
    if (Number.isNaN(code) || isLineEnd(code)) {
      break;
    }
    blank &&= isEmptyLookingAt(text, step > 0 ? at : at - 1);
    at += step;
  }
  return {
    range: { start: Math.min(at, edge), end: Math.max(at, edge) },
    around: at === edge ? 'nothing' : blank ? 'blanks' : 'text',
    codeOpen: open > 0,
  };
}

/**
 * Whether what stands around a tag makes it no near miss:
 * - it stands in inline code, or a backtick on the line has no partner (inline code may go on over lines);
 * - text on both sides, or a list or quote mark before and text behind: a sentence that speaks of the tag;
 * - text on one side of a comment that is no exact tag itself, save when its word is the very `BLOCK_ID` or
 *   `DISCARD_BLOCK`: `port 0 <!-- ephemeral -->` is a remark.
 */
export function isTalk({ before, behind }: Surroundings, reading: Reading, exactWord: boolean): boolean {
  if (before.codeOpen || behind.codeOpen) {
    return true;
  }
  const textBefore = before.around === 'text';
  const textBehind = behind.around === 'text';
  const remark = reading.flaws.length > 0 && (reading.kind === 'ephemeral' || !exactWord);
  return (textBehind && (textBefore || before.around === 'marks')) || ((textBefore || textBehind) && remark);
}

/** What is wrong with the tag's surroundings. */
export function flawsAround(text: string, { before, behind }: Surroundings): readonly Flaw[] {
  return [...flawBefore(text, before), ...flawBehind(text, behind)];
}

function flawBefore(text: string, { range, around }: Side): readonly Flaw[] {
  if (around === 'nothing') {
    return [];
  }
  if (around === 'text') {
    const shown = quote(text, range.start, trimBack(text, range.start, range.end));
    return [flaw('text-before', range, MESSAGES.before, shown, false)];
  }
  const shown = describeStretch(text, range.start, range.end);
  return [
    flaw('leading-characters', range, MESSAGES.leading, shown, around === 'blanks' && !isCodeIndent(text, range)),
  ];
}

function flawBehind(text: string, { range, around }: Side): readonly Flaw[] {
  if (around === 'nothing') {
    return [];
  }
  if (around === 'blanks') {
    const shown = describeStretch(text, range.start, range.end);
    return [flaw('trailing-characters', range, MESSAGES.trailing, shown, true)];
  }
  const shown = quote(text, trimFront(text, range.start, range.end), range.end);
  return [flaw('text-after', range, MESSAGES.after, shown, false)];
}

function flaw(reason: Flaw['reason'], range: TextRange, template: string, shown: string, mechanical: boolean): Flaw {
  return { reason, range, message: { template, values: [shown] }, mechanical, repairable: true };
}

/** Four columns make a line code for Markdown: it may be an example, so no automatic repair may make it live. */
function isCodeIndent(text: string, range: TextRange): boolean {
  const indent = text.slice(range.start, Math.min(range.end, range.start + 4));
  return indent.length === 4 || indent.includes('\t');
}
