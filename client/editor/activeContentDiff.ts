import { commands, l10n, Range, Uri, window, workspace } from 'vscode';
import type { BlockState } from '../../protocol/lifecycle/lifecycleState.ts';
import { inNotification } from '../session/plainWords.ts';
import type { PanelSession, PanelSessions } from '../session/sessionModel.ts';
import type { BlockReference } from '../views/given.ts';
import { shown } from '../views/wording.ts';
import { activeContent } from './activeContent.ts';
import type { ActiveContentDocuments } from './activeContentDocuments.ts';
import { PATH_STYLE, sha256 } from './documentMarks.ts';
import { documentTags } from './documentTags.ts';
import { sourcePath } from './sourceFile.ts';

/** Compares what a session loaded as a block with what its file says now, in the editor's own diff. */
export async function diffActiveContent(
  sessions: PanelSessions,
  documents: ActiveContentDocuments,
  reference: BlockReference | undefined,
): Promise<void> {
  const session =
    reference?.session === undefined ? sessions.current : sessions.all.find(({ key }) => key === reference.session);
  const block = reference && session?.state.lifecycle.blocks.get(reference.block);
  if (!session || !block) {
    void window.showInformationMessage(l10n.t('No session that is shown here has loaded this block.'));
    return;
  }
  const active = await readActive(session, block);
  if (active === undefined) {
    return;
  }
  const path = sourcePath(block.activated.source, session.header.cwd, PATH_STYLE);
  // As in `SourceDrift`: what a session names must not make this machine call another one.
  const file = path === undefined || path.startsWith('\\\\') ? undefined : await openFile(path);
  const content = documents.add(session.key, { blockId: block.id, active, beside: file });
  if (!file) {
    await window.showTextDocument(content, { preview: true });
    return;
  }
  const line = documentTags(file.getText(), sha256).blocks.find(({ id }) => id === block.id)?.line ?? 0;
  const title = l10n.t('{0}: as loaded ↔ as it is now', shown(block.id));
  await commands.executeCommand('vscode.diff', content, file.uri, title, { selection: new Range(line, 0, line, 0) });
}

/** Watchers get no content, but the exact requests have it. Says why where there is none. */
async function readActive(
  session: PanelSession,
  { id, activated, discarded }: BlockState,
): Promise<string | undefined> {
  const { length } = session.state.requests;
  const last = discarded ? Math.min(length, discarded.requestSequence - 1) : length;
  if (last < activated.requestSequence) {
    void window.showInformationMessage(
      l10n.t('No request has held block {0} yet, so its loaded text cannot be shown.', inNotification(id)),
    );
    return undefined;
  }
  try {
    const { text, content } = await session.readRequest(last);
    const found = content === 'full' ? activeContent(text, { id, sha256: activated.sha256 }, sha256) : undefined;
    if (found === undefined) {
      void window.showInformationMessage(
        content === 'full'
          ? l10n.t('Request {0} does not hold the text that was loaded as block {1}.', last, inNotification(id))
          : l10n.t(
              'The log of this session keeps no content, so the loaded text of block {0} cannot be shown.',
              inNotification(id),
            ),
      );
    }
    return found;
  } catch (error) {
    void window.showErrorMessage(inNotification(error instanceof Error ? error.message : String(error)));
    return undefined;
  }
}

async function openFile(path: string) {
  try {
    return await workspace.openTextDocument(Uri.file(path));
  } catch {
    return undefined;
  }
}
