import {
  type Disposable,
  EventEmitter,
  l10n,
  MarkdownString,
  Range,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  Uri,
  window,
} from 'vscode';
import type { DeclaredBlocks } from '../../protocol/lifecycle/editorRequests.ts';
import { setContextKey } from '../contextKeys.ts';
import { DECLARED_BLOCKS_VIEW } from '../names.ts';
import { plainMarkdown } from '../plainMarkdown.ts';
import type { ServerCondition } from '../serverLife.ts';
import { say } from '../text.ts';
import type { Row, Words } from './declaredRows.ts';
import { type DeclaredNode, type DeclaredRow, declaredTree } from './declaredTree.ts';
import { RefreshGate } from './refreshGate.ts';
import { RowTree } from './rowTree.ts';

/** Asks the server; undefined while there is none. */
export type FetchDeclaredBlocks = () => Promise<DeclaredBlocks | undefined>;

/** The sidebar's view of the blocks that the workspace declares. It draws from memory and asks only while it is seen. */
export class DeclaredBlocksView implements TreeDataProvider<DeclaredNode>, Disposable {
  readonly #tree = new RowTree<DeclaredRow>();
  readonly #changed = new EventEmitter<DeclaredNode[] | undefined>();
  readonly #fetch: FetchDeclaredBlocks;
  readonly #gate = new RefreshGate(() => this.#refresh());
  readonly #view: TreeView<DeclaredNode>;
  /** Counts the servers: an answer of an earlier one is dropped. */
  #epoch = 0;
  #complete = false;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(fetch: FetchDeclaredBlocks) {
    this.#fetch = fetch;
    this.#view = window.createTreeView(DECLARED_BLOCKS_VIEW, { treeDataProvider: this, showCollapseAll: true });
    this.#view.onDidChangeVisibility(({ visible }) => this.#gate.setVisible(visible));
    this.#gate.setVisible(this.#view.visible);
    this.#describe();
  }

  /** The server says that its answer has changed. */
  invalidate(): void {
    this.#gate.request();
  }

  serverChanged({ state }: ServerCondition): void {
    this.#epoch++;
    if (state === 'running') {
      this.#gate.request();
    }
    this.#describe(state === 'stopped');
  }

  getTreeItem(node: DeclaredNode): TreeItem {
    return treeItem(node);
  }

  getChildren(node?: DeclaredNode): DeclaredNode[] {
    return [...(node ? this.#tree.childrenOf(node) : this.#tree.roots)];
  }

  dispose(): void {
    this.#gate.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  async #refresh(): Promise<void> {
    const epoch = this.#epoch;
    const blocks = await this.#fetch();
    if (blocks === undefined || epoch !== this.#epoch) {
      return;
    }
    const change = this.#tree.update(declaredTree(blocks));
    this.#complete = blocks.complete;
    if (change === 'all') {
      this.#changed.fire(undefined);
    } else if (change.length > 0) {
      this.#changed.fire([...change]);
    }
    this.#describe();
  }

  /** Welcome content and message; both are taken back with undefined (editor-bugs 70). */
  #describe(stopped = false): void {
    const filled = this.#tree.roots.length > 0;
    setContextKey('contextLifecycle.blockList', filled ? 'filled' : this.#complete ? 'empty' : 'scanning');
    // The editor takes a message back by undefined, which its type does not say.
    const view: { message?: string | undefined } = this.#view;
    if (!filled) {
      view.message = undefined;
    } else if (stopped) {
      view.message = l10n.t('The language server has stopped, so this list may be out of date.');
    } else {
      view.message = this.#complete ? undefined : l10n.t('Still reading the workspace…');
    }
  }
}

function treeItem({ id, row }: DeclaredNode): TreeItem {
  // The same as long as a node has children, so that what the user folded stays folded.
  const folding = row.children ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.None;
  const item = new TreeItem(row.label, folding);
  item.id = id;
  item.description = row.description.map(inWords).join(' · ');
  item.tooltip = tooltip(row);
  item.accessibilityInformation = { label: row.spoken.map(inWords).join(' ') };
  item.contextValue = row.winner ? `${row.kind}.conflict` : row.kind;
  if (row.icon) {
    item.iconPath = new ThemeIcon(row.icon.id, row.icon.color ? new ThemeColor(row.icon.color) : undefined);
  } else {
    item.iconPath = ThemeIcon.File;
  }
  if (row.place) {
    const uri = Uri.parse(row.place.uri);
    if (row.kind === 'source') {
      item.resourceUri = uri;
    }
    const selection = new Range(row.place.line, 0, row.place.line, 0);
    // As in the views of sessions: what a row opens leaves the list its keys.
    const options = { selection, preserveFocus: true };
    item.command = { command: 'vscode.open', title: l10n.t('Open'), arguments: [uri, options] };
  }
  return item;
}

function tooltip(row: Row): MarkdownString {
  const text = new MarkdownString(row.tooltip.map(words => plainMarkdown(inWords(words))).join('\n\n'));
  text.isTrusted = false;
  text.supportHtml = false;
  return text;
}

function inWords(words: Words): string {
  return typeof words === 'string' ? words : say(words);
}
