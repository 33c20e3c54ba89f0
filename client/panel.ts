import { Disposable, type ExtensionContext, type LogOutputChannel } from 'vscode';
import { diskFiles } from './editor/diskFiles.ts';
import { PATH_STYLE, sha256 } from './editor/documentMarks.ts';
import { SourceDrift } from './editor/sourceDrift.ts';
import { startEditorMarks } from './editor/start.ts';
import { startGatewayCommands } from './gateway/start.ts';
import { BlockTokens } from './session/blockTokens.ts';
import { startSessions } from './session/start.ts';
import type { FetchDeclaredBlocks } from './views/declaredBlocksView.ts';
import { startViews } from './views/start.ts';

/** Sessions, the views that show them, their marks in the editor, and the gateway: one line each. Only the entry for Node has it. */
export function startPanel(context: ExtensionContext, log: LogOutputChannel, fetch: FetchDeclaredBlocks): Disposable {
  const started = startSessions(context, log);
  const tokens = new BlockTokens();
  const marks = startEditorMarks(context.extensionUri, started.sessions, tokens);
  const drift = new SourceDrift(diskFiles, PATH_STYLE, sha256);
  const views = startViews(context.extensionUri, started.sessions, tokens, drift);
  const gateway = startGatewayCommands(context, log, fetch);
  return Disposable.from(gateway, views, drift, marks, started);
}
