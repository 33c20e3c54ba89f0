import { commands, l10n, ProgressLocation, window } from 'vscode';
import { SESSION_VIEWS } from '../names.ts';
import { inNotification } from '../session/plainWords.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import type { SessionViews } from './sessionViews.ts';

/** Shows the state of a request in the views, and the first of them where it was not seen. Says why where that cannot be. */
export async function showStateAt(views: SessionViews, session: PanelSession, request: number): Promise<void> {
  const title = l10n.t('Going back to request {0}…', request);
  try {
    await window.withProgress({ location: ProgressLocation.Window, title }, () => views.showStateAt(session, request));
    await commands.executeCommand(`${SESSION_VIEWS.blocks}.focus`, { preserveFocus: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(l10n.t('The state at request {0} is not shown: {1}', request, inNotification(reason)));
  }
}
