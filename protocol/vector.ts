/** Items of a leaf, and children of a branch. */
const WIDTH_BITS = 5;
const WIDTH = 1 << WIDTH_BITS;
const MASK = WIDTH - 1;

type Leaf<Item> = readonly Item[];
type Branch<Item> = readonly TreeNode<Item>[];
type TreeNode<Item> = Leaf<Item> | Branch<Item>;

/**
 * A list that never changes: `push` and `set` give a new list that shares nearly all of the old one. A fold over 100,000
 * events can keep every state on its way, which is what time travel and checkpoints need.
 */
export class Vector<Item> implements Iterable<Item> {
  readonly length: number;
  readonly #root: TreeNode<Item>;
  /** Bits of an index that are left at the root's children. */
  readonly #shift: number;
  /** The items that are in no full leaf. Lists that grew from this one use it too: it may go on behind this list's end. */
  readonly #tail: Item[];

  private constructor(length: number, root: TreeNode<Item>, shift: number, tail: Item[]) {
    this.length = length;
    this.#root = root;
    this.#shift = shift;
    this.#tail = tail;
  }

  static empty<Item>(): Vector<Item> {
    return new Vector<Item>(0, [], WIDTH_BITS, []);
  }

  static of<Item>(items: Iterable<Item>): Vector<Item> {
    let vector = Vector.empty<Item>();
    for (const item of items) {
      vector = vector.push(item);
    }
    return vector;
  }

  /** The item at an index from 0; absent outside the list. */
  get(index: number): Item | undefined {
    if (!(index >= 0 && index < this.length)) {
      return undefined;
    }
    return this.#leafOf(index)[index & MASK];
  }

  push(item: Item): Vector<Item> {
    const { length } = this;
    const inTail = length - this.#tailStart();
    if (inTail < WIDTH) {
      // Where another list grew from this one already, this one needs a tail of its own.
      const tail = this.#tail.length === inTail ? this.#tail : this.#tail.slice(0, inTail);
      tail.push(item);
      return new Vector(length + 1, this.#root, this.#shift, tail);
    }
    const treeIsFull = length - WIDTH === 1 << (this.#shift + WIDTH_BITS);
    const shift = treeIsFull ? this.#shift + WIDTH_BITS : this.#shift;
    const root = withLeaf(treeIsFull ? [this.#root] : this.#root, shift, length - WIDTH, this.#tail);
    return new Vector(length + 1, root, shift, [item]);
  }

  /** A list with another item at an index; throws `RangeError` outside the list. */
  set(index: number, item: Item): Vector<Item> {
    if (!(index >= 0 && index < this.length)) {
      throw new RangeError(`Vector: there is no item ${index} in a list of ${this.length}`);
    }
    const leaf = this.#ownLeafOf(index).slice();
    leaf[index & MASK] = item;
    return index >= this.#tailStart()
      ? new Vector(this.length, this.#root, this.#shift, leaf)
      : new Vector(this.length, withLeaf(this.#root, this.#shift, index & ~MASK, leaf), this.#shift, this.#tail);
  }

  *[Symbol.iterator](): Iterator<Item> {
    for (let start = 0; start < this.length; start += WIDTH) {
      const leaf = this.#leafOf(start);
      // Not by the leaf's own length: another list may grow from this one while it is looked through.
      const end = Math.min(WIDTH, this.length - start);
      for (let place = 0; place < end; place++) {
        yield leaf[place] as Item;
      }
    }
  }

  toArray(): Item[] {
    const items: Item[] = [];
    for (let start = 0; start < this.length; start += WIDTH) {
      items.push(...this.#ownLeafOf(start));
    }
    return items;
  }

  /** What `JSON.stringify` writes. */
  toJSON(): Item[] {
    return this.toArray();
  }

  #tailStart(): number {
    return this.length === 0 ? 0 : (this.length - 1) & ~MASK;
  }

  /** Without what other lists have behind this one's end. */
  #ownLeafOf(index: number): Leaf<Item> {
    const leaf = this.#leafOf(index);
    const own = this.length - (index & ~MASK);
    return own < leaf.length ? leaf.slice(0, own) : leaf;
  }

  #leafOf(index: number): Leaf<Item> {
    if (index >= this.#tailStart()) {
      return this.#tail;
    }
    let node = this.#root;
    for (let shift = this.#shift; shift > 0; shift -= WIDTH_BITS) {
      node = (node as Branch<Item>)[(index >> shift) & MASK] as TreeNode<Item>;
    }
    return node as Leaf<Item>;
  }
}

/** A copy of a branch in which the leaf that starts at `index` is this one. */
function withLeaf<Item>(node: TreeNode<Item>, shift: number, index: number, leaf: Leaf<Item>): TreeNode<Item> {
  if (shift === 0) {
    return leaf;
  }
  const children = [...(node as Branch<Item>)];
  const place = (index >> shift) & MASK;
  children[place] = withLeaf(children[place] ?? [], shift - WIDTH_BITS, index, leaf);
  return children;
}
