import { l10n, ProgressLocation, Uri, window, workspace } from 'vscode';
import { requestDocument } from '../request/requestDocument.ts';
import { inNotification } from '../session/plainWords.ts';
import type { PanelSession } from '../session/sessionModel.ts';
import { editorWording } from '../views/editorWording.ts';
import { exportedEvents } from './exportedEvents.ts';
import { type SessionJson, sessionJson } from './sessionJson.ts';
import { sessionReport } from './sessionReport.ts';

/** `fault`: why the log was read only to some place. */
type Exported = SessionJson & { readonly fault: string | undefined };

/** Writes a session to a file that a person chooses, after saying what will stand in it. */
export async function exportSession(session: PanelSession): Promise<void> {
  const json = l10n.t('Export as JSON');
  const markdown = l10n.t('Export as Markdown Report');
  const answer = await window.showWarningMessage(
    l10n.t('The export holds the conversation.'),
    {
      modal: true,
      detail: l10n.t(
        'What you, the model and the tools said stands in it, with everything that the agent read. Look through it before you hand it on.',
      ),
    },
    json,
    markdown,
  );
  if (answer !== json && answer !== markdown) {
    return;
  }
  const isJson = answer === json;
  const target = await window.showSaveDialog({
    title: l10n.t('Export Session'),
    defaultUri: defaultTarget(session, isJson ? 'json' : 'md'),
    filters: isJson ? { JSON: ['json'] } : { Markdown: ['md'] },
  });
  if (!target) {
    return;
  }
  try {
    const title = l10n.t('Exporting the session…');
    const { text, leftOut, fault } = await window.withProgress({ location: ProgressLocation.Window, title }, () =>
      isJson ? jsonOf(session) : markdownOf(session),
    );
    await workspace.fs.writeFile(target, new TextEncoder().encode(text));
    await window.showTextDocument(target);
    if (fault !== undefined) {
      void window.showWarningMessage(inNotification(fault));
    }
    if (leftOut) {
      void window.showInformationMessage(
        leftOut.from === undefined
          ? l10n.t('The log of this session is not on this machine: what was said in it is not in the file.')
          : l10n.t(
              'The log of this session is not on this machine: what was said in it stands in the file as the requests {0} to {1} alone.',
              leftOut.from,
              leftOut.to,
            ),
      );
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(l10n.t('The session was not exported: {0}', inNotification(reason)));
  }
}

/** A name of ours: what a session calls itself is no part of a path. */
function defaultTarget({ header: { created } }: PanelSession, ending: string): Uri {
  const date = new Date(created);
  const time = Number.isNaN(date.getTime()) ? '' : `-${date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`;
  const name = `session${time}.${ending}`;
  const [folder] = workspace.workspaceFolders ?? [];
  return folder ? Uri.joinPath(folder.uri, name) : Uri.file(name);
}

async function jsonOf(session: PanelSession): Promise<Exported> {
  const { events, withoutContent, fault } = await exportedEvents(session);
  return { ...(await sessionJson(session, events, withoutContent)), fault };
}

async function markdownOf(session: PanelSession): Promise<Exported> {
  const last = session.state.requests.length;
  const request = last === 0 ? '' : requestDocument(session, last, await session.readRequest(last), editorWording).text;
  const { events, fault } = await exportedEvents(session);
  return { text: sessionReport(session, events, request, editorWording), fault };
}
