import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver';
import type { OpenDocument } from '../document.ts';

/** How the client folds. */
export interface FoldingSupport {
  readonly lineFoldingOnly: boolean;
  /** Whether the client knows the kind `region`. */
  readonly region: boolean;
  /** The most ranges that the client takes. */
  readonly limit: number;
}

/** One region for each closed block, from the end of its opening line to the end of its closing line. */
export function foldingRange(document: OpenDocument, support: FoldingSupport): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  for (const { opening, closing } of document.outline.blocks) {
    if (closing && ranges.length < support.limit) {
      const start = document.positionAt(opening.range.end);
      const end = document.positionAt(closing.range.end);
      ranges.push({
        startLine: start.line,
        endLine: end.line,
        ...(support.lineFoldingOnly ? {} : { startCharacter: start.character, endCharacter: end.character }),
        ...(support.region ? { kind: FoldingRangeKind.Region } : {}),
      });
    }
  }
  return ranges;
}
