import { commands, l10n, window } from 'vscode';
import type { Message } from '../protocol/lifecycle/text.ts';
import { product } from '../protocol/product.ts';
import { COMMANDS } from './names.ts';
import { say } from './text.ts';

/** The one notification about the server: it has stopped for good (DESIGN, Trust). */
export async function tellStopped(reason: Message): Promise<void> {
  const restart = l10n.t('Restart');
  const showLog = l10n.t('Show Log');
  const answer = await window.showErrorMessage(say(reason), restart, showLog);
  if (answer === restart) {
    await commands.executeCommand(COMMANDS.restartServer);
  } else if (answer === showLog) {
    await commands.executeCommand(COMMANDS.showLog);
  }
}

/** Without a word of ours the editor would only say that a command was not found. */
export function tellActivationFailed(error: unknown): void {
  const detail = error instanceof Error ? error.message : String(error);
  void window.showErrorMessage(
    l10n.t('{0} could not start: {1}. Reload the window or reinstall the extension.', product.displayName, detail),
  );
}
