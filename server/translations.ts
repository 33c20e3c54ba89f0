import * as l10n from '@vscode/l10n';
import type { EditorOptions } from '../protocol/lifecycle/editorRequests.ts';
import type { Log } from './log.ts';

/** Takes the translations that the client sends as `initializationOptions.l10n`; English without them. */
export function useTranslations(initializationOptions: unknown, log: Log): void {
  const { l10n: bundle } = (initializationOptions ?? {}) as EditorOptions;
  if (typeof bundle !== 'object') {
    return;
  }
  try {
    l10n.config({ contents: { ...bundle } });
  } catch (error) {
    log.warn(`The translations cannot be used, so messages are in English: ${String(error)}`);
  }
}

/**
 * Loads translations from the file that VS Code's own convention names in the environment, for clients that start the
 * server themselves.
 */
export async function loadTranslations(location: string | undefined, log: Log): Promise<void> {
  if (!location) {
    return;
  }
  try {
    await l10n.config({ uri: location });
  } catch (error) {
    log.warn(`The translations in ${location} cannot be read, so messages are in English: ${String(error)}`);
  }
}
