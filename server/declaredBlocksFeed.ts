import type { Connection } from 'vscode-languageserver';
import { DECLARED_BLOCKS_CHANGED, DECLARED_BLOCKS_REQUEST } from '../protocol/lifecycle/editorRequests.ts';
import type { Project } from './check/project.ts';
import { Coalesced } from './coalesced.ts';
import { declaredBlocks } from './declaredBlocks.ts';
import type { DocumentChecks } from './documentChecks.ts';
import type { OpenDocuments } from './openDocuments.ts';
import type { Workspace } from './workspace.ts';

/** Milliseconds in which changes are gathered: the sidebar redraws four times a second at most. */
const DELAY = 250;

/** The declared blocks for a client that asks for them. Who never asked is told of no change. */
export class DeclaredBlocksFeed {
  readonly #workspace: Workspace;
  readonly #documents: OpenDocuments;
  readonly #checks: DocumentChecks;
  readonly #soon: Coalesced;
  /** What the last answer, or the last notice of a change, was about; undefined before the first question. */
  #known: readonly (Project | boolean | number)[] | undefined;

  constructor(connection: Connection, workspace: Workspace, documents: OpenDocuments, checks: DocumentChecks) {
    this.#workspace = workspace;
    this.#documents = documents;
    this.#checks = checks;
    this.#soon = new Coalesced(
      async () => this.#tell(connection),
      DELAY,
      error => connection.console.error(`Collecting the declared blocks failed: ${String(error)}`),
    );
    connection.onRequest(DECLARED_BLOCKS_REQUEST, async () => {
      await workspace.ready();
      this.#known = this.#basis();
      return declaredBlocks(workspace.folders, uri => this.#problemsNow(uri));
    });
  }

  changed(): void {
    if (this.#known) {
      this.#soon.request();
    }
  }

  async #tell(connection: Connection): Promise<void> {
    const basis = this.#basis();
    const same = basis.length === this.#known?.length && basis.every((part, index) => part === this.#known?.[index]);
    if (!same) {
      this.#known = basis;
      await connection.sendNotification(DECLARED_BLOCKS_CHANGED);
    }
  }

  /** Everything that the answer depends on. */
  #basis(): readonly (Project | boolean | number)[] {
    return [
      ...this.#workspace.folders.flatMap(folder => [folder.project, folder.complete]),
      ...[...this.#documents.all()].map(document => this.#checks.check(document).findings.length),
    ];
  }

  #problemsNow(uri: string): number | undefined {
    const document = this.#documents.get(uri);
    return document && this.#checks.check(document).findings.length;
  }
}
