import { basename, dirname } from 'node:path';
import { commands, l10n, ProgressLocation, window } from 'vscode';
import { LOG_SUFFIX } from '../../local/openLog.ts';
import { deleteLog } from '../../local/retention.ts';
import type { Wording } from '../views/wording.ts';
import { openPastSession } from './pastSession.ts';
import { inNotification } from './plainWords.ts';
import { browseForLog, pickLog, readableLogs } from './sessionPicks.ts';
import type { SessionRegistry } from './sessionRegistry.ts';
import { SHOW_SIDEBAR } from './statusBar.ts';

const LONG_LOG_BYTES = 20_000_000;

/** Lets a person choose a log and shows it as a session of the past. */
export async function openSessionLog(registry: SessionRegistry, folder: string, wording: Wording): Promise<void> {
  const logs = await readableLogs(folder);
  const log = logs.length > 0 ? await pickLog(logs, wording, l10n.t('Open Session Log')) : undefined;
  const path = logs.length > 0 ? log?.path : await browseForLog(folder);
  if (path === undefined) {
    return;
  }
  // A notification that comes and goes at once would only be noise.
  const isLong = log === undefined || log.size > LONG_LOG_BYTES;
  const location = isLong ? ProgressLocation.Notification : ProgressLocation.Window;
  const options = { location, title: l10n.t('Reading the log…'), cancellable: isLong };
  await window.withProgress(options, async (_, token) => {
    const stop = new AbortController();
    const cancelled = token.onCancellationRequested(() => stop.abort());
    try {
      const { session, fault } = await openPastSession(path, stop.signal);
      registry.addPast(session);
      await commands.executeCommand(SHOW_SIDEBAR);
      if (fault !== undefined) {
        void window.showWarningMessage(inNotification(fault));
      }
    } catch (error) {
      if (!stop.signal.aborted) {
        void window.showErrorMessage(l10n.t('The log could not be opened. {0}', inNotification(sentenceOf(error))));
      }
    } finally {
      cancelled.dispose();
    }
  });
}

/** Lets a person choose a log that nobody writes, asks once more, and deletes it. */
export async function removeSessionLog(registry: SessionRegistry, folder: string, wording: Wording): Promise<void> {
  const logs = (await readableLogs(folder)).filter(({ writer }) => writer === undefined);
  if (logs.length === 0) {
    void window.showInformationMessage(
      l10n.t('There is no log that could be deleted: those that are being written stay.'),
    );
    return;
  }
  const log = await pickLog(logs, wording, l10n.t('Delete Session Log'));
  const remove = l10n.t('Delete');
  const question = log && l10n.t('Delete the log of session {0}?', inNotification(log.header?.id ?? log.name));
  const detail = l10n.t('What was discarded in it is forgotten too. It cannot be brought back.');
  if (!log || !question || (await window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) {
    return;
  }
  try {
    deleteLog(dirname(log.path), basename(log.path, LOG_SUFFIX));
    registry.forgetLog(log.path);
  } catch (error) {
    void window.showErrorMessage(l10n.t('The log was not deleted. {0}', inNotification(sentenceOf(error))));
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
