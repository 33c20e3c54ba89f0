import { EndOfLine, InputBoxValidationSeverity, l10n, languages, Range, type TextDocument, window } from 'vscode';
import type { TextRange } from '../protocol/lifecycle/text.ts';
import { DOCUMENT_SELECTOR } from './serverClient.ts';
import { say } from './text.ts';
import { idProblem, selectionProblem, wrapChanges } from './wrapSelection.ts';

/** Asks for an ID and makes a block of the selected lines. Needs no server. */
export async function wrapSelectionInBlock(): Promise<void> {
  const editor = window.activeTextEditor;
  if (!editor || languages.match(DOCUMENT_SELECTOR, editor.document) === 0) {
    void window.showInformationMessage(l10n.t('Open a Markdown file and select the lines that are to become a block.'));
    return;
  }
  const { document } = editor;
  const problem = selectionProblem(document.getText(), selectedIn(document));
  if (problem) {
    void window.showWarningMessage(say(problem));
    return;
  }
  const id = await askForId(document);
  if (id === undefined) {
    return;
  }
  const lineEnd = document.eol === EndOfLine.CRLF ? '\r\n' : '\n';
  // The text and the selection may have changed while the question was open.
  const text = document.getText();
  const selection = selectedIn(document);
  const late = selectionProblem(text, selection) ?? idProblem(text, id);
  const changes = wrapChanges(text, selection, id, lineEnd);
  const done =
    !late &&
    (await editor.edit(edit => {
      for (const { range, newText } of changes) {
        edit.insert(document.positionAt(range.start), newText);
      }
    }));
  if (!done) {
    void window.showWarningMessage(
      late ? say(late) : l10n.t('The document has changed meanwhile; nothing was inserted.'),
    );
  }

  function selectedIn(inDocument: TextDocument): TextRange {
    const selected = editor?.selection ?? new Range(0, 0, 0, 0);
    return { start: inDocument.offsetAt(selected.start), end: inDocument.offsetAt(selected.end) };
  }
}

function askForId(document: TextDocument): Thenable<string | undefined> {
  return window.showInputBox({
    title: l10n.t('Wrap Selection in Block'),
    prompt: l10n.t('ID of the new block: a–z, 0–9, _ and -'),
    placeHolder: 'release-steps',
    validateInput: id => {
      if (id === '') {
        return undefined;
      }
      const problem = idProblem(document.getText(), id);
      return problem && { message: say(problem), severity: InputBoxValidationSeverity.Error };
    },
  });
}
