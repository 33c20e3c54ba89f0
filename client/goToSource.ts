import { commands, l10n, ProgressLocation, type QuickPickItem, Range, ThemeIcon, Uri, window } from 'vscode';
import type { DeclaredBlocks } from '../protocol/lifecycle/editorRequests.ts';
import { COMMANDS } from './names.ts';
import { withoutIcons } from './session/plainWords.ts';
import type { FetchDeclaredBlocks } from './views/declaredBlocksView.ts';
import type { RowPlace } from './views/declaredRows.ts';

interface PlaceItem extends QuickPickItem {
  readonly place: RowPlace;
}

/**
 * Lets a person choose among the declared sources and blocks and opens the chosen line. `fetch` may take its time while
 * the workspace is being read.
 */
export async function goToSource(fetch: FetchDeclaredBlocks): Promise<void> {
  const title = l10n.t('Reading the context sources…');
  const blocks = await window.withProgress({ location: ProgressLocation.Window, title }, fetch);
  if (!blocks) {
    await sayServerIsDown();
    return;
  }
  const items = itemsOf(blocks);
  if (items.length === 0) {
    void window.showInformationMessage(l10n.t('No context source of this workspace declares a block yet.'));
    return;
  }
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Go to Source'),
    placeHolder: l10n.t('A context source or one of its blocks'),
    matchOnDescription: true,
  });
  if (chosen) {
    await openPlace(chosen.place);
  }
}

/** Opens a file at a line (from 0). */
export async function openPlace({ uri, line }: RowPlace): Promise<void> {
  await window.showTextDocument(Uri.parse(uri), { selection: new Range(line, 0, line, 0) });
}

async function sayServerIsDown(): Promise<void> {
  const restart = l10n.t('Restart');
  const answer = await window.showWarningMessage(
    l10n.t('The language server is not running, so the sources are not known.'),
    restart,
  );
  if (answer === restart) {
    await commands.executeCommand(COMMANDS.restartServer);
  }
}

function itemsOf(blocks: DeclaredBlocks): readonly PlaceItem[] {
  return blocks.folders.flatMap(folder =>
    folder.sources.flatMap(source => [
      {
        label: withoutIcons(source.path),
        iconPath: new ThemeIcon('file'),
        ...(blocks.folders.length > 1 && { description: withoutIcons(folder.name) }),
        place: { uri: source.uri, line: 0 },
      },
      ...source.blocks.map(block => ({
        label: block.id,
        iconPath: new ThemeIcon('symbol-namespace'),
        description: withoutIcons(source.path),
        place: { uri: source.uri, line: block.line },
      })),
    ]),
  );
}
