import {
  type Disposable,
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  window,
} from 'vscode';
import { RefreshGate } from './refreshGate.ts';
import type { Row } from './row.ts';
import { type RowNode, RowTree } from './rowTree.ts';

/** What a view of sessions shows. */
export interface SessionTreeContent {
  /** Its rows of now; called only while the view is seen. */
  readonly rows: () => readonly Row[];
  /** A sentence above the rows, which stands in the place of a welcome text too; absent where there is nothing to say. */
  readonly message: (isEmpty: boolean) => string | undefined;
  /** Beside the view's title. */
  readonly description?: () => string | undefined;
}

/** A view of sessions: it draws rows from memory, does nothing while it is hidden, and leaves folding and selection to the user. */
export class SessionTree implements TreeDataProvider<RowNode>, Disposable {
  readonly #tree = new RowTree();
  readonly #changed = new EventEmitter<RowNode[] | undefined>();
  readonly #gate = new RefreshGate(async () => this.#refresh());
  readonly #view: TreeView<RowNode>;
  readonly #content: SessionTreeContent;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(id: string, content: SessionTreeContent, canSelectMany = false) {
    this.#content = content;
    this.#view = window.createTreeView(id, { treeDataProvider: this, showCollapseAll: true, canSelectMany });
    this.#view.onDidChangeVisibility(({ visible }) => this.#gate.setVisible(visible));
    this.#gate.request();
    this.#gate.setVisible(this.#view.visible);
  }

  get selection(): readonly RowNode[] {
    return this.#view.selection;
  }

  /** Its rows may say something else now. */
  invalidate(): void {
    this.#gate.request();
  }

  getTreeItem(node: RowNode): TreeItem {
    return treeItem(node);
  }

  getChildren(node?: RowNode): RowNode[] {
    return [...(node ? this.#tree.childrenOf(node) : this.#tree.roots)];
  }

  getParent(node: RowNode): RowNode | undefined {
    return node.parent;
  }

  async resolveTreeItem(item: TreeItem, { row }: RowNode): Promise<TreeItem> {
    const details = await row.details?.().catch(() => undefined);
    item.tooltip = details ?? row.tooltip ?? row.label;
    return item;
  }

  dispose(): void {
    this.#gate.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  #refresh(): void {
    const change = this.#tree.update(this.#content.rows());
    if (change === 'all') {
      this.#changed.fire(undefined);
    } else if (change.length > 0) {
      this.#changed.fire([...change]);
    }
    // The editor takes both back by undefined, which their types do not say (editor-bugs 70).
    const view: { message?: string | undefined; description?: string | undefined } = this.#view;
    view.message = this.#content.message(this.#tree.roots.length === 0);
    view.description = this.#content.description?.();
  }
}

function treeItem({ id, row, expanded }: RowNode): TreeItem {
  const item = new TreeItem(row.label, row.children ? folding(expanded) : TreeItemCollapsibleState.None);
  item.id = id;
  if (row.description !== undefined) {
    item.description = row.description;
  }
  // Plain text: what sessions say makes no link and no markup. Undefined asks the editor for `resolveTreeItem`.
  item.tooltip = row.details ? undefined : (row.tooltip ?? row.label);
  item.accessibilityInformation = { label: row.spoken ?? [row.label, row.description ?? ''].join(' ').trim() };
  item.contextValue = row.kind;
  if (row.icon !== undefined) {
    item.iconPath = new ThemeIcon(row.icon, row.color === undefined ? undefined : new ThemeColor(row.color));
  }
  if (row.command) {
    item.command = { ...row.command, arguments: [...row.command.arguments] };
  }
  return item;
}

function folding(expanded: boolean): TreeItemCollapsibleState {
  return expanded ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
}
