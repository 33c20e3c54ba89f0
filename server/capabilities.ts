import {
  type InitializeParams,
  type InitializeResult,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { DOCUMENT_SCHEMES, LANGUAGE_IDS } from '../protocol/lifecycle/documentScope.ts';
import { product } from '../protocol/product.ts';
import type { ClientProfile } from './clientProfile.ts';
import { clientSupportOf } from './features/clientSupport.ts';
import { CODE_ACTION_KINDS } from './features/codeAction.ts';
import { COMPLETION_TRIGGERS } from './features/completion.ts';
import { ON_TYPE_TRIGGERS } from './features/onTypeFormatting.ts';

/** The answer to `initialize`. `workspaceDiagnostics` counts only for a client that cannot learn it later. */
export function initializeResult(
  { capabilities }: InitializeParams,
  profile: ClientProfile,
  workspaceDiagnostics: boolean,
): InitializeResult {
  const support = clientSupportOf(capabilities);
  const answer: ServerCapabilities = {
    positionEncoding: profile.encoding,
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    // No notebook synchronisation: each cell of a notebook comes as a text document and is one (editor-bugs 44).
    hoverProvider: true,
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    documentSymbolProvider: { label: product.displayName },
    workspaceSymbolProvider: true,
    foldingRangeProvider: true,
    selectionRangeProvider: true,
    linkedEditingRangeProvider: true,
    completionProvider: { triggerCharacters: [...COMPLETION_TRIGGERS] },
    documentOnTypeFormattingProvider: {
      firstTriggerCharacter: ON_TYPE_TRIGGERS.first,
      moreTriggerCharacter: [...ON_TYPE_TRIGGERS.more],
    },
    renameProvider: capabilities.textDocument?.rename?.prepareSupport ? { prepareProvider: true } : true,
    ...(support.codeActions && {
      codeActionProvider: { codeActionKinds: [...CODE_ACTION_KINDS], resolveProvider: support.resolvesEdits },
    }),
    ...(profile.pullsDiagnostics &&
      !profile.registersDiagnostics && { diagnosticProvider: diagnosticOptions(workspaceDiagnostics) }),
    ...(profile.workspaceFolders && {
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    }),
  };
  return { capabilities: answer, serverInfo: { name: product.displayName, version: product.version } };
}

/** How a client is to ask for diagnostics. */
export function diagnosticOptions(workspaceDiagnostics: boolean) {
  return { identifier: product.name, interFileDependencies: true, workspaceDiagnostics };
}

/** The documents that we look at, for a registration. */
export const DOCUMENT_SELECTOR = LANGUAGE_IDS.flatMap(language =>
  DOCUMENT_SCHEMES.map(scheme => ({ language, scheme })),
);
