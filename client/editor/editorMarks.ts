import { Disposable, type Uri, window, workspace } from 'vscode';
import type { PanelSessions } from '../session/sessionModel.ts';
import { RefreshGate } from '../views/refreshGate.ts';
import type { DocumentMarks } from './documentMarks.ts';
import type { MarkContexts } from './markContexts.ts';
import { MarkDecorations } from './markDecorations.ts';
import { markText } from './markWords.ts';

/** Draws the marks of the current session into the editors that are seen, soon after anything has changed. */
export class EditorMarks implements Disposable {
  readonly #marks: DocumentMarks;
  readonly #contexts: MarkContexts;
  readonly #decorations: MarkDecorations;
  readonly #gate = new RefreshGate(async () => this.#draw());
  readonly #watching: Disposable;

  constructor(extension: Uri, sessions: PanelSessions, marks: DocumentMarks, contexts: MarkContexts) {
    this.#marks = marks;
    this.#contexts = contexts;
    this.#decorations = new MarkDecorations(extension);
    this.#watching = Disposable.from(
      sessions.onChange(() => this.request()),
      window.onDidChangeVisibleTextEditors(() => this.request()),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (window.visibleTextEditors.some(editor => editor.document === document)) {
          this.request();
        }
      }),
    );
    this.#gate.setVisible(true);
    this.request();
  }

  /** Draws soon, and once for several requests. */
  request(): void {
    this.#gate.request();
  }

  dispose(): void {
    this.#gate.dispose();
    this.#watching.dispose();
    this.#decorations.dispose();
  }

  #draw(): void {
    const { session } = this.#marks;
    for (const editor of window.visibleTextEditors) {
      const marks = session ? this.#marks.of(editor.document) : [];
      this.#decorations.draw(editor, marks, mark => (session ? markText(mark, this.#contexts.of(session, mark)) : ''));
    }
  }
}
