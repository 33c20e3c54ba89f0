import {
  type CancellationToken,
  DocumentDiagnosticReportKind,
  type WorkspaceDiagnosticParams,
  type WorkspaceDiagnosticReport,
  type WorkspaceDocumentDiagnosticReport,
} from 'vscode-languageserver';
import { refuseCancelled } from './cancelledRequest.ts';
import { checkDocument } from './check/checkDocument.ts';
import type { SourceSummary } from './check/project.ts';
import { contentHash } from './contentHash.ts';
import { type DiagnosticSupport, diagnostics } from './features/diagnostics.ts';
import { type FileSystem, SkipLog } from './fileSystem.ts';
import type { FolderIndex } from './folderIndex.ts';
import { closedDocument, type OpenDocuments } from './openDocuments.ts';
import type { PositionEncoding } from './positionEncoding.ts';
import { readSource } from './sourceReader.ts';
import { TimeSlices } from './timeSlices.ts';
import { uriKey } from './uriKey.ts';
import type { Workspace } from './workspace.ts';

/** What reports on files that are not open need. */
export interface WorkspaceDiagnosticsParts {
  readonly workspace: Workspace;
  readonly documents: OpenDocuments;
  readonly files: FileSystem;
  readonly support: DiagnosticSupport;
  readonly encoding: PositionEncoding;
}

/**
 * Diagnostics of context sources that are not open, in folders where a setting asks for them. A client asks again and
 * again, so an answer is held back until there is something new to say.
 */
export class WorkspaceDiagnostics {
  readonly #parts: WorkspaceDiagnosticsParts;
  readonly #slices = new TimeSlices();
  /** Documents that were closed since the last answer: what the client still shows of them may be out of date. */
  readonly #closed = new Set<string>();
  #wake: () => void = () => undefined;
  #changed = new Promise<void>(resolve => {
    this.#wake = resolve;
  });

  constructor(parts: WorkspaceDiagnosticsParts) {
    this.#parts = parts;
  }

  /** Something changed that diagnostics of closed files may depend on. */
  changed(): void {
    this.#wake();
    this.#changed = new Promise(resolve => {
      this.#wake = resolve;
    });
  }

  closed(uri: string): void {
    this.#closed.add(uri);
    this.changed();
  }

  /** Resolves when something is new for this client; rejects when the client gives the request up. */
  async report(
    { previousResultIds }: WorkspaceDiagnosticParams,
    token: CancellationToken,
  ): Promise<WorkspaceDiagnosticReport> {
    const previous = new Map(previousResultIds.map(({ uri, value }) => [uriKey(uri), { uri, value }]));
    await this.#parts.workspace.ready();
    for (;;) {
      const changed = this.#changed;
      const items = await this.#news(previous, token);
      refuseCancelled(token);
      if (items.length > 0) {
        return { items };
      }
      await Promise.race([changed, cancelled(token)]);
      refuseCancelled(token);
    }
  }

  async #news(
    previous: ReadonlyMap<string, { readonly uri: string; readonly value: string }>,
    token: CancellationToken,
  ): Promise<WorkspaceDocumentDiagnosticReport[]> {
    const closed = new Map([...this.#closed].map(uri => [uriKey(uri), uri]));
    const covered = new Set<string>();
    const items: WorkspaceDocumentDiagnosticReport[] = [];
    for (const { folder, source } of this.#coveredSources()) {
      const key = uriKey(source.uri);
      covered.add(key);
      const report = await this.#reportOn(folder, source);
      if (token.isCancellationRequested) {
        return [];
      }
      if (report && (closed.has(key) || report.resultId !== previous.get(key)?.value)) {
        items.push(report);
      }
    }
    // editor-bugs 15: what is gone, or covered no longer, is cleared.
    for (const [key, uri] of new Map([...[...previous].map(([key, { uri }]) => [key, uri] as const), ...closed])) {
      if (!covered.has(key) && !this.#parts.documents.get(uri)) {
        items.push({ kind: DocumentDiagnosticReportKind.Full, uri, version: null, items: [] });
      }
    }
    for (const uri of closed.values()) {
      this.#closed.delete(uri);
    }
    return items;
  }

  /** Files that are not open and may have something to report. */
  *#coveredSources(): Iterable<{ readonly folder: FolderIndex; readonly source: SourceSummary }> {
    for (const folder of this.#parts.workspace.folders) {
      if (folder.setup.settings.workspaceDiagnostics && folder.complete) {
        for (const source of folder.project.sources) {
          const speaks = source.declarations.length > 0 || source.problemCount > 0;
          if (speaks && !this.#parts.documents.get(source.uri)) {
            yield { folder, source };
          }
        }
      }
    }
  }

  /** Undefined when the file cannot be read now. */
  async #reportOn(
    folder: FolderIndex,
    { path }: SourceSummary,
  ): Promise<WorkspaceDocumentDiagnosticReport | undefined> {
    const { files, encoding, support } = this.#parts;
    const source = await readSource(files, folder, path, this.#slices, new SkipLog());
    if (!source) {
      return undefined;
    }
    const document = closedDocument(source.uri, source.outline.text, encoding);
    const items = diagnostics(
      document,
      checkDocument(source, folder.project, folder.setup.rules, source.noted),
      support,
    );
    const resultId = contentHash(JSON.stringify(items));
    return { kind: DocumentDiagnosticReportKind.Full, uri: source.uri, version: null, resultId, items };
  }
}

async function cancelled(token: CancellationToken): Promise<void> {
  return new Promise(resolve => {
    token.onCancellationRequested(() => resolve());
  });
}
