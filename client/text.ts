import { l10n } from 'vscode';
import type { Message } from '../protocol/lifecycle/text.ts';

/** The message in the editor's language; English where there is no translation. */
export function say(message: Message): string {
  return l10n.t(message.template, ...message.values);
}
