import type { Position, Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { DocumentOutline } from '../protocol/lifecycle/document.ts';
import type { TextRange } from '../protocol/lifecycle/text.ts';

/**
 * An open document with its outline. Positions that come from or go to the client are in the negotiated encoding;
 * `offsetAt`, `positionAt` and `rangeOf` convert them, so features think in UTF-16 offsets only.
 */
export interface OpenDocument {
  readonly uri: string;
  readonly languageId: string;
  readonly version: number;
  readonly text: TextDocument;
  /** Computed on first use for each version. */
  readonly outline: DocumentOutline;
  /** The same object as long as no edit can have changed a tag line or moved it to another line. */
  readonly layout: object;
  offsetAt(position: Position): number;
  positionAt(offset: number): Position;
  rangeOf(range: TextRange): Range;
}
