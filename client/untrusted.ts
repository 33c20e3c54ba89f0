import { commands, l10n, window } from 'vscode';

/** The answer of a command that waits until the workspace is trusted, and the way there. `sentence` says what does not happen. */
export async function sayUntrusted(sentence: string): Promise<void> {
  const manage = l10n.t('Manage Trust');
  if ((await window.showInformationMessage(sentence, manage)) === manage) {
    await commands.executeCommand('workbench.trust.manage');
  }
}
