import type { DeclaredBlocks, DeclaredFolder, DeclaredSource } from '../../protocol/lifecycle/editorRequests.ts';
import { blockRow, folderRow, type Row, sourceRow } from './declaredRows.ts';
import type { RowNode, TreeRow } from './rowTree.ts';

/** A row of the view "Declared blocks", with those below it. */
export interface DeclaredRow extends Row, TreeRow<DeclaredRow> {}

export type DeclaredNode = RowNode<DeclaredRow>;

/** The rows of the view "Declared blocks": sources in load order below their folders, blocks below their sources. */
export function declaredTree({ folders }: DeclaredBlocks): readonly DeclaredRow[] {
  const paths = new Map(folders.flatMap(({ sources }) => sources).map(({ uri, path }) => [uri, path]));
  const pathOf = (uri: string): string => paths.get(uri) ?? nameOf(uri);
  const [only] = folders;
  return only && folders.length === 1
    ? sourceRows(only, pathOf)
    : folders.map(folder => treeRow(['folder', folder.uri], folderRow(folder), sourceRows(folder, pathOf)));
}

type PathOf = (uri: string) => string;

function sourceRows(folder: DeclaredFolder, pathOf: PathOf): readonly DeclaredRow[] {
  const { sources, uri } = folder;
  return sources.map((source, index) =>
    treeRow(
      ['source', uri, source.uri],
      sourceRow(source, index + 1, sources.length),
      blockRows(folder, source, pathOf),
    ),
  );
}

function blockRows(folder: DeclaredFolder, source: DeclaredSource, pathOf: PathOf): readonly DeclaredRow[] {
  const seen = new Map<string, number>();
  return source.blocks.map(block => {
    // A source that defines an ID twice has two rows; its line would not do, for it moves.
    const occurrence = seen.get(block.id) ?? 0;
    seen.set(block.id, occurrence + 1);
    const row = blockRow(block, source, pathOf);
    return treeRow(['block', folder.uri, source.uri, block.id, String(occurrence)], row, []);
  });
}

function treeRow(key: readonly string[], row: Row, below: readonly DeclaredRow[]): DeclaredRow {
  return { ...row, id: JSON.stringify(key), ...(below.length > 0 && { children: () => below, expanded: true }) };
}

/** The last part of a URI's path, for a file that is in no list. */
function nameOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
