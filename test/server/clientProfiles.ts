import type { ClientCapabilities } from 'vscode-languageserver-protocol';

/** Two kinds of client, as far apart as those that people use. */
export type ProfileName = 'vscode' | 'minimal';

/** What vscode-languageclient 11 declares, where the server looks at it. */
const vscode: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    diagnostics: { refreshSupport: true },
    workspaceEdit: { documentChanges: true },
  },
  textDocument: {
    diagnostic: {
      dynamicRegistration: true,
      relatedDocumentSupport: true,
      relatedInformation: true,
      tagSupport: { valueSet: [1, 2] },
      codeDescriptionSupport: true,
      dataSupport: true,
    },
    publishDiagnostics: { relatedInformation: true, versionSupport: true },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown', 'plaintext'] } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true, labelSupport: true },
    definition: { linkSupport: true },
    rename: { prepareSupport: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } },
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
  },
};

/** No registration, no configuration, no snippets, diagnostics published only, UTF-8. */
const minimal: ClientCapabilities = {
  general: { positionEncodings: ['utf-8', 'utf-16'] },
  textDocument: { publishDiagnostics: {}, hover: {}, rename: {} },
};

export const clientProfiles: Readonly<Record<ProfileName, ClientCapabilities>> = { vscode, minimal };
