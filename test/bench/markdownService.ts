import MarkdownIt from 'markdown-it';
import { CancellationToken, Emitter } from 'vscode-jsonrpc';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  createLanguageService,
  DiagnosticLevel,
  githubSlugifier,
  type ITextDocument,
  LogLevel,
} from 'vscode-markdown-languageservice';
import { URI } from 'vscode-uri';

/** VS Code's own Markdown service over one document in memory; `edit` changes it and computes its diagnostics. */
export function markdownService(text: string): { edit(line: number): Promise<number> } {
  const document = TextDocument.create('file:///bench/big.md', 'markdown', 1, text);
  const uri = URI.parse(document.uri);
  const changed = new Emitter<ITextDocument>();
  const markdown = MarkdownIt({ html: true });
  const service = createLanguageService({
    workspace: {
      workspaceFolders: [URI.parse('file:///bench')],
      onDidChangeMarkdownDocument: changed.event,
      onDidCreateMarkdownDocument: new Emitter<ITextDocument>().event,
      onDidDeleteMarkdownDocument: new Emitter<URI>().event,
      getAllMarkdownDocuments: async () => [entry()],
      hasMarkdownDocument: resource => resource.toString() === uri.toString(),
      openMarkdownDocument: async () => entry(),
      stat: async () => ({ isDirectory: false }),
      readDirectory: async () => [],
    },
    parser: { slugifier: githubSlugifier, tokenize: async source => markdown.parse(source.getText(), {}) },
    logger: { level: LogLevel.Off, log: () => undefined },
  });
  const options = {
    enabled: true,
    validateReferences: DiagnosticLevel.warning,
    validateFragmentLinks: DiagnosticLevel.warning,
    validateFileLinks: DiagnosticLevel.warning,
    validateMarkdownFileLinkFragments: DiagnosticLevel.warning,
    validateUnusedLinkDefinitions: DiagnosticLevel.warning,
    validateDuplicateLinkDefinitions: DiagnosticLevel.warning,
    ignoreLinks: [],
  };
  return {
    edit: async line => {
      const at = { line, character: 0 };
      TextDocument.update(document, [{ range: { start: at, end: at }, text: 'x' }], document.version + 1);
      changed.fire(entry());
      return (await service.computeDiagnostics(entry(), options, CancellationToken.None)).length;
    },
  };

  function entry(): ITextDocument {
    return Object.assign(Object.create(document) as TextDocument, { $uri: uri });
  }
}
