import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { goTo, hoverOver, openWindow, type Window } from './window.ts';

let window: Window;
before(async () => {
  window = await openWindow({ fixture: 'ui', file: 'AGENTS.md' });
});
after(() => window?.close());

const limit = { timeout: 90_000 };

test('mistakes have squiggles in all three kinds of theme', limit, async () => {
  const { page } = window;
  await window.openFile('mistakes.md');
  await page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 });
  await page.locator('.squiggly-warning').first().waitFor();
  for (const theme of ['dark', 'contrast', 'light'] as const) {
    await window.setTheme(theme);
    assert.ok((await page.locator('.squiggly-error').count()) >= 2);
    await window.picture(`1-squiggles-${theme}`);
  }
});

test('the hover over a mistake says what is wrong, with a link to its page', limit, async () => {
  const { page } = window;
  await window.openFile('mistakes.md');
  const hover = page.locator('.monaco-hover', { hasText: 'malformed-tag' }).filter({ visible: true });
  await hoverOver(page, page.locator('.squiggly-warning').first(), hover);
  await window.picture('2-hover-on-mistake');
  assert.match(await hover.innerText(), /Context Lifecycle\(?malformed-tag/);
});

test('the quick fix menu offers to mend the line', limit, async () => {
  const { page } = window;
  await window.openFile('mistakes.md');
  await page.locator('.squiggly-warning').first().waitFor();
  await goTo(page, 3, 8);
  await page.keyboard.press('Control+.');
  const menu = page.locator('.action-widget').filter({ visible: true });
  await menu.waitFor();
  await window.picture('3-quick-fix');
  assert.match(await menu.innerText(), /<!--ephemeral-->/);
  await page.keyboard.press('Escape');
});

test('the problems panel lists every mistake with its code', limit, async () => {
  const { page } = window;
  await window.openFile('mistakes.md');
  await window.run('Problems: Focus on Problems View');
  const rows = page.locator('.markers-panel .monaco-list-row');
  await rows.filter({ hasText: 'nested-block' }).first().waitFor();
  await window.picture('4-problems');
  const text = (await rows.allInnerTexts()).join('\n');
  for (const code of ['malformed-tag', 'nested-block', 'unexpected-block-end']) assert.ok(text.includes(code), text);
  await window.run('View: Hide Panel');
});

test('the hover over a tag shows the size of its block', limit, async () => {
  const { page } = window;
  await window.openFile('AGENTS.md');
  await goTo(page, 3, 18);
  await window.run('Show or Focus Hover');
  const hover = page.locator('.monaco-hover', { hasText: 'style' }).filter({ visible: true });
  await hover.waitFor();
  await window.picture('5-hover-on-tag');
  assert.match(await hover.innerText(), /2 lines/);
  await page.keyboard.press('Escape');
});

test('completion offers tags, and IDs after a hyphen', limit, async () => {
  const { page } = window;
  await window.openFile('empty.md');
  await page.locator('.monaco-editor .view-lines').first().click();
  await page.keyboard.type('<!--');
  await page.keyboard.press('Control+Space');
  const list = page.locator('.suggest-widget').filter({ visible: true });
  await list.locator('.monaco-list-row', { hasText: 'ephemeral' }).first().waitFor();
  await window.picture('6-completion');
  await page.keyboard.press('Escape');
  await page.keyboard.type('DISCARD_BLOCK:release-');
  await page.keyboard.press('Control+Space');
  await list.locator('.monaco-list-row', { hasText: 'release-notes' }).first().click();
  await page.keyboard.press('Escape');
  const line = await page.locator('.monaco-editor .view-line').first().innerText();
  assert.equal(line.replaceAll('\u00a0', ' '), '<!--DISCARD_BLOCK:release-notes-->');
  await window.picture('7-completed');
});

test('F2 renames a block in both of its lines', limit, async () => {
  const { page } = window;
  await window.openFile('AGENTS.md');
  await goTo(page, 3, 18);
  await page.keyboard.press('F2');
  const box = page.locator('.rename-box input');
  await box.waitFor();
  assert.equal(await box.inputValue(), 'style');
  await box.fill('house-style');
  await window.picture('8-rename');
  await page.keyboard.press('Enter');
  await page.locator('.view-line', { hasText: '<!--/BLOCK_ID:house-style-->' }).waitFor();
  assert.equal(await page.locator('.view-line', { hasText: '<!--BLOCK_ID:house-style-->' }).count(), 1);
  await page.keyboard.press('Control+Z');
});

test('the outline holds the blocks beside the headings', limit, async () => {
  const { page } = window;
  await window.openFile('AGENTS.md');
  await window.run('Explorer: Focus on Outline View');
  const rows = page.locator('.outline-pane').getByRole('treeitem');
  await rows.filter({ hasText: 'release-notes' }).first().waitFor();
  await window.picture('9-outline');
  const names = await rows.allInnerTexts();
  assert.ok(
    names.some(name => name.includes('Rules for agents')),
    names.join(),
  );
});

test('a block folds', limit, async () => {
  const { page } = window;
  await window.openFile('AGENTS.md');
  await goTo(page, 3, 1);
  await page.keyboard.press('Control+Shift+BracketLeft');
  await page.locator('.view-line', { hasText: 'Indent with two spaces' }).waitFor({ state: 'hidden' });
  await window.picture('10-folded');
  assert.equal(await page.locator('.view-line', { hasText: '<!--BLOCK_ID:style-->' }).count(), 1);
});
