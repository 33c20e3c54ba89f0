import type { Declaration } from './declaration.ts';
import type { NearMissReason, Problem, ProblemCode } from './problem.ts';
import { scanDeclarations } from './scan.ts';
import { type Block, structureOf } from './structure.ts';
import { LineCounter, renderMessage, type TextRange, type Work } from './text.ts';

/** Everything that one text says, at offsets. The server and the lint engine read this; agents read `parseDocument`. */
export interface DocumentOutline {
  readonly text: string;
  readonly declarations: readonly Declaration[];
  readonly blocks: readonly Block[];
  /** Structural problems in the reference's order, then near misses in document order. */
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
  readonly reason?: NearMissReason;
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
  const declarations = scanDeclarations(text, work);
  const { blocks, problems } = structureOf(declarations);
  return { text, declarations, blocks, problems };
}

/**
 * Parses one Markdown text by V1. The text is what an editor shows: readers of files take one leading byte order mark
 * off first. Never throws, never repairs, never changes the text.
 */
export function parseDocument(text: string, work?: Work): ParsedDocument {
  const outline = outlineDocument(text, work);
  const lines = lineNumbers(outline, work);
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
    problems: outline.problems.map(problem => ({
      code: problem.code,
      line: lineOf(problem.range.start),
      range: problem.range,
      message: renderMessage(problem.message),
      ...(problem.reason && { reason: problem.reason }),
    })),
  };
}

/** Line numbers of the places that have one, found in a single pass. */
function lineNumbers(outline: DocumentOutline, work: Work | undefined): ReadonlyMap<number, number> {
  const offsets = [...outline.declarations, ...outline.problems].map(({ range }) => range.start);
  const counter = new LineCounter(outline.text, work);
  return new Map(offsets.sort((a, b) => a - b).map(offset => [offset, counter.lineAt(offset)]));
}
