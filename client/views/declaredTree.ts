import type { DeclaredBlocks, DeclaredFolder, DeclaredSource } from '../../protocol/lifecycle/editorRequests.ts';
import { blockRow, folderRow, type Row, sourceRow } from './declaredRows.ts';

/** A row with its place in the tree. The object stays the same as long as its id is there (editor-bugs 64). */
export interface TreeNode {
  readonly id: string;
  readonly row: Row;
  readonly children: readonly TreeNode[];
}

/** What a view has to redraw: everything, or these nodes with what is below them. */
export type TreeChange = 'all' | readonly TreeNode[];

interface Shell extends TreeNode {
  row: Row;
  children: readonly Shell[];
  /** The row as text, to see whether it has changed. */
  print: string;
  changed: boolean;
}

/** The rows of the view "Declared blocks": sources in load order below their folders, blocks below their sources. */
export class DeclaredTree {
  #shells = new Map<string, Shell>();
  #roots: readonly Shell[] = [];

  get roots(): readonly TreeNode[] {
    return this.#roots;
  }

  /** Takes over what the server says and tells the smallest change that shows it. */
  update(blocks: DeclaredBlocks): TreeChange {
    const build = new TreeBuild(this.#shells, blocks);
    const before = this.#roots;
    this.#roots = build.roots();
    this.#shells = build.shells;
    return sameNodes(before, this.#roots) ? topmostChanged(this.#roots) : 'all';
  }
}

class TreeBuild {
  readonly shells = new Map<string, Shell>();
  readonly #known: ReadonlyMap<string, Shell>;
  readonly #blocks: DeclaredBlocks;
  readonly #paths = new Map<string, string>();

  constructor(known: ReadonlyMap<string, Shell>, blocks: DeclaredBlocks) {
    this.#known = known;
    this.#blocks = blocks;
    for (const source of blocks.folders.flatMap(({ sources }) => sources)) {
      this.#paths.set(source.uri, source.path);
    }
  }

  roots(): readonly Shell[] {
    const { folders } = this.#blocks;
    const [only] = folders;
    return only && folders.length === 1 ? this.#sources(only) : folders.map(folder => this.#folder(folder));
  }

  #folder(folder: DeclaredFolder): Shell {
    return this.#shell(['folder', folder.uri], folderRow(folder), this.#sources(folder));
  }

  #sources(folder: DeclaredFolder): readonly Shell[] {
    const count = folder.sources.length;
    return folder.sources.map((source, index) =>
      this.#shell(
        ['source', folder.uri, source.uri],
        sourceRow(source, index + 1, count),
        this.#declared(folder, source),
      ),
    );
  }

  #declared(folder: DeclaredFolder, source: DeclaredSource): readonly Shell[] {
    const seen = new Map<string, number>();
    return source.blocks.map(block => {
      // A source that defines an ID twice has two rows; its line would not do, for it moves.
      const occurrence = seen.get(block.id) ?? 0;
      seen.set(block.id, occurrence + 1);
      const row = blockRow(block, source, uri => this.#paths.get(uri) ?? nameOf(uri));
      return this.#shell(['block', folder.uri, source.uri, block.id, String(occurrence)], row, []);
    });
  }

  #shell(key: readonly string[], row: Row, children: readonly Shell[]): Shell {
    const id = JSON.stringify(key);
    const print = JSON.stringify(row);
    const known = this.#known.get(id);
    const shell = known ?? { id, row, children, print, changed: true };
    if (known) {
      known.changed = known.print !== print || !sameNodes(known.children, children);
      known.row = row;
      known.print = print;
      known.children = children;
    }
    this.shells.set(id, shell);
    return shell;
  }
}

function topmostChanged(nodes: readonly Shell[]): readonly Shell[] {
  return nodes.flatMap(node => (node.changed ? [node] : topmostChanged(node.children)));
}

function sameNodes(one: readonly TreeNode[], other: readonly TreeNode[]): boolean {
  return one.length === other.length && one.every((node, index) => node === other[index]);
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
