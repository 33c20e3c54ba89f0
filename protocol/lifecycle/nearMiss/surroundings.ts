import { describeStretch, quote } from '../characterNames.ts';
import { isEmptyLookingAt } from '../characters.ts';
import { isLineEnd, type TextRange, type Work } from '../text.ts';
import type { Flaw } from './flaw.ts';
import type { Reading } from './reading.ts';

const MESSAGES = {
  leading: 'A tag must be the only thing on its line, but {0} stands before it.',
  trailing: 'A tag must be the only thing on its line, but {0} stands behind it.',
  before: 'A tag must be the only thing on its line, but text stands before it: {0}.',
  after: 'A tag must be the only thing on its line, but text stands behind it: {0}.',
} as const;

/**
 * A mark of a block quote, list item or task item, or a blank. One at a time: a repeated group keeps a place to go back to
 * for each round, and a line of ten million marks would overflow that stack.
 */
const CONTAINER_MARK = /[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]|\[[ xX]\][ \t]/y;

/** One side of a tag on its line. */
export interface Side {
  readonly range: TextRange;
  readonly around: 'nothing' | 'blanks' | 'marks' | 'text';
  /** Where the blanks and invisible characters next to the tag end. */
  readonly edge: number;
}

/** What stands around a tag on its line. */
export interface Surroundings {
  readonly before: Side;
  readonly behind: Side;
}

/**
 * Reads what stands around the tag, or gives undefined as soon as that makes it no near miss:
 * - text on both sides, or a list or quote mark before and text behind: a sentence that speaks of the tag;
 * - text before that speaks of another tag, up to `talkedUntil`;
 * - text on one side of a comment that is no exact tag itself, save when its word is the very `BLOCK_ID` or
 *   `DISCARD_BLOCK`: `port 0 <!-- ephemeral -->` is a remark;
 * - inline code, or a backtick on the line that has no partner (inline code may go on over lines).
 */
export function readSurroundings(
  text: string,
  tag: TextRange,
  talkedUntil: number,
  mayStandInText: boolean,
  work: Work | undefined,
): Surroundings | undefined {
  const edgeBefore = skipEmpty(text, tag.start, -1);
  const edgeBehind = skipEmpty(text, tag.end, 1);
  if (work) {
    work.visited += tag.start - edgeBefore + edgeBehind - tag.end;
  }
  const isBare = (at: number): boolean => at < 0 || at >= text.length || isLineEnd(text.charCodeAt(at));
  const bareBefore = isBare(edgeBefore - 1);
  const bareBehind = isBare(edgeBehind);
  if (!bareBefore && !bareBehind) {
    return undefined;
  }
  const before = bareBefore
    ? bareSide(edgeBefore, tag.start, edgeBefore)
    : sideBefore(text, tag.start, edgeBefore, talkedUntil, mayStandInText, work);
  const behind = bareBehind
    ? bareSide(tag.end, edgeBehind, edgeBehind)
    : sideBehind(text, tag.end, edgeBehind, mayStandInText, work);
  return before && behind && { before, behind };
}

/** Whether text may stand on one side of the tag without making it a remark. */
export function mayStandInText(reading: Reading, exactWord: boolean): boolean {
  return reading.flaws.length === 0 || (reading.kind !== 'ephemeral' && exactWord);
}

function skipEmpty(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (isEmptyLookingAt(text, step > 0 ? at : at - 1)) {
    at += step;
  }
  return at;
}

function bareSide(start: number, end: number, edge: number): Side {
  return { range: { start, end }, around: start === end ? 'nothing' : 'blanks', edge };
}

function sideBefore(
  text: string,
  tagStart: number,
  edge: number,
  talkedUntil: number,
  textAllowed: boolean,
  work: Work | undefined,
): Side | undefined {
  const code = new CodeSpans();
  let at = edge;
  let marks = true;
  for (; at > talkedUntil && at > 0 && !isLineEnd(text.charCodeAt(at - 1)) && (textAllowed || marks); at--) {
    marks &&= isMarkCode(text.charCodeAt(at - 1));
    code.read(text.charCodeAt(at - 1));
  }
  visit(work, edge - at);
  if ((at > 0 && !isLineEnd(text.charCodeAt(at - 1))) || code.isOpen()) {
    return undefined;
  }
  const range = { start: at, end: tagStart };
  if (marks) {
    visit(work, tagStart - at);
    if (areContainerMarks(text, at, tagStart)) {
      return { range, around: 'marks', edge };
    }
  }
  return textAllowed ? { range, around: 'text', edge } : undefined;
}

function sideBehind(
  text: string,
  tagEnd: number,
  edge: number,
  textAllowed: boolean,
  work: Work | undefined,
): Side | undefined {
  if (!textAllowed) {
    return undefined;
  }
  const code = new CodeSpans();
  let at = edge;
  for (; at < text.length && !isLineEnd(text.charCodeAt(at)); at++) {
    code.read(text.charCodeAt(at));
  }
  visit(work, at - edge);
  return code.isOpen() ? undefined : { range: { start: tagEnd, end: at }, around: 'text', edge };
}

function visit(work: Work | undefined, count: number): void {
  if (work) {
    work.visited += count;
  }
}

/** `end` is where the tag starts, which is no part of any mark. */
function areContainerMarks(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    CONTAINER_MARK.lastIndex = at;
    if (!CONTAINER_MARK.test(text)) {
      return false;
    }
    at = CONTAINER_MARK.lastIndex;
  }
  return true;
}

/** Characters of container marks and blanks between them. */
function isMarkCode(code: number): boolean {
  return (
    (code >= 0x28 && code <= 0x2e) || // ( ) * + , - .
    (code >= 0x30 && code <= 0x39) ||
    [0x09, 0x20, 0x3e, 0x58, 0x5b, 0x5d, 0x78].includes(code) // tab, blank, > X [ ] x
  );
}

/** Pairs runs of backticks by their length (CommonMark: Code spans); works from either end. */
class CodeSpans {
  #open = 0;
  #run = 0;

  read(code: number): void {
    if (code === 0x60) {
      this.#run++;
    } else if (this.#run > 0) {
      this.#endRun();
    }
  }

  /** Whether a run has no partner; asked once, at the end. */
  isOpen(): boolean {
    this.#endRun();
    return this.#open > 0;
  }

  #endRun(): void {
    if (this.#open === 0) {
      this.#open = this.#run;
    } else if (this.#open === this.#run) {
      this.#open = 0;
    }
    this.#run = 0;
  }
}

/** What is wrong with the tag's surroundings. */
export function flawsAround(text: string, { before, behind }: Surroundings): readonly Flaw[] {
  return [...flawBefore(text, before), ...flawBehind(text, behind)];
}

function flawBefore(text: string, { range, around, edge }: Side): readonly Flaw[] {
  if (around === 'nothing') {
    return [];
  }
  if (around === 'text') {
    return [flaw('text-before', range, MESSAGES.before, quote(text, range.start, edge), false)];
  }
  const shown = describeStretch(text, range.start, range.end);
  return [
    flaw('leading-characters', range, MESSAGES.leading, shown, around === 'blanks' && !isCodeIndent(text, range)),
  ];
}

function flawBehind(text: string, { range, around, edge }: Side): readonly Flaw[] {
  if (around === 'nothing') {
    return [];
  }
  if (around === 'blanks') {
    const shown = describeStretch(text, range.start, range.end);
    return [flaw('trailing-characters', range, MESSAGES.trailing, shown, true)];
  }
  return [flaw('text-after', range, MESSAGES.after, quote(text, edge, range.end), false)];
}

function flaw(reason: Flaw['reason'], range: TextRange, template: string, shown: string, mechanical: boolean): Flaw {
  return { reason, range, message: { template, values: [shown] }, mechanical, repairable: true };
}

/** Four columns make a line code for Markdown: it may be an example, so no automatic repair may make it live. */
function isCodeIndent(text: string, range: TextRange): boolean {
  const indent = text.slice(range.start, Math.min(range.end, range.start + 4));
  return indent.length === 4 || indent.includes('\t');
}
