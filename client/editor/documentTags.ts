import type { Declaration } from '../../protocol/lifecycle/declaration.ts';
import { scanDeclarations } from '../../protocol/lifecycle/scan.ts';
import { structureOf } from '../../protocol/lifecycle/structure.ts';
import { LineCounter } from '../../protocol/lifecycle/text.ts';
import type { Sha256 } from '../../protocol/request/hashing.ts';

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
}

export interface DocumentTags {
  readonly blocks: readonly DocumentBlock[];
  readonly discards: readonly { readonly id: string; readonly line: number }[];
}

/** What the tag lines of a text declare. */
export function documentTags(text: string, sha256: Sha256): DocumentTags {
  const declarations = scanDeclarations(text);
  const counter = new LineCounter(text);
  const lines = new Map(declarations.map(declaration => [declaration, counter.lineAt(declaration.range.start) - 1]));
  const lineOf = (declaration: Declaration): number => lines.get(declaration) ?? 0;
  const blocks = structureOf(declarations).blocks.map(({ id, opening, closing, valid }) => {
    const range = { start: opening.range.start, end: (closing ?? opening).next };
    return {
      id,
      line: lineOf(opening),
      ...(closing && { endLine: lineOf(closing) }),
      valid,
      range,
      is: sameText(() => text.slice(range.start, range.end), sha256),
    };
  });
  const discards = declarations
    .filter(({ kind }) => kind === 'discard')
    .map(declaration => ({ id: declaration.id, line: lineOf(declaration) }));
  return { blocks, discards };
}

/** Hashes are made when they are asked for first, the text as it stands before all others. */
function sameText(text: () => string, sha256: Sha256): (hash: string) => boolean {
  let exact: string | undefined;
  let others: ReadonlySet<string> | undefined;
  return hash => {
    exact ??= sha256(text());
    if (exact === hash) {
      return true;
    }
    others ??= new Set(lineEndVariants(text()).map(sha256));
    return others.has(hash);
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
