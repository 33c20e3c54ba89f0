interface Node<Item> {
  readonly left: Tree<Item>;
  readonly item: Item;
  readonly right: Tree<Item>;
  readonly size: number;
}

type Tree<Item> = Node<Item> | undefined;

/**
 * A list that never changes: `splice` gives a new one that shares all but a few nodes of the old one, whatever their lengths.
 * It is a weight-balanced tree (Blelloch, Ferizovic, Sun: Just Join for Parallel Ordered Sets, 2016), of which no side has
 * more than three times the other's weight.
 */
export class SpliceList<Item> {
  readonly #root: Tree<Item>;

  private constructor(root: Tree<Item>) {
    this.#root = root;
  }

  static empty<Item>(): SpliceList<Item> {
    return new SpliceList<Item>(undefined);
  }

  get length(): number {
    return sizeOf(this.#root);
  }

  /** The first and the last items of this list, with others in place of what stands between; both numbers fit in the list. */
  splice(keepStart: number, keepEnd: number, insert: readonly Item[]): SpliceList<Item> {
    const [start] = split(this.#root, keepStart);
    const [, end] = split(this.#root, this.length - keepEnd);
    return new SpliceList(concat(concat(start, treeOf(insert, 0, insert.length)), end));
  }

  toArray(): Item[] {
    const items: Item[] = [];
    const open: Node<Item>[] = [];
    for (let node = this.#root; node || open.length > 0; ) {
      if (node) {
        open.push(node);
        node = node.left;
      } else {
        const next = open.pop() as Node<Item>;
        items.push(next.item);
        node = next.right;
      }
    }
    return items;
  }
}

function sizeOf(tree: Tree<unknown>): number {
  return tree?.size ?? 0;
}

function nodeOf<Item>(left: Tree<Item>, item: Item, right: Tree<Item>): Node<Item> {
  return { left, item, right, size: sizeOf(left) + sizeOf(right) + 1 };
}

function treeOf<Item>(items: readonly Item[], from: number, to: number): Tree<Item> {
  if (from >= to) {
    return undefined;
  }
  const middle = (from + to) >>> 1;
  return nodeOf(treeOf(items, from, middle), items[middle] as Item, treeOf(items, middle + 1, to));
}

/** Whether two trees may be the sides of one node. */
function isBalanced(left: number, right: number): boolean {
  return 3 * (left + 1) >= right + 1 && 3 * (right + 1) >= left + 1;
}

function join<Item>(left: Tree<Item>, item: Item, right: Tree<Item>): Node<Item> {
  if (isBalanced(sizeOf(left), sizeOf(right))) {
    return nodeOf(left, item, right);
  }
  if (left && sizeOf(left) > sizeOf(right)) {
    return leaningRight(left.left, left.item, join(left.right, item, right));
  }
  const { left: inner, item: root, right: outer } = right as Node<Item>;
  return leaningLeft(join(left, item, inner), root, outer);
}

/** A node whose right side may have become a little too heavy. */
function leaningRight<Item>(left: Tree<Item>, item: Item, right: Node<Item>): Node<Item> {
  if (isBalanced(sizeOf(left), right.size)) {
    return nodeOf(left, item, right);
  }
  const { left: inner, item: root, right: outer } = right;
  if (!inner || (isBalanced(sizeOf(left), inner.size) && isBalanced(sizeOf(left) + inner.size + 1, sizeOf(outer)))) {
    return nodeOf(nodeOf(left, item, inner), root, outer);
  }
  return nodeOf(nodeOf(left, item, inner.left), inner.item, nodeOf(inner.right, root, outer));
}

/** A node whose left side may have become a little too heavy. */
function leaningLeft<Item>(left: Node<Item>, item: Item, right: Tree<Item>): Node<Item> {
  if (isBalanced(left.size, sizeOf(right))) {
    return nodeOf(left, item, right);
  }
  const { left: outer, item: root, right: inner } = left;
  if (!inner || (isBalanced(inner.size, sizeOf(right)) && isBalanced(sizeOf(outer), inner.size + sizeOf(right) + 1))) {
    return nodeOf(outer, root, nodeOf(inner, item, right));
  }
  return nodeOf(nodeOf(outer, root, inner.left), inner.item, nodeOf(inner.right, item, right));
}

function split<Item>(tree: Tree<Item>, at: number): readonly [Tree<Item>, Tree<Item>] {
  if (!tree || at <= 0) {
    return [undefined, tree];
  }
  if (at >= tree.size) {
    return [tree, undefined];
  }
  const before = sizeOf(tree.left);
  if (at <= before) {
    const [start, rest] = split(tree.left, at);
    return [start, join(rest, tree.item, tree.right)];
  }
  const [rest, end] = split(tree.right, at - before - 1);
  return [join(tree.left, tree.item, rest), end];
}

function concat<Item>(left: Tree<Item>, right: Tree<Item>): Tree<Item> {
  if (!left || !right) {
    return left ?? right;
  }
  const [start, last] = split(left, left.size - 1);
  return join(start, (last as Node<Item>).item, right);
}
