import type { Declaration } from '../../protocol/lifecycle/declaration.ts';
import { scanDeclarations } from '../../protocol/lifecycle/scan.ts';
import { structureOf } from '../../protocol/lifecycle/structure.ts';
import { LineCounter } from '../../protocol/lifecycle/text.ts';
import type { Sha256 } from '../../protocol/request/hashing.ts';
import { changedLines } from './changedLines.ts';

/** A block as a document has it now. Lines count from 0. */
export interface DocumentBlock {
  readonly id: string;
  readonly line: number;
  /** Of the closing line; absent where the block is never closed. */
  readonly endLine?: number;
  readonly valid: boolean;
  /** From the opening line to the closing line inclusive, as offsets. */
  readonly range: { readonly start: number; readonly end: number };
  /** Whether this is the text whose hash it is; other line ends and a missing last one are no difference. */
  is(sha256: string): boolean;
  /** What is known of its text's hashes. It holds no text: an earlier document's must not be kept by what did not change. */
  readonly hashes: BlockHashes;
}

/** Hashes of a text as it stands, and of the same lines with other line ends; absent until they were asked for. */
interface BlockHashes {
  exact?: string;
  others?: ReadonlySet<string>;
}

export interface DocumentTags {
  readonly text: string;
  /** The tag lines, with their line numbers. */
  readonly tags: readonly PlacedTag[];
  readonly blocks: readonly DocumentBlock[];
  readonly discards: readonly { readonly id: string; readonly line: number }[];
}

/** An exact tag line. Lines count from 0. */
interface PlacedTag {
  readonly tag: Declaration;
  readonly line: number;
}

/** What the tag lines of a text declare. `before` is what an earlier text declared: of this one, only what differs is read. */
export function documentTags(text: string, sha256: Sha256, before?: DocumentTags): DocumentTags {
  const tags = before ? tagsAfter(before, text) : tagsIn(text, 0, 0);
  const lines = new Map(tags.map(({ tag, line }) => [tag, line]));
  const lineOf = (declaration: Declaration): number => lines.get(declaration) ?? 0;
  const known = new Map(before?.blocks.map(block => [block.id, block]));
  const blocks = structureOf(tags.map(({ tag }) => tag)).blocks.map(
    ({ id, opening, closing, valid }): DocumentBlock => {
      const range = { start: opening.range.start, end: (closing ?? opening).next };
      const old = known.get(id);
      const isOld = old && before?.text.slice(old.range.start, old.range.end) === text.slice(range.start, range.end);
      const hashes = isOld ? old.hashes : {};
      return {
        id,
        line: lineOf(opening),
        ...(closing && { endLine: lineOf(closing) }),
        valid,
        range,
        is: sameText(() => text.slice(range.start, range.end), sha256, hashes),
        hashes,
      };
    },
  );
  const discards = tags.filter(({ tag }) => tag.kind === 'discard').map(({ tag, line }) => ({ id: tag.id, line }));
  return { text, tags, blocks, discards };
}

/** The tag lines of a part of a text that begins with a line, this one. */
function tagsIn(text: string, offset: number, firstLine: number): readonly PlacedTag[] {
  const counter = new LineCounter(text);
  return scanDeclarations(text).map(tag => ({
    tag: moved(tag, offset),
    line: firstLine + counter.lineAt(tag.range.start) - 1,
  }));
}

/** A tag line is one whatever stands on other lines: those outside of what changed are only moved. */
function tagsAfter({ text: before, tags }: DocumentTags, text: string): readonly PlacedTag[] {
  const { start, endBefore, endNow } = changedLines(before, text);
  const first = tags.findIndex(({ tag }) => tag.range.start >= start);
  const kept = first < 0 ? tags : tags.slice(0, first);
  const last = kept.at(-1);
  const behindLast = last?.tag.next ?? 0;
  const line = (last ? last.line + 1 : 0) + linesIn(text.slice(behindLast, start));
  const fresh = tagsIn(text.slice(start, endNow), start, line);
  const shift = endNow - endBefore;
  const lines = linesIn(text.slice(start, endNow)) - linesIn(before.slice(start, endBefore));
  const rest = tags
    .slice(kept.length)
    .filter(({ tag }) => tag.range.start >= endBefore)
    .map(({ tag, line: place }) => ({ tag: moved(tag, shift), line: place + lines }));
  return [...kept, ...fresh, ...rest];
}

/** How many line ends a text has. */
function linesIn(text: string): number {
  return new LineCounter(text).lineAt(text.length) - 1;
}

function moved(tag: Declaration, by: number): Declaration {
  const { kind, id, range, next } = tag;
  return by === 0 ? tag : { kind, id, range: { start: range.start + by, end: range.end + by }, next: next + by };
}

/** Hashes are made when they are asked for first, the text as it stands before all others. */
function sameText(text: () => string, sha256: Sha256, hashes: BlockHashes): (hash: string) => boolean {
  return hash => {
    hashes.exact ??= sha256(text());
    if (hashes.exact === hash) {
      return true;
    }
    hashes.others ??= new Set(lineEndVariants(text()).map(sha256));
    return hashes.others.has(hash);
  };
}

/** The same lines with other line ends: an editor shows mixed ones as one kind, and agents change them. */
export function lineEndVariants(text: string): readonly string[] {
  const plain = text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  return ['\n', '\r\n'].flatMap(end => {
    const lines = plain.replaceAll('\n', end);
    return [`${lines}${end}`, lines];
  });
}
