import { Disposable, type Uri } from 'vscode';
import { startBudget } from '../budget/start.ts';
import type { SourceDrift } from '../editor/sourceDrift.ts';
import { RequestDocuments } from '../request/requestDocuments.ts';
import type { BlockTokens } from '../session/blockTokens.ts';
import type { PanelSessions } from '../session/sessionModel.ts';
import { SessionViews } from './sessionViews.ts';
import { registerViewCommands } from './viewCommands.ts';

/** The views of sessions, the tabs and documents that they open, and their commands. */
export function startViews(
  extension: Uri,
  sessions: PanelSessions,
  tokens: BlockTokens,
  drift: SourceDrift,
): Disposable {
  const views = new SessionViews(sessions, tokens, drift);
  const documents = new RequestDocuments(sessions);
  const budget = startBudget(extension, sessions, views, documents);
  return Disposable.from(budget, views, documents, ...registerViewCommands(sessions, views, documents));
}
