import { l10n, Position, Range, Uri, window, workspace } from 'vscode';
import type { RequestDocuments } from '../request/requestDocuments.ts';
import { inNotification } from '../session/plainWords.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import { type FilePlace, filePlace } from './sourcePlace.ts';

/** Whether what is opened takes the focus. */
export interface Opening {
  readonly preserveFocus?: boolean;
}

/** Opens a file at a line. Says so where it is not there any more. */
export async function openSource({ path, line }: FilePlace, { preserveFocus = false }: Opening = {}): Promise<void> {
  try {
    const document = await workspace.openTextDocument(Uri.file(path));
    const start = new Position(Math.min(line, document.lineCount) - 1, 0);
    await window.showTextDocument(document, { preview: true, preserveFocus, selection: new Range(start, start) });
  } catch {
    void window.showInformationMessage(l10n.t('{0} cannot be opened: it may have been moved.', inNotification(path)));
  }
}

/** Opens the place of an entry of the audit: the source's line where that is a file, else the request that it was about. */
export async function openAuditEntry(
  sessions: PanelSessions,
  documents: RequestDocuments,
  { session: key, seq }: { readonly session: string; readonly seq: number },
  opening?: Opening,
): Promise<void> {
  const session = sessions.all.find(each => each.key === key);
  const events = (await session?.history(seq, seq + 1).catch(() => [])) ?? [];
  const data = events.find(event => event.seq === seq)?.data as
    | { readonly source?: string; readonly line?: number; readonly requestSequence?: number }
    | undefined;
  const place = data?.source === undefined ? undefined : filePlace(data.source, session?.header.cwd, data.line);
  const request = Math.min(data?.requestSequence ?? 0, session?.state.requests.length ?? 0);
  if (place) {
    await openSource(place, opening);
  } else if (session && request > 0) {
    await documents.show(session, request, 'text', opening);
  } else {
    void window.showInformationMessage(l10n.t('No request shows this yet.'));
  }
}
