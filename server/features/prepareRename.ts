import type { Position, Range } from 'vscode-languageserver';
import { idRange } from '../../protocol/lifecycle/declaration.ts';
import type { OpenDocument } from '../document.ts';
import { idTagAt } from './shared/tagAt.ts';

/**
 * The ID of the tag line at the position. Null everywhere else and never an error: in VS Code a null lets the built-in
 * Markdown rename answer, an error would stop it.
 */
export function prepareRename(
  document: OpenDocument,
  position: Position,
): { readonly range: Range; readonly placeholder: string } | null {
  const tag = idTagAt(document, position);
  return tag ? { range: document.rangeOf(idRange(tag)), placeholder: tag.id } : null;
}
