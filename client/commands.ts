import { commands, type Disposable, env, type LogOutputChannel, Position, Uri } from 'vscode';
import { goToSource, openPlace } from './goToSource.ts';
import { COMMANDS, type CommandName, RENAME_AT_COMMAND } from './names.ts';
import type { WalkthroughSample } from './sample.ts';
import type { FetchDeclaredBlocks } from './views/declaredBlocksView.ts';
import type { DeclaredNode } from './views/declaredTree.ts';
import { wrapSelectionInBlock } from './wrapSelectionCommand.ts';

export interface CommandNeeds {
  readonly log: LogOutputChannel;
  readonly sample: WalkthroughSample;
  readonly fetch: FetchDeclaredBlocks;
  readonly restart: () => Promise<void>;
}

/** Registers every command of the manifest. Each has an answer whether or not the server runs. */
export function registerCommands({ log, sample, fetch, restart }: CommandNeeds): readonly Disposable[] {
  const handlers: Readonly<Record<CommandName, (node?: DeclaredNode) => unknown>> = {
    restartServer: restart,
    showLog: () => log.show(),
    openSample: () => sample.open(),
    wrapSelection: wrapSelectionInBlock,
    goToSource: () => goToSource(fetch),
    copyBlockId: node => node && env.clipboard.writeText(node.row.label),
    goToWinner: node => node?.row.winner && openPlace(node.row.winner),
  };
  return [
    ...Object.entries(COMMANDS).map(([name, id]) =>
      commands.registerCommand(id, (node?: DeclaredNode) => handlers[name as CommandName](node)),
    ),
    commands.registerCommand(RENAME_AT_COMMAND, renameAt),
  ];
}

/** Opens the editor's rename box at a place, as the server writes places. */
function renameAt(uri: string, { line, character }: { readonly line: number; readonly character: number }) {
  return commands.executeCommand('editor.action.rename', [Uri.parse(uri), new Position(line, character)]);
}
