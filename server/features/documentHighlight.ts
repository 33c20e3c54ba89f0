import { type DocumentHighlight, DocumentHighlightKind, type Position } from 'vscode-languageserver';
import { idRange } from '../../protocol/lifecycle/declaration.ts';
import type { OpenDocument } from '../document.ts';
import { idTagAt } from './shared/tagAt.ts';

/** The same ID on every tag line of the document; an opening writes it, a closing or discard reads it. Empty off our lines. */
export function documentHighlight(document: OpenDocument, position: Position): DocumentHighlight[] {
  const tag = idTagAt(document, position);
  if (!tag) {
    return [];
  }
  return document.outline.declarations
    .filter(({ kind, id }) => kind !== 'ephemeral' && id === tag.id)
    .map(other => ({
      range: document.rangeOf(idRange(other)),
      kind: other.kind === 'opening' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }));
}
