import { type Connection, type InitializeParams, LSPErrorCodes, ResponseError } from 'vscode-languageserver';
import type { EditorOptions } from '../protocol/lifecycle/editorRequests.ts';
import type { OpenDocument } from './document.ts';
import type { CheckResult, DocumentChecks } from './documentChecks.ts';
import { clientSupportOf } from './features/clientSupport.ts';
import { codeAction } from './features/codeAction.ts';
import { codeActionResolve, codeActionUri } from './features/codeActionResolve.ts';
import { completion } from './features/completion.ts';
import { definition } from './features/definition.ts';
import { documentHighlight } from './features/documentHighlight.ts';
import { documentSymbol } from './features/documentSymbol.ts';
import { foldingRange } from './features/foldingRange.ts';
import { hover } from './features/hover.ts';
import { linkedEditingRange } from './features/linkedEditingRange.ts';
import { onTypeFormatting } from './features/onTypeFormatting.ts';
import { prepareRename } from './features/prepareRename.ts';
import { references } from './features/references.ts';
import { rename } from './features/rename.ts';
import { selectionRange } from './features/selectionRange.ts';
import { workspaceSymbol } from './features/workspaceSymbol.ts';
import { localize } from './localize.ts';
import type { OpenDocuments } from './openDocuments.ts';
import { NO_PROJECT } from './sourceReader.ts';
import { withLoggedErrors } from './withLoggedErrors.ts';
import type { Workspace } from './workspace.ts';

/** What the features look at. */
export interface FeatureParts {
  readonly documents: OpenDocuments;
  readonly workspace: Workspace;
  readonly checks: DocumentChecks;
}

/** Parameters that name one document. */
interface OfDocument {
  readonly textDocument: { readonly uri: string };
}

/** Ties the requests of LSP to the features. A document that we do not know gets the empty answer (editor-bugs 40). */
export function registerFeatures(connection: Connection, params: InitializeParams, parts: FeatureParts): void {
  const { documents, workspace, checks } = parts;
  const support = clientSupportOf(params.capabilities);
  const { renameCommand } = (params.initializationOptions ?? {}) as EditorOptions;
  const projectOf = (document: OpenDocument) => workspace.contextOf(document).project;
  const logged = <A extends unknown[], R>(handler: (...params: A) => R) =>
    withLoggedErrors(connection.console, handler);
  const inDocument = <P extends OfDocument, R>(empty: R, answer: (document: OpenDocument, params: P) => R) =>
    logged((params: P): R => {
      const document = documents.get(params.textDocument.uri);
      return document ? answer(document, params) : empty;
    });
  const checked = async (document: OpenDocument | undefined): Promise<CheckResult | undefined> => {
    await workspace.ready();
    return document && documents.get(document.uri) === document ? checks.check(document) : undefined;
  };

  connection.onHover(
    inDocument(null, (document, { position }) =>
      hover(document, position, projectOf(document), { markdown: support.markdownHover }),
    ),
  );
  connection.onDefinition(
    inDocument(null, (document, { position }) =>
      definition(document, position, projectOf(document), { links: support.definitionLinks }),
    ),
  );
  connection.onReferences(
    inDocument([], (document, { position, context }) => references(document, position, projectOf(document), context)),
  );
  connection.onDocumentHighlight(inDocument([], (document, { position }) => documentHighlight(document, position)));
  connection.onDocumentSymbol(
    inDocument([], document => documentSymbol(document, { hierarchical: support.hierarchicalSymbols })),
  );
  connection.onWorkspaceSymbol(
    logged(({ query }) =>
      workspaceSymbol(
        query,
        workspace.folders.map(({ project }) => project),
      ),
    ),
  );
  connection.onFoldingRanges(
    inDocument([], document =>
      foldingRange(document, {
        lineFoldingOnly: support.lineFoldingOnly,
        region: support.regionFolding,
        limit: support.foldingLimit,
      }),
    ),
  );
  connection.onSelectionRanges(inDocument([], (document, { positions }) => selectionRange(document, positions)));
  connection.languages.onLinkedEditingRange(
    inDocument(null, (document, { position }) => linkedEditingRange(document, position)),
  );
  connection.onCompletion(
    inDocument(null, (document, { position, context }) =>
      completion(document, position, context, projectOf(document), {
        snippets: support.snippets,
        markdown: support.markdownCompletion,
      }),
    ),
  );
  connection.onDocumentOnTypeFormatting(
    inDocument([], (document, { position, ch }) => onTypeFormatting(document, position, ch)),
  );
  connection.onPrepareRename(inDocument(null, (document, { position }) => prepareRename(document, position)));
  connection.onRenameRequest(
    logged(async ({ textDocument, position, newName }) => {
      const document = documents.get(textDocument.uri);
      const id = document && prepareRename(document, position)?.placeholder;
      if (!document) {
        return null;
      }
      if (id !== undefined) {
        // The edit names lines of files that are not open, so they must be what the index believes.
        const { version } = document;
        const places = projectOf(document).placesOf(id);
        await workspace.reread(places.map(({ source }) => source.uri));
        if (document.version !== version) {
          const template = 'Nothing was renamed: the document has changed meanwhile.';
          throw new ResponseError(LSPErrorCodes.ContentModified, localize({ template, values: [] }));
        }
      }
      return rename(document, position, newName, projectOf(document), {
        documentChanges: support.documentChanges,
        versionOf: uri => documents.get(uri)?.version ?? null,
      });
    }),
  );
  connection.onCodeAction(
    logged(async params => {
      const document = documents.get(params.textDocument.uri);
      const result = await checked(document);
      return document && result
        ? codeAction(document, params, result.findings, result.project, { ...support, renameCommand })
        : [];
    }),
  );
  connection.onCodeActionResolve(
    logged(async action => {
      const uri = codeActionUri(action);
      const document = uri === undefined ? undefined : documents.get(uri);
      const result = await checked(document);
      return codeActionResolve(action, document, result?.findings ?? [], result?.project ?? NO_PROJECT, support);
    }),
  );
}
