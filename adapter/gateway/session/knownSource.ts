import { outlineDocument } from '../../../protocol/lifecycle/document.ts';
import { findFrontMatter } from '../../../protocol/lifecycle/frontMatter.ts';
import type { SourceFile } from './sourceFiles.ts';
import { type Line, linesOf } from './textLines.ts';

/** A valid block of a source. */
export interface KnownBlock {
  readonly id: string;
  /** From its opening line to its closing line inclusive, in the source's text. */
  readonly start: number;
  readonly end: number;
  /** Places in the source's `lines`: of its first one, and behind its last. */
  readonly firstLine: number;
  readonly lineBehind: number;
}

/** One version of a source's text, made ready to be looked for in what a host sends. */
export interface KnownSource {
  readonly path: string;
  readonly text: string;
  /** In order. */
  readonly blocks: readonly KnownBlock[];
  /** Those that are not blank, without its front matter, which hosts leave out: made once, as a text may name the file any number of times. */
  readonly lines: readonly Line[];
  /** Its whole text as hosts show it: without front matter, perhaps without blank ends and carriage returns. Empty for a blank file. */
  readonly shown: readonly string[];
}

export function knownSource({ path, text }: SourceFile): KnownSource {
  const body = findFrontMatter(text).end;
  const lines = linesOf(text, body);
  let at = 0;
  /** The first line from there on. Asked for in order. */
  const lineFrom = (place: number): number => {
    while ((lines[at]?.start ?? Number.POSITIVE_INFINITY) < place) {
      at++;
    }
    return at;
  };
  const blocks = outlineDocument(text).blocks.flatMap(({ id, opening, closing, valid }): readonly KnownBlock[] => {
    if (!valid || !closing) {
      return [];
    }
    const { start } = opening.range;
    const end = closing.next;
    return [{ id, start, end, firstLine: lineFrom(start), lineBehind: lineFrom(end) }];
  });
  const whole = text.slice(body);
  const copies = [whole, whole.trim()].flatMap(copy => [copy, copy.replace(/\r\n?/g, '\n')]);
  const shown = [...new Set(copies)].filter(copy => copy.trim() !== '');
  return { path, text, blocks, lines, shown };
}
