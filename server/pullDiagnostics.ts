import {
  type CancellationToken,
  type Connection,
  type DocumentDiagnosticParams,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
} from 'vscode-languageserver';
import { refuseCancelled } from './cancelledRequest.ts';
import type { ClientProfile } from './clientProfile.ts';
import { Coalesced } from './coalesced.ts';
import type { DiagnosticsDelivery } from './diagnosticsDelivery.ts';
import type { OpenDocument } from './document.ts';
import type { DocumentChecks } from './documentChecks.ts';
import type { OpenDocuments } from './openDocuments.ts';
import { withLoggedErrors } from './withLoggedErrors.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspaceDiagnostics } from './workspaceDiagnostics.ts';

/** Milliseconds in which changes of the world are gathered before the client is told to ask again. */
const DELAY = 100;

/** What answers questions for diagnostics. */
export interface PullParts {
  readonly documents: OpenDocuments;
  readonly workspace: Workspace;
  readonly checks: DocumentChecks;
  readonly workspaceDiagnostics: WorkspaceDiagnostics;
}

/** Answers a client that asks for diagnostics, and tells it when to ask again. */
export class PullDiagnostics implements DiagnosticsDelivery {
  readonly #parts: PullParts;
  readonly #refresh: Coalesced | undefined;
  readonly #filesSoon: Coalesced;

  constructor(connection: Connection, profile: ClientProfile, parts: PullParts) {
    const { workspaceDiagnostics } = parts;
    this.#parts = parts;
    const failed = (error: unknown): void => connection.console.warn(`A refresh failed: ${String(error)}`);
    this.#refresh = profile.refreshesDiagnostics
      ? new Coalesced(async () => connection.languages.diagnostics.refresh(), DELAY, failed)
      : undefined;
    this.#filesSoon = new Coalesced(() => workspaceDiagnostics.changed(), DELAY, failed);
    const { languages, console } = connection;
    languages.diagnostics.on(withLoggedErrors(console, async (params, token) => this.#report(params, token)));
    languages.diagnostics.onWorkspace(
      withLoggedErrors(console, async (params, token) => workspaceDiagnostics.report(params, token)),
    );
  }

  /** The client asks for the document by itself; other files may depend on it. */
  textChanged(): void {
    this.#filesSoon.request();
  }

  worldChanged(): void {
    this.#refresh?.request();
    this.#filesSoon.request();
  }

  closed({ uri }: OpenDocument): void {
    this.#parts.workspaceDiagnostics.closed(uri);
  }

  async #report(
    { textDocument, previousResultId }: DocumentDiagnosticParams,
    token: CancellationToken,
  ): Promise<DocumentDiagnosticReport> {
    const { documents, workspace, checks } = this.#parts;
    await workspace.ready();
    refuseCancelled(token);
    const document = documents.get(textDocument.uri);
    if (!document) {
      return { kind: DocumentDiagnosticReportKind.Full, items: [] };
    }
    const { id, diagnostics } = checks.check(document);
    return id === previousResultId
      ? { kind: DocumentDiagnosticReportKind.Unchanged, resultId: id }
      : { kind: DocumentDiagnosticReportKind.Full, resultId: id, items: diagnostics };
  }
}
