import { type Disposable, l10n, type TextDocument, ViewColumn, window, workspace } from 'vscode';
import { tagLine } from '../protocol/lifecycle/declaration.ts';
import { scanDeclarations } from '../protocol/lifecycle/scan.ts';
import { structureOf } from '../protocol/lifecycle/structure.ts';
import { setContextKey } from './contextKeys.ts';

/** The document of the walkthrough, and whether its near miss has been mended. */
export class WalkthroughSample implements Disposable {
  readonly #watch = workspace.onDidChangeTextDocument(({ document }) => {
    if (
      document === this.#document &&
      structureOf(scanDeclarations(document.getText())).blocks.some(({ valid }) => valid)
    ) {
      setContextKey('contextLifecycle.sampleFixed', true);
    }
  });
  #document: TextDocument | undefined;

  /** Opens a new unsaved sample, beside the walkthrough when that is what the person reads. */
  async open(): Promise<void> {
    const document = await workspace.openTextDocument({ language: 'markdown', content: sampleText() });
    this.#document = document;
    setContextKey('contextLifecycle.sampleFixed', undefined);
    const readsSomethingElse = !window.activeTextEditor && window.tabGroups.activeTabGroup.activeTab !== undefined;
    await window.showTextDocument(document, {
      preview: false,
      viewColumn: readsSomethingElse ? ViewColumn.Beside : ViewColumn.Active,
    });
  }

  dispose(): void {
    this.#watch.dispose();
  }
}

/** A block whose closing line has one blank too much, so that neither line does anything. */
function sampleText(): string {
  const id = 'release-steps';
  return [
    `# ${l10n.t('A first block')}`,
    '',
    l10n.t('This text is ordinary Markdown. It reaches the agent as it stands.'),
    '',
    tagLine('opening', id),
    l10n.t('1. Run the tests.'),
    l10n.t('2. Tag the version.'),
    `${tagLine('closing', id)} `,
    '',
    l10n.t(
      'The last line of the block has one blank too much at its end. Put the cursor on it and choose the quick fix.',
    ),
    '',
  ].join('\n');
}
