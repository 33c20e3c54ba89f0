import { outlineDocument } from '../../../protocol/lifecycle/document.ts';
import { findFrontMatter } from '../../../protocol/lifecycle/frontMatter.ts';
import type { SourceFile } from './sourceFiles.ts';

/** A valid block of a source. */
export interface KnownBlock {
  readonly id: string;
  /** From its opening line to its closing line inclusive, in the source's text. */
  readonly start: number;
  readonly end: number;
}

/** One version of a source's text, made ready to be looked for in what a host sends. */
export interface KnownSource {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
  /** Where its front matter ends: hosts leave that out. */
  readonly body: number;
  /** Its whole text as hosts show it: without front matter, perhaps without blank ends and carriage returns. Empty for a blank file. */
  readonly shown: readonly string[];
}

export function knownSource({ path, text }: SourceFile): KnownSource {
  const body = findFrontMatter(text).end;
  const blocks = outlineDocument(text).blocks.flatMap(({ id, opening, closing, valid }) =>
    valid && closing ? [{ id, start: opening.range.start, end: closing.next }] : [],
  );
  const whole = text.slice(body);
  const copies = [whole, whole.trim()].flatMap(copy => [copy, copy.replace(/\r\n?/g, '\n')]);
  const shown = [...new Set(copies)].filter(copy => copy.trim() !== '');
  return { path, text, blocks, body, shown };
}
