import type { DidChangeTextDocumentParams, Position, Range, TextDocumentItem } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type DocumentOutline, outlineDocument } from '../protocol/lifecycle/document.ts';
import { DOCUMENT_SCHEMES, LANGUAGE_IDS } from '../protocol/lifecycle/documentScope.ts';
import { outlineAfterEdit } from '../protocol/lifecycle/outlineEdit.ts';
import type { TextRange } from '../protocol/lifecycle/text.ts';
import { checkedPosition, checkedText } from './clientInput.ts';
import type { OpenDocument } from './document.ts';
import { characterStart, offsetAfter, type PositionEncoding, unitsBetween } from './positionEncoding.ts';
import { parseUri, uriKey } from './uriKey.ts';

const LANGUAGES: ReadonlySet<string> = new Set(LANGUAGE_IDS);
const SCHEMES: ReadonlySet<string> = new Set(DOCUMENT_SCHEMES);

/** Whether a document is ours to look at: by language and scheme only. */
export function isInScope(uri: string, languageId: string): boolean {
  return LANGUAGES.has(languageId) && SCHEMES.has(parseUri(uri)?.scheme ?? '');
}

/** The documents that the client has open and that are in scope, by URI. Their text follows the client's edits. */
export class OpenDocuments {
  readonly #encoding: PositionEncoding;
  readonly #documents = new Map<string, EditedDocument>();
  #revision = 0;

  constructor(encoding: PositionEncoding) {
    this.#encoding = encoding;
  }

  /** The same number as long as no document was opened, changed or closed. */
  get revision(): number {
    return this.#revision;
  }

  /** The new document; undefined when it is out of scope. */
  open({ uri, languageId, version, text }: TextDocumentItem): OpenDocument | undefined {
    this.#revision++;
    if (!isInScope(uri, languageId)) {
      this.#documents.delete(uriKey(uri));
      return undefined;
    }
    const document = new EditedDocument(
      TextDocument.create(uri, languageId, version, checkedText(text)),
      this.#encoding,
    );
    this.#documents.set(uriKey(uri), document);
    return document;
  }

  /** The changed document; undefined when it is not open here. */
  change({ textDocument, contentChanges }: DidChangeTextDocumentParams): OpenDocument | undefined {
    this.#revision++;
    const document = this.#documents.get(uriKey(textDocument.uri));
    for (const change of contentChanges) {
      document?.edit('range' in change ? change.range : undefined, checkedText(change.text), textDocument.version);
    }
    return document;
  }

  /** The document that was closed; undefined when it was not open here. */
  close(uri: string): OpenDocument | undefined {
    this.#revision++;
    const document = this.get(uri);
    this.#documents.delete(uriKey(uri));
    return document;
  }

  get(uri: string): OpenDocument | undefined {
    return this.#documents.get(uriKey(uri));
  }

  all(): Iterable<OpenDocument> {
    return this.#documents.values();
  }
}

/** A text that is not open, in the client's encoding, for what speaks to the client in positions. */
export function closedDocument(uri: string, text: string, encoding: PositionEncoding): OpenDocument {
  return new EditedDocument(TextDocument.create(uri, 'markdown', 0, text), encoding);
}

/** An open document in the encoding that was agreed with the client. */
class EditedDocument implements OpenDocument {
  readonly text: TextDocument;
  readonly #encoding: PositionEncoding;
  #outline: DocumentOutline | undefined;
  #layout: object = {};
  /** The last offset that was converted, so that many places on one very long line do not each count it from its start. */
  #last = { lineStart: 0, offset: 0, units: 0 };

  constructor(text: TextDocument, encoding: PositionEncoding) {
    this.text = text;
    this.#encoding = encoding;
  }

  get uri(): string {
    return this.text.uri;
  }

  get languageId(): string {
    return this.text.languageId;
  }

  get version(): number {
    return this.text.version;
  }

  get layout(): object {
    return this.#layout;
  }

  get outline(): DocumentOutline {
    this.#outline ??= outlineDocument(this.text.getText());
    return this.#outline;
  }

  offsetAt(position: Position): number {
    const { line, character } = checkedPosition(position);
    const start = this.text.offsetAt({ line, character: 0 });
    const end = this.text.offsetAt({ line, character: Number.MAX_SAFE_INTEGER });
    return offsetAfter(this.text.getText(), start, end, character, this.#encoding);
  }

  positionAt(offset: number): Position {
    const { line, character } = this.text.positionAt(offset);
    if (this.#encoding === 'utf-16') {
      return { line, character };
    }
    const lineStart = this.text.offsetAt({ line, character: 0 });
    const at = characterStart(this.text.getText(), lineStart + character);
    return { line, character: this.#unitsUpTo(lineStart, at, this.#encoding) };
  }

  #unitsUpTo(lineStart: number, offset: number, encoding: PositionEncoding): number {
    const text = this.text.getText();
    const near = this.#last.lineStart === lineStart && Math.abs(this.#last.offset - offset) < offset - lineStart;
    const from = near ? this.#last : { offset: lineStart, units: 0 };
    const units =
      from.offset <= offset
        ? from.units + unitsBetween(text, from.offset, offset, encoding)
        : from.units - unitsBetween(text, offset, from.offset, encoding);
    this.#last = { lineStart, offset, units };
    return units;
  }

  rangeOf({ start, end }: TextRange): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) };
  }

  /** Replaces `range` (in the client's units; the whole text when absent). */
  edit(range: Range | undefined, newText: string, version: number): void {
    const replaced = range && this.#offsetsOf(range);
    const change = replaced ? { range: this.#inUtf16(replaced), text: newText } : { text: newText };
    TextDocument.update(this.text, [change], version);
    const edit = replaced && { range: replaced, newText };
    this.#outline = edit && this.#outline && outlineAfterEdit(this.#outline, edit, this.text.getText());
    if (!this.#outline) {
      this.#layout = {};
    }
    this.#last = { lineStart: 0, offset: 0, units: 0 };
  }

  /** Inside the text, and in order: `TextDocument.update` turns a range round that a client sent backwards. */
  #offsetsOf(range: Range): TextRange {
    const [start, end] = [this.offsetAt(range.start), this.offsetAt(range.end)];
    return { start: Math.min(start, end), end: Math.max(start, end) };
  }

  /** The range in UTF-16 units and inside the text, which is all that TextDocument.update understands. */
  #inUtf16({ start, end }: TextRange): Range {
    return { start: this.text.positionAt(start), end: this.text.positionAt(end) };
  }
}
