import { Disposable, EventEmitter, type TextDocument, type TextDocumentContentProvider, Uri, workspace } from 'vscode';
import { BLOCK_SCHEME } from '../names.ts';
import { withActiveContent } from './activeContent.ts';

interface Shown {
  readonly blockId: string;
  /** From its opening line to its closing line inclusive. */
  readonly active: string;
  /** The document that it is compared with; absent where there is none. */
  readonly beside: TextDocument | undefined;
}

/**
 * Read-only documents that show a block as a session loaded it. Where there is a document to compare with, everything else in
 * it stands as it does there, so that a diff shows the block's changes and nothing more.
 */
export class ActiveContentDocuments implements TextDocumentContentProvider, Disposable {
  readonly #shown = new Map<string, Shown>();
  readonly #changed = new EventEmitter<Uri>();
  /** Before the registration, which looks whether it is there. */
  readonly onDidChange = this.#changed.event;
  readonly #watching = Disposable.from(
    workspace.registerTextDocumentContentProvider(BLOCK_SCHEME, this),
    workspace.onDidChangeTextDocument(({ document }) => {
      for (const [uri, { beside }] of this.#shown) {
        if (beside === document) {
          this.#changed.fire(Uri.parse(uri));
        }
      }
    }),
    workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
      // The editor also says so of a document whose language it has just found out.
      if (isClosed) {
        this.#shown.delete(uri.toString());
      }
    }),
  );

  /** The document's address; the same one for the same block of the same session. */
  add(sessionKey: string, shown: Shown): Uri {
    const uri = Uri.from({ scheme: BLOCK_SCHEME, path: `/${shown.blockId}.md`, query: sessionKey });
    this.#shown.set(uri.toString(), shown);
    this.#changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: Uri): string {
    const shown = this.#shown.get(uri.toString());
    if (!shown) {
      return '';
    }
    const { blockId, active, beside } = shown;
    return beside ? withActiveContent(beside.getText(), blockId, active) : active;
  }

  dispose(): void {
    this.#watching.dispose();
    this.#changed.dispose();
  }
}
