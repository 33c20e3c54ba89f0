import { commands, Disposable, languages, type Uri } from 'vscode';
import { MARK_COMMANDS } from '../names.ts';
import type { BlockTokens } from '../session/blockTokens.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import { blockReference, type Given } from '../views/given.ts';
import { diffActiveContent } from './activeContentDiff.ts';
import { ActiveContentDocuments } from './activeContentDocuments.ts';
import { DocumentMarks, SESSION_DOCUMENTS } from './documentMarks.ts';
import { EditorMarks } from './editorMarks.ts';
import { MarkContexts } from './markContexts.ts';
import { MarkHover } from './markHover.ts';
import { MarkLenses } from './markLenses.ts';

/** Shows the current session on the tag lines of its sources. `extension` is where the icons lie. */
export function startEditorMarks(extension: Uri, sessions: PanelSessions, tokens: BlockTokens): Disposable {
  const marks = new DocumentMarks(sessions);
  const contexts = new MarkContexts(tokens);
  const editors = new EditorMarks(extension, sessions, marks, contexts);
  const lenses = new MarkLenses(sessions, marks, contexts);
  const documents = new ActiveContentDocuments();
  return Disposable.from(
    editors,
    lenses,
    documents,
    tokens.onMore(() => {
      editors.request();
      lenses.request();
    }),
    languages.registerHoverProvider(SESSION_DOCUMENTS, new MarkHover(marks, contexts)),
    languages.registerCodeLensProvider(SESSION_DOCUMENTS, lenses),
    commands.registerCommand(MARK_COMMANDS.diffActiveContent, (given?: Given) =>
      diffActiveContent(sessions, documents, blockReference(given, sessions)),
    ),
  );
}
