import { existsSync } from 'node:fs';
import { l10n, type Memento, ProgressLocation, type QuickPickItem, window } from 'vscode';
import { withoutIcons } from '../session/plainWords.ts';
import type { FetchDeclaredBlocks } from '../views/declaredBlocksView.ts';
import { sourceChoices } from './sourceChoices.ts';

const MEMORY = 'contextLifecycle.gateway.sources';

interface SourceItem extends QuickPickItem {
  readonly path: string;
}

/**
 * Lets a person choose the context files whose blocks count, and remembers them for this workspace. Absent where the person goes
 * away; empty where there is nothing to choose.
 */
export async function pickSources(fetch: FetchDeclaredBlocks, memory: Memento): Promise<readonly string[] | undefined> {
  const title = l10n.t('Reading the context sources…');
  const declared = await window.withProgress({ location: ProgressLocation.Window, title }, fetch);
  const items = sourceChoices(declared, memory.get<readonly string[]>(MEMORY, []), existsSync).map(
    ({ path, label, blocks, chosen }): SourceItem => ({
      path,
      label: withoutIcons(label),
      description: withoutIcons(blocks.join(', ')),
      picked: chosen,
    }),
  );
  if (items.length === 0) {
    return [];
  }
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Start Gateway: Context Files'),
    placeHolder: l10n.t('Blocks of the files that you choose count in each session'),
    canPickMany: true,
    matchOnDescription: true,
  });
  const paths = chosen?.map(({ path }) => path);
  if (paths) {
    await memory.update(MEMORY, paths);
  }
  return paths;
}
