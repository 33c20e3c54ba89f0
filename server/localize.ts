import * as l10n from '@vscode/l10n';
import type { Message } from '../protocol/lifecycle/text.ts';

/** The message in the language that the client asked for; English where there is no translation. */
export function localize(message: Message): string {
  return l10n.t(message.template, ...message.values);
}
