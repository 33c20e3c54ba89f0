import type { ExtensionContext, LogOutputChannel } from 'vscode';
import type { PanelSessions } from './sessionModel.ts';

/** The sessions of this window, and what ends them. */
export interface StartedSessions {
  readonly sessions: PanelSessions;
  dispose(): void;
}

/** Finds sessions, attaches to them, and shows in status bar and notifications what has to be shown outside of any view. */
export function startSessions(_context: ExtensionContext, _log: LogOutputChannel): StartedSessions {
  const sessions: PanelSessions = { all: [], current: undefined, isNew: true, onChange: () => ({ dispose() {} }) };
  return { sessions, dispose() {} };
}
