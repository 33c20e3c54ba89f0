import { type ClientCapabilities, FoldingRangeKind, MarkupKind } from 'vscode-languageserver';

/** What the client can show or apply, as far as a feature's answer depends on it. */
export interface ClientSupport {
  readonly markdownHover: boolean;
  readonly markdownCompletion: boolean;
  readonly snippets: boolean;
  readonly definitionLinks: boolean;
  readonly hierarchicalSymbols: boolean;
  readonly lineFoldingOnly: boolean;
  readonly regionFolding: boolean;
  /** How many folding ranges the client wants at most. */
  readonly foldingLimit: number;
  readonly documentChanges: boolean;
  readonly codeActions: boolean;
  /** The client asks for a code action's edit when a person chose it. */
  readonly resolvesEdits: boolean;
  readonly disabledActions: boolean;
  readonly preferredActions: boolean;
}

/** Reads the capabilities of `initialize`; everything that the client does not declare is absent. */
export function clientSupportOf({ textDocument, workspace }: ClientCapabilities): ClientSupport {
  const folding = textDocument?.foldingRange;
  const foldingKinds = folding?.foldingRangeKind?.valueSet;
  const codeAction = textDocument?.codeAction;
  const completion = textDocument?.completion?.completionItem;
  return {
    markdownHover: textDocument?.hover?.contentFormat?.includes(MarkupKind.Markdown) ?? false,
    markdownCompletion: completion?.documentationFormat?.includes(MarkupKind.Markdown) ?? false,
    snippets: completion?.snippetSupport ?? false,
    definitionLinks: textDocument?.definition?.linkSupport ?? false,
    hierarchicalSymbols: textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport ?? false,
    lineFoldingOnly: folding?.lineFoldingOnly ?? false,
    regionFolding: foldingKinds === undefined || foldingKinds.includes(FoldingRangeKind.Region),
    foldingLimit: folding?.rangeLimit ?? Number.POSITIVE_INFINITY,
    documentChanges: workspace?.workspaceEdit?.documentChanges ?? false,
    codeActions: codeAction?.codeActionLiteralSupport !== undefined,
    resolvesEdits: (codeAction?.resolveSupport?.properties.includes('edit') && codeAction.dataSupport) ?? false,
    disabledActions: codeAction?.disabledSupport ?? false,
    preferredActions: codeAction?.isPreferredSupport ?? false,
  };
}
