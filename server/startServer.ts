import {
  type Connection,
  DidChangeConfigurationNotification,
  ErrorCodes,
  type InitializeParams,
  ResponseError,
} from 'vscode-languageserver';
import { initializeResult } from './capabilities.ts';
import { type ClientProfile, clientProfileOf } from './clientProfile.ts';
import { DeclaredBlocksFeed } from './declaredBlocksFeed.ts';
import type { DiagnosticsDelivery } from './diagnosticsDelivery.ts';
import { DiagnosticsProvider } from './diagnosticsProvider.ts';
import { DocumentChecks } from './documentChecks.ts';
import type { FileSystem } from './fileSystem.ts';
import { initialFolders } from './folders.ts';
import { OpenDocuments } from './openDocuments.ts';
import { PullDiagnostics } from './pullDiagnostics.ts';
import { PushDiagnostics } from './pushDiagnostics.ts';
import { registerFeatures } from './registerFeatures.ts';
import { ServerNotes } from './serverNotes.ts';
import { readSettings, SECTION, sectionOf } from './settings.ts';
import { SettingsSource } from './settingsSource.ts';
import { syncDocuments } from './syncDocuments.ts';
import { useTranslations } from './translations.ts';
import { truncationNote } from './truncationNote.ts';
import { WatchedFiles } from './watchedFiles.ts';
import { Workspace } from './workspace.ts';
import { WorkspaceDiagnostics } from './workspaceDiagnostics.ts';

/** Answers one client over the connection until it says goodbye. `files` are those that are not open. */
export function startServer(connection: Connection, files: FileSystem): void {
  let serving = false;
  connection.onInitialize(params => {
    if (serving) {
      // A second start would forget every open document.
      throw new ResponseError(ErrorCodes.InvalidRequest, 'The server is initialized already.');
    }
    const profile = clientProfileOf(params);
    useTranslations(params.initializationOptions, connection.console);
    const { workspaceDiagnostics } = readSettings(sectionOf(params.initializationOptions));
    const result = initializeResult(params, profile, workspaceDiagnostics);
    serve(connection, files, params, profile);
    serving = true;
    return result;
  });
  connection.onRequest(method => {
    throw serving
      ? new ResponseError(ErrorCodes.MethodNotFound, `The server does not know ${method}.`)
      : new ResponseError(ErrorCodes.ServerNotInitialized, 'The server is not initialized yet.');
  });
  connection.listen();
}

function serve(connection: Connection, files: FileSystem, params: InitializeParams, profile: ClientProfile): void {
  const documents = new OpenDocuments(profile.encoding);
  const settings = new SettingsSource(connection, profile, params.initializationOptions);
  const notes = new ServerNotes(connection);
  const workspace = new Workspace(initialFolders(params), {
    files,
    settings,
    documents,
    log: connection.console,
    changed: () => worldChanged(),
  });
  const checks = new DocumentChecks(workspace, profile, connection.console, notes);
  const delivery = deliveryFor(connection, profile, { documents, workspace, checks, files });
  const declared = new DeclaredBlocksFeed(connection, workspace, documents, checks);
  const watched = new WatchedFiles(connection, profile, workspace);
  const provider = new DiagnosticsProvider(connection, profile);

  const worldChanged = (): void => {
    delivery.worldChanged();
    declared.changed();
    notes.set('files', truncationNote(workspace.folders));
  };
  const textChanged = (): void => {
    delivery.textChanged();
    declared.changed();
  };
  /** After settings or folders have changed. */
  const announce = async (): Promise<void> => {
    const anywhere = workspace.folders.some(({ setup }) => setup.settings.workspaceDiagnostics);
    await Promise.all([provider.offer(anywhere), watched.register()]);
  };

  syncDocuments(connection, documents, {
    changed: textChanged,
    opened: document => workspace.opened(document),
    closed: document => {
      checks.closed(document);
      delivery.closed(document);
      inBackground(connection, workspace.closed(document.uri));
    },
  });
  registerFeatures(connection, params, { documents, workspace, checks });

  connection.onInitialized(() => {
    if (profile.registersConfiguration) {
      inBackground(
        connection,
        connection.client.register(DidChangeConfigurationNotification.type, { section: SECTION }),
      );
    }
    if (profile.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(event =>
        inBackground(connection, workspace.changeFolders(event).then(announce)),
      );
    }
    inBackground(connection, workspace.start().then(announce));
  });
  connection.onDidChangeConfiguration(change => {
    settings.changed(change);
    inBackground(connection, workspace.reload().then(announce));
  });
  connection.onDidChangeWatchedFiles(({ changes }) =>
    inBackground(connection, watched.changed(changes).then(announce)),
  );
}

function deliveryFor(
  connection: Connection,
  profile: ClientProfile,
  parts: { documents: OpenDocuments; workspace: Workspace; checks: DocumentChecks; files: FileSystem },
): DiagnosticsDelivery {
  const { documents, workspace, checks } = parts;
  if (!profile.pullsDiagnostics) {
    return new PushDiagnostics(connection, documents, workspace, checks);
  }
  const { encoding } = profile;
  const workspaceDiagnostics = new WorkspaceDiagnostics({ ...parts, support: profile, encoding });
  return new PullDiagnostics(connection, profile, { ...parts, workspaceDiagnostics });
}

/** Work that no request waits for: a failure is logged and ends nothing else. */
function inBackground(connection: Connection, work: Promise<unknown>): void {
  work.catch((error: unknown) => connection.console.error(`Background work failed: ${String(error)}`));
}
