import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pageMessage } from '../../../client/budget/pageMessage.ts';
import { inRepository } from '../../../scripts/build/paths.ts';

const folder = inRepository('client/budget/page');
const page = readdirSync(folder)
  .filter(file => file.endsWith('.ts'))
  .map(file => readFileSync(join(folder, file), 'utf8'))
  .join('\n');
const style = readFileSync(inRepository('media/budget.css'), 'utf8');

test('DESIGN, Trust: the page makes no markup of texts, sets no style in an element, and asks nobody for anything', () => {
  assert.match(page, /textContent|append\(/);
  assert.doesNotMatch(page, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval\(|new Function/);
  assert.doesNotMatch(page, /fetch\(|XMLHttpRequest|WebSocket|import\(|\bstyle\b/);
  assert.doesNotMatch(style, /@import|url\(|http/);
});

test('colours come from the theme alone', () => {
  assert.doesNotMatch(style, /#[0-9a-f]{3}|rgb|hsl/i);
  assert.match(style, /--vscode-charts-/);
});

test('issue 6: whatever a page says is looked at before it is believed', () => {
  assert.deepEqual(pageMessage({ type: 'open', request: 3, more: 1 }), { type: 'open', request: 3 });
  assert.deepEqual(pageMessage({ type: 'ready', request: 'x' }), { type: 'ready' });
  const hostile: readonly unknown[] = [
    undefined,
    null,
    'ready',
    [],
    {},
    { type: 'run', command: 'workbench.action.quit' },
    { type: 'open' },
    ...[0, -1, 1.5, Number.NaN, Number.MAX_VALUE, '1', {}].map(request => ({ type: 'open', request })),
  ];
  for (const message of hostile) {
    assert.equal(pageMessage(message), undefined, JSON.stringify(message));
  }
});
