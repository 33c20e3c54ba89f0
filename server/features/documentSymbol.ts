import { type DocumentSymbol, type SymbolInformation, SymbolKind } from 'vscode-languageserver';
import { idRange } from '../../protocol/lifecycle/declaration.ts';
import type { Block } from '../../protocol/lifecycle/structure.ts';
import type { OpenDocument } from '../document.ts';
import { localize } from '../localize.ts';
import { contentLines, lineCount } from './shared/counts.ts';

/** What blocks are among the symbol kinds of LSP; headings are strings in the editors that list them. */
export const BLOCK_SYMBOL = SymbolKind.Namespace;

/**
 * The document's blocks and nothing else: headings are another extension's (editor-bugs 31, 32). A block that is never
 * closed reaches over its opening line only. Flat where the client knows no hierarchy.
 */
export function documentSymbol(
  document: OpenDocument,
  support: { readonly hierarchical: boolean },
): DocumentSymbol[] | SymbolInformation[] {
  const { blocks } = document.outline;
  if (!support.hierarchical) {
    return blocks.map(block => ({
      name: block.id,
      kind: BLOCK_SYMBOL,
      location: { uri: document.uri, range: blockRange(document, block) },
    }));
  }
  return blocks.map(block => ({
    name: block.id,
    detail: blockDetail(document, block),
    kind: BLOCK_SYMBOL,
    range: blockRange(document, block),
    selectionRange: document.rangeOf(idRange(block.opening)),
  }));
}

function blockRange(document: OpenDocument, { opening, closing }: Block) {
  return document.rangeOf({ start: opening.range.start, end: (closing ?? opening).range.end });
}

function blockDetail(document: OpenDocument, block: Block): string {
  if (!block.closing) {
    return localize({ template: 'not closed', values: [] });
  }
  const lines = lineCount(contentLines(document, block));
  return block.valid ? lines : localize({ template: '{0}, not valid', values: [lines] });
}
