import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row } from '../../../client/views/row.ts';
import { type RowNode, RowTree } from '../../../client/views/rowTree.ts';

function row(id: string, more: Partial<Row> = {}): Row {
  return { id, label: id, kind: 'x', ...more };
}

function parent(id: string, children: readonly Row[], more: Partial<Row> = {}): Row {
  return row(id, { children: () => children, ...more });
}

function ids(nodes: readonly RowNode[]): readonly string[] {
  return nodes.map(({ id }) => id);
}

test('editor-bugs 64: a row that changes is drawn alone, and its node stays the same object', () => {
  const tree = new RowTree();
  tree.update([row('a'), row('b')]);
  const [a, b] = tree.roots;
  const change = tree.update([row('a'), row('b', { description: 'new' })]);
  assert.deepEqual(change, [b]);
  assert.equal(tree.roots[0], a);
  assert.equal(tree.roots[1], b);
  assert.equal(b?.row.description, 'new');
});

test('nothing is drawn when nothing has changed', () => {
  const tree = new RowTree();
  const rows = () => [parent('a', [row('b')]), row('c')];
  tree.update(rows());
  tree.childrenOf(tree.roots[0]!);
  assert.deepEqual(tree.update(rows()), []);
});

test('a row that comes or goes at the top draws everything, one below another only that one', () => {
  const tree = new RowTree();
  tree.update([parent('a', [row('b')])]);
  const [a] = tree.roots;
  assert.deepEqual(ids(tree.childrenOf(a!)), ['b']);
  assert.deepEqual(tree.update([parent('a', [row('new'), row('b')])]), [a]);
  assert.deepEqual(ids(tree.childrenOf(a!)), ['new', 'b']);
  assert.equal(tree.update([parent('a', []), row('z')]), 'all');
});

test('of a deep change the topmost changed row is drawn, and no row beside it', () => {
  const tree = new RowTree();
  const rows = (description: string) => [parent('a', [parent('b', [row('c', { description })]), row('d')]), row('e')];
  tree.update(rows('one'));
  const [a] = tree.roots;
  const [b] = tree.childrenOf(a!);
  const [c] = tree.childrenOf(b!);
  assert.deepEqual(tree.update(rows('two')), [c]);
});

test('what nobody looked at is not made, not even when it changes', () => {
  const tree = new RowTree();
  let made = 0;
  const rows = () => [
    row('a', {
      children: () => {
        made++;
        return [row('b')];
      },
    }),
  ];
  tree.update(rows());
  tree.update(rows());
  assert.deepEqual([made, tree.made], [0, 2]);
  tree.childrenOf(tree.roots[0]!);
  tree.childrenOf(tree.roots[0]!);
  assert.deepEqual([made, tree.made], [1, 3]);
});

test('editor-bugs 64: whether a row begins unfolded is said once; afterwards it is the user who folds', () => {
  const tree = new RowTree();
  tree.update([parent('a', [], { expanded: true })]);
  tree.update([parent('a', [], { expanded: false })]);
  assert.equal(tree.roots[0]?.expanded, true);
});

test('editor-bugs 65: two rows with the same id have nodes of their own', () => {
  const tree = new RowTree();
  tree.update([row('a'), row('a'), parent('p', [row('a')])]);
  const below = tree.childrenOf(tree.roots[2]!);
  assert.equal(new Set([...ids(tree.roots), ...ids(below)]).size, 4);
  assert.deepEqual(tree.update([row('a'), row('a'), parent('p', [row('a')])]), []);
});

test('a node that is gone has no children', () => {
  const tree = new RowTree();
  tree.update([parent('a', [row('b')])]);
  const [a] = tree.roots;
  tree.update([]);
  assert.deepEqual(tree.childrenOf(a!), []);
});

test('a row that moves below another keeps its node and knows its parent', () => {
  const tree = new RowTree();
  tree.update([row('a')]);
  const [a] = tree.roots;
  tree.update([parent('p', [row('a')])]);
  const [again] = tree.childrenOf(tree.roots[0]!);
  assert.equal(again?.parent?.id, 'p');
  assert.equal(again?.id, a?.id);
});
