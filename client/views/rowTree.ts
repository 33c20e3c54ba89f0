import type { Row } from './row.ts';

/** What a row has to say of itself to stand in a tree. The rest of it is plain data. */
export interface TreeRow<AnyRow> {
  /** Stays the same as long as it is the same thing. */
  readonly id: string;
  /** Absent: a leaf. */
  readonly children?: () => readonly AnyRow[];
  readonly expanded?: boolean;
}

/** A row with its place. The object stays the same as long as its id is there (editor-bugs 64). */
export interface RowNode<AnyRow = Row> {
  readonly id: string;
  readonly row: AnyRow;
  readonly parent: RowNode<AnyRow> | undefined;
  /** As it was when the node came: from then on what is folded is the user's to say. */
  readonly expanded: boolean;
}

/** What a view has to redraw: everything, or these nodes with what is below them. */
export type RowChange<AnyRow = Row> = 'all' | readonly RowNode<AnyRow>[];

interface Shell<AnyRow> extends RowNode<AnyRow> {
  row: AnyRow;
  parent: Shell<AnyRow> | undefined;
  /** Absent until somebody has looked at them: what nobody sees is not made. */
  children: readonly Shell<AnyRow>[] | undefined;
  /** What the row shows, as text. */
  print: string;
  changed: boolean;
}

/** Keeps the nodes of a view while rows come and go, makes children when they are looked at, and finds what has changed. */
export class RowTree<AnyRow extends TreeRow<AnyRow> = Row> {
  #shells = new Map<string, Shell<AnyRow>>();
  #roots: readonly Shell<AnyRow>[] = [];
  #made = 0;

  get roots(): readonly RowNode<AnyRow>[] {
    return this.#roots;
  }

  /** How many rows were made so far. */
  get made(): number {
    return this.#made;
  }

  /** The children of a node, made now where they were not yet. */
  childrenOf(node: RowNode<AnyRow>): readonly RowNode<AnyRow>[] {
    const shell = this.#shells.get(node.id);
    if (!shell) {
      return [];
    }
    shell.children ??= this.#reconcile(shell.row.children?.() ?? [], shell, this.#shells, this.#shells);
    return shell.children;
  }

  /** Takes over the rows of now, with those below the nodes that were looked at, and tells the smallest change that shows them. */
  update(rows: readonly AnyRow[]): RowChange<AnyRow> {
    const before = this.#roots;
    const known = this.#shells;
    this.#shells = new Map();
    this.#roots = this.#reconcile(rows, undefined, known, this.#shells);
    return sameNodes(before, this.#roots) ? topmostChanged(this.#roots) : 'all';
  }

  #reconcile(
    rows: readonly AnyRow[],
    parent: Shell<AnyRow> | undefined,
    known: ReadonlyMap<string, Shell<AnyRow>>,
    into: Map<string, Shell<AnyRow>>,
  ): readonly Shell<AnyRow>[] {
    this.#made += rows.length;
    return rows.map(row => {
      const id = freeId(row.id, into);
      const print = JSON.stringify(row);
      const shell: Shell<AnyRow> = known.get(id) ?? {
        id,
        row,
        parent,
        children: undefined,
        print,
        changed: true,
        expanded: row.expanded ?? false,
      };
      const isNew = !known.has(id);
      const before = shell.children;
      into.set(id, shell);
      shell.changed = isNew || shell.print !== print;
      shell.row = row;
      shell.print = print;
      shell.parent = parent;
      if (before) {
        shell.children = this.#reconcile(row.children?.() ?? [], shell, known, into);
        shell.changed ||= !sameNodes(before, shell.children);
      }
      return shell;
    });
  }
}

/** The editor refuses a second row with the same id, and a session may say anything. */
function freeId(id: string, taken: ReadonlyMap<string, unknown>): string {
  let free = id;
  for (let number = 2; taken.has(free); number++) {
    free = `${id}#${number}`;
  }
  return free;
}

function topmostChanged<AnyRow>(nodes: readonly Shell<AnyRow>[]): readonly Shell<AnyRow>[] {
  return nodes.flatMap(node => (node.changed ? [node] : topmostChanged(node.children ?? [])));
}

function sameNodes(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((node, index) => node === other[index]);
}
