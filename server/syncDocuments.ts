import type { Connection } from 'vscode-languageserver';
import type { OpenDocument } from './document.ts';
import type { OpenDocuments } from './openDocuments.ts';

/** Who wants to know what becomes of open documents. Documents that are not ours are never told of. */
export interface DocumentListener {
  opened(document: OpenDocument): void;
  closed(document: OpenDocument): void;
  /** A document was opened, or its text has changed. */
  changed(): void;
}

/** Keeps the open documents as the client has them. */
export function syncDocuments(connection: Connection, documents: OpenDocuments, listener: DocumentListener): void {
  connection.onDidOpenTextDocument(({ textDocument }) => {
    // A client may switch the language without closing first (editor-bugs 17).
    const before = documents.close(textDocument.uri);
    if (before) {
      listener.closed(before);
    }
    const document = documents.open(textDocument);
    if (document) {
      listener.opened(document);
      listener.changed();
    }
  });
  connection.onDidChangeTextDocument(change => {
    if (documents.change(change)) {
      listener.changed();
    }
  });
  connection.onDidCloseTextDocument(({ textDocument }) => {
    const document = documents.close(textDocument.uri);
    if (document) {
      listener.closed(document);
    }
  });
}
