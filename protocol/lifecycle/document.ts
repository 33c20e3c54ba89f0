import type { Declaration } from './declaration.ts';
import type { NearMissReason, Problem, ProblemCode } from './problem.ts';
import { type Block, structureOf } from './structure.ts';
import { type LineListener, surveyText } from './survey.ts';
import { renderMessage, type TextChange, type TextRange, type Work } from './text.ts';

/** Shared by all documents that hold nothing of a kind: most hold nothing at all. */
const NONE: readonly never[] = Object.freeze([]);

/** Everything that one text says, at offsets. The server and the lint engine read this; agents read `parseDocument`. */
export interface DocumentOutline {
  readonly text: string;
  readonly declarations: readonly Declaration[];
  readonly blocks: readonly Block[];
  /** Structural problems in the reference's order, then near misses and tags in enclosures in document order. */
  readonly problems: readonly Problem[];
}

/** A valid block as `parseDocument` gives it; lines count from 1 and name the two tag lines. */
export interface ParsedBlock {
  readonly id: string;
  readonly content: string;
  readonly startLine: number;
  readonly endLine: number;
}

export interface ParsedDiscard {
  readonly blockId: string;
  readonly line: number;
}

export interface ParsedProblem {
  readonly code: ProblemCode;
  /** The line on which `range` starts, from 1. */
  readonly line: number;
  readonly range: TextRange;
  readonly message: string;
  /** Only for `malformed-tag`. */
  readonly reason?: NearMissReason;
  /** Other places in this text that explain the problem; absent when there are none. */
  readonly related?: readonly ParsedRelatedPlace[];
  /** Absent where more than one exact tag may be meant, or none. Offsets are those of the text before any change. */
  readonly fix?: ParsedFix;
}

export interface ParsedRelatedPlace {
  readonly range: TextRange;
  readonly message: string;
}

export interface ParsedFix {
  readonly title: string;
  /** Blanks, letter case and the like: may be applied without a person looking at it. */
  readonly mechanical: boolean;
  readonly changes: readonly TextChange[];
}

export interface ParsedDocument {
  readonly ephemeral: boolean;
  readonly blocks: readonly ParsedBlock[];
  readonly discards: readonly ParsedDiscard[];
  /** The text without its valid blocks; every other character is kept. */
  readonly ordinaryMarkdown: string;
  readonly problems: readonly ParsedProblem[];
}

/** Reads a document's declarations, blocks and problems. Never throws; `work` counts the characters looked at. */
export function outlineDocument(text: string, work?: Work): DocumentOutline {
  return outlineWithLines(text, work, undefined);
}

function outlineWithLines(text: string, work: Work | undefined, heard: LineListener | undefined): DocumentOutline {
  const { declarations, problems: others } = surveyText(text, work, heard);
  const { blocks, problems } = structureOf(declarations);
  return { text, declarations, blocks, problems: others.length === 0 ? problems : [...problems, ...others] };
}

/**
 * Parses one Markdown text by V1. The text is what an editor shows: readers of files take one leading byte order mark
 * off first. Never throws, never repairs, never changes the text.
 */
export function parseDocument(text: string, work?: Work): ParsedDocument {
  let lines: Map<number, number> | undefined;
  const outline = outlineWithLines(text, work, (offset, line) => {
    lines ??= new Map();
    lines.set(offset, line);
  });
  if (!lines) {
    return { ephemeral: false, blocks: NONE, discards: NONE, ordinaryMarkdown: text, problems: NONE };
  }
  return parsedDocument(outline, lines);
}

function parsedDocument(outline: DocumentOutline, lines: ReadonlyMap<number, number>): ParsedDocument {
  const { text } = outline;
  const lineOf = (offset: number): number => lines.get(offset) ?? 1;
  const blocks: ParsedBlock[] = [];
  let ordinaryMarkdown = '';
  let from = 0;
  for (const { id, opening, closing, valid } of outline.blocks) {
    if (valid && closing) {
      blocks.push({
        id,
        content: text.slice(opening.next, closing.range.start),
        startLine: lineOf(opening.range.start),
        endLine: lineOf(closing.range.start),
      });
      ordinaryMarkdown += text.slice(from, opening.range.start);
      from = closing.next;
    }
  }
  return {
    ephemeral: outline.declarations.some(({ kind }) => kind === 'ephemeral'),
    blocks,
    discards: outline.declarations
      .filter(({ kind }) => kind === 'discard')
      .map(({ id, range }) => ({ blockId: id, line: lineOf(range.start) })),
    ordinaryMarkdown: ordinaryMarkdown + text.slice(from),
    problems: outline.problems.map(problem => parsedProblem(problem, lineOf)),
  };
}

function parsedProblem(problem: Problem, lineOf: (offset: number) => number): ParsedProblem {
  const { code, range, message, reason, related, fix } = problem;
  return {
    code,
    line: lineOf(range.start),
    range,
    message: renderMessage(message),
    ...(reason && { reason }),
    ...(related.length > 0 && {
      related: related.map(place => ({ range: place.range, message: renderMessage(place.message) })),
    }),
    ...(fix && { fix: { title: renderMessage(fix.title), mechanical: fix.mechanical, changes: fix.changes } }),
  };
}
