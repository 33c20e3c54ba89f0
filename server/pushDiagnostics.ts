import type { Connection } from 'vscode-languageserver';
import { Coalesced } from './coalesced.ts';
import type { DiagnosticsDelivery } from './diagnosticsDelivery.ts';
import type { OpenDocument } from './document.ts';
import type { CheckResult, DocumentChecks } from './documentChecks.ts';
import type { OpenDocuments } from './openDocuments.ts';
import type { Workspace } from './workspace.ts';

/** Milliseconds from a change to the check, so that fast typing is checked a few times a second. */
const DELAY = 100;

/** Publishes diagnostics to a client that does not ask for them. */
export class PushDiagnostics implements DiagnosticsDelivery {
  readonly #connection: Pick<Connection, 'sendDiagnostics'>;
  readonly #documents: OpenDocuments;
  readonly #workspace: Workspace;
  readonly #checks: DocumentChecks;
  readonly #published = new WeakMap<OpenDocument, CheckResult>();
  readonly #soon: Coalesced;

  constructor(
    connection: Pick<Connection, 'sendDiagnostics' | 'console'>,
    documents: OpenDocuments,
    workspace: Workspace,
    checks: DocumentChecks,
  ) {
    this.#connection = connection;
    this.#documents = documents;
    this.#workspace = workspace;
    this.#checks = checks;
    this.#soon = new Coalesced(
      async () => this.#publishAll(),
      DELAY,
      error => connection.console.error(`Checking failed: ${String(error)}`),
    );
  }

  textChanged(): void {
    this.#soon.request();
  }

  worldChanged(): void {
    this.#soon.request();
  }

  closed({ uri }: OpenDocument): void {
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  async #publishAll(): Promise<void> {
    await this.#workspace.ready();
    for (const document of this.#documents.all()) {
      const result = this.#checks.check(document);
      if (this.#published.get(document) !== result) {
        this.#published.set(document, result);
        const { version, diagnostics } = result;
        await this.#connection.sendDiagnostics({ uri: document.uri, version, diagnostics });
      }
    }
  }
}
