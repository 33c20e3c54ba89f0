import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeclaredNode, type DeclaredRow, declaredTree } from '../../client/views/declaredTree.ts';
import { type RowChange, RowTree } from '../../client/views/rowTree.ts';
import type {
  DeclaredBlock,
  DeclaredBlocks,
  DeclaredFolder,
  DeclaredSource,
} from '../../protocol/lifecycle/editorRequests.ts';
import { renderMessage } from '../../protocol/lifecycle/text.ts';

function block(id: string, line = 0, more: Partial<DeclaredBlock> = {}): DeclaredBlock {
  return { id, line, endLine: line + 3, state: 'valid', ...more };
}

function source(path: string, blocks: readonly DeclaredBlock[], problemCount = 0): DeclaredSource {
  return { uri: `file:///w/${path}`, path, problemCount, blocks };
}

function folder(name: string, sources: readonly DeclaredSource[]): DeclaredFolder {
  return { uri: `file:///${name}`, name, sources };
}

function workspace(...folders: readonly DeclaredFolder[]): DeclaredBlocks {
  return { folders, complete: true };
}

/** As the view keeps it while it shows every row. */
class ShownTree {
  readonly #tree = new RowTree<DeclaredRow>();

  get roots(): readonly DeclaredNode[] {
    return this.#tree.roots;
  }

  update(blocks: DeclaredBlocks): RowChange<DeclaredRow> {
    const change = this.#tree.update(declaredTree(blocks));
    this.every();
    return change;
  }

  below = (node: DeclaredNode | undefined): readonly DeclaredNode[] => (node ? this.#tree.childrenOf(node) : []);

  every(nodes: readonly DeclaredNode[] = this.roots): readonly DeclaredNode[] {
    return nodes.flatMap(node => [node, ...this.every(this.below(node))]);
  }
}

function treeOf(blocks: DeclaredBlocks): ShownTree {
  const tree = new ShownTree();
  tree.update(blocks);
  return tree;
}

function words(list: DeclaredRow['description']): string {
  return list.map(word => (typeof word === 'string' ? word : renderMessage(word))).join(' | ');
}

const first = 'AGENTS.md';
const second = 'docs/SKILL.md';

test('one folder shows its sources at the top, in load order', () => {
  const tree = treeOf(workspace(folder('w', [source(first, [block('a')]), source(second, [block('b')], 2)])));
  assert.deepEqual(
    tree.roots.map(({ row }) => row.label),
    ['AGENTS.md', 'SKILL.md'],
  );
  assert.deepEqual(
    tree.roots.map(({ row }) => words(row.description)),
    ['', '2 problems | docs'],
  );
  assert.match(words(tree.roots[1]!.row.tooltip), /^docs\/SKILL\.md \| Number 2 of 2 in load order\./);
});

test('several folders get a level of their own', () => {
  const tree = treeOf(workspace(folder('one', [source(first, [block('a')])]), folder('two', [])));
  assert.deepEqual(
    tree.roots.map(({ row }) => [row.kind, row.label, words(row.description)]),
    [
      ['folder', 'one', '1 source'],
      ['folder', 'two', '0 sources'],
    ],
  );
  assert.equal(tree.below(tree.below(tree.roots[0])[0])[0]!.row.label, 'a');
});

test('a block says its state in words, its line and its size, and leads to its line', () => {
  const tree = treeOf(
    workspace(
      folder('w', [
        source(first, [
          block('good', 4),
          block('bad', 10, { state: 'invalid', endLine: 10, reason: 'Block bad is never closed.' }),
          block('late', 20, { state: 'conflict', endLine: 22, winner: { uri: 'file:///w/docs/SKILL.md', line: 6 } }),
        ]),
        source(second, []),
      ]),
    ),
  );
  const rows = tree.below(tree.roots[0]).map(({ row }) => row);
  assert.deepEqual(
    rows.map(({ description }) => words(description)),
    ['line 5 | 2 lines', 'invalid | line 11', 'conflict | line 21 | 1 line'],
  );
  assert.deepEqual(rows[0]!.place, { uri: 'file:///w/AGENTS.md', line: 4 });
  assert.match(words(rows[1]!.tooltip), /Block 'bad' is invalid\. \| Block bad is never closed\./);
  assert.match(words(rows[2]!.tooltip), /The definition that wins: docs\/SKILL\.md, line 7\./);
  assert.deepEqual(rows[2]!.winner, { uri: 'file:///w/docs/SKILL.md', line: 6 });
});

test('no two states share an icon, so colour is never the only sign', () => {
  const states = (['valid', 'invalid', 'conflict'] as const).map(state => block(state, 0, { state }));
  const tree = treeOf(workspace(folder('w', [source(first, states)])));
  const icons = new Set(tree.below(tree.roots[0]).map(({ row }) => row.icon!.id));
  assert.equal(icons.size, 3);
});

test('editor-bugs 70: what a screen reader says of a row holds name, state and place in sentences', () => {
  const conflict = block('a-b', 8, { state: 'conflict', reason: 'The first one wins.' });
  const tree = treeOf(workspace(folder('w', [source(first, [conflict], 1)])));
  assert.equal(
    words(tree.roots[0]!.row.spoken),
    'Source AGENTS.md is number 1 in load order. | It declares 1 block. | It has 1 problem.',
  );
  assert.equal(
    words(tree.below(tree.roots[0])[0]!.row.spoken),
    "Block 'a-b' is in conflict: another definition wins. | The first one wins. | It starts in AGENTS.md, line 9. | It holds 2 lines.",
  );
});

test('editor-bugs 64: the objects stay the same, and only what changed is redrawn', () => {
  const tree = treeOf(
    workspace(folder('w', [source(first, [block('a'), block('b', 9)]), source(second, [block('c')])])),
  );
  const before = tree.every();
  const change = tree.update(
    workspace(folder('w', [source(first, [block('a'), block('b', 12)]), source(second, [block('c')])])),
  );
  assert.deepEqual(
    tree.every().map((node, index) => node === before[index]),
    before.map(() => true),
  );
  assert.ok(change !== 'all');
  assert.deepEqual(
    change.map(({ row }) => row.label),
    ['b'],
  );
});

test('an answer that changes nothing redraws nothing', () => {
  const blocks = workspace(folder('w', [source(first, [block('a')])]));
  assert.deepEqual(treeOf(blocks).update(structuredClone(blocks)), []);
});

test('a new block redraws its source, not the root; a new source redraws the root', () => {
  const tree = treeOf(workspace(folder('w', [source(first, [block('a')])])));
  const withBlock = tree.update(workspace(folder('w', [source(first, [block('a'), block('b')])])));
  assert.ok(withBlock !== 'all');
  assert.deepEqual(
    withBlock.map(({ row }) => row.label),
    ['AGENTS.md'],
  );
  const two = workspace(folder('w', [source(first, [block('a'), block('b')]), source(second, [])]));
  assert.equal(tree.update(two), 'all');
});

test('editor-bugs 65: no two rows share an id, whatever the ids, paths and folders are', () => {
  const twice = [block('a'), block('a', 9, { state: 'invalid' }), block('__proto__'), block('constructor')];
  const same = source('a', twice);
  const tree = treeOf(workspace(folder('w', [same, source('a/a', twice)]), folder('w/a', [same])));
  const ids = tree.every().map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(ids.length, 2 + 3 + 12);
});

test('a block keeps its row when it moves, and gets a new one when its source was away meanwhile', () => {
  const tree = treeOf(workspace(folder('w', [source(first, [block('a')])])));
  const row = tree.below(tree.roots[0])[0]!;
  tree.update(workspace(folder('w', [source(first, [block('z'), block('a', 40)])])));
  assert.equal(tree.below(tree.roots[0])[1], row);
  tree.update(workspace());
  tree.update(workspace(folder('w', [source(first, [block('a')])])));
  assert.notEqual(tree.below(tree.roots[0])[0], row);
});

test('of a thousand blocks one edit redraws one row', () => {
  const sources = (line: number) =>
    Array.from({ length: 10 }, (_, file) =>
      source(
        `f${file}.context.md`,
        Array.from({ length: 100 }, (_, index) => block(`b${index}`, file === 3 && index === 50 ? line : index * 5)),
      ),
    );
  const tree = treeOf(workspace(folder('w', sources(250))));
  const change = tree.update(workspace(folder('w', sources(251))));
  assert.ok(change !== 'all');
  assert.equal(change.length, 1);
});

test('the name of a file stays one line and turns no text around', () => {
  const evil = 'd\u202eoc\ns/AGE\u200bNTS.md';
  const tree = treeOf(
    workspace(folder('w\u202e', [source(evil, [block('a')])]), folder('v', [source(first, [block('a')])])),
  );
  for (const { row } of tree.every()) {
    const all = [row.label, words(row.description), words(row.tooltip), words(row.spoken)].join(' ');
    assert.doesNotMatch(all, /[\u202e\u200b\n]/);
  }
  assert.equal(tree.every()[1]?.row.label, String.raw`AGE\u{200b}NTS.md`);
});
