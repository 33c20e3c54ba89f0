import { type Connection, type Disposable, DocumentDiagnosticRequest } from 'vscode-languageserver';
import { DOCUMENT_SELECTOR, diagnosticOptions } from './capabilities.ts';
import type { ClientProfile } from './clientProfile.ts';

/**
 * Tells a client that can learn it later how to ask for diagnostics. Whether files that are not open are covered is part
 * of that, and it must be true: a client that believes it leaves squiggles of closed documents alone (editor-bugs 16).
 */
export class DiagnosticsProvider {
  readonly #connection: Pick<Connection, 'client'>;
  readonly #profile: ClientProfile;
  #workspace: boolean | undefined;
  #registration: Promise<Disposable> | undefined;

  constructor(connection: Pick<Connection, 'client'>, profile: ClientProfile) {
    this.#connection = connection;
    this.#profile = profile;
  }

  async offer(workspace: boolean): Promise<void> {
    if (!this.#profile.registersDiagnostics || workspace === this.#workspace) {
      return;
    }
    this.#workspace = workspace;
    const before = this.#registration;
    this.#registration = this.#connection.client.register(DocumentDiagnosticRequest.type, {
      documentSelector: DOCUMENT_SELECTOR,
      ...diagnosticOptions(workspace),
    });
    (await before)?.dispose();
    await this.#registration;
  }
}
