import { commands } from 'vscode';
import { CONTEXT_KEYS, type ContextKey } from './names.ts';

/** Sets a key that when-clauses of the manifest ask for; undefined takes it back. */
export function setContextKey(key: ContextKey, value: string | boolean | undefined): void {
  void commands.executeCommand('setContext', key, value);
}

/** Leaves no key behind when the extension is switched off. A window that closes refuses; its keys end with it. */
export async function resetContextKeys(): Promise<void> {
  await Promise.allSettled(CONTEXT_KEYS.map(key => commands.executeCommand('setContext', key, undefined)));
}
