import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { processes } from '../host/processes.ts';
import { goTo, openWindow, type Window } from './window.ts';

let window: Window;
before(async () => {
  window = await openWindow({ fixture: 'ui', file: 'AGENTS.md' });
  await window.page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Context Lifecycle/ })
    .click();
});
after(() => window?.close());

const limit = { timeout: 90_000 };

function rows(): Locator {
  return window.page.locator('.part.sidebar').getByRole('treeitem');
}

test(
  'Declared Blocks lists the sources in load order with their blocks and conflicts, in all three kinds of theme',
  limit,
  async () => {
    await rows().filter({ hasText: 'release-notes' }).first().waitFor({ timeout: 60_000 });
    assert.deepEqual(await rows().locator('.label-name').allInnerTexts(), [
      'AGENTS.md',
      'style',
      'release-notes',
      'more.context.md',
      'style',
    ]);
    assert.match(await rows().nth(1).innerText(), /line 3 · 2 lines$/);
    assert.match(await rows().nth(4).innerText(), /conflict · line 3 · 1 line$/);
    for (const theme of ['dark', 'contrast', 'light'] as const) {
      await window.setTheme(theme);
      await window.picture(`11-declared-blocks-${theme}`);
    }
    const spoken = await rows().nth(4).getAttribute('aria-label');
    assert.match(spoken ?? '', /AGENTS\.md/);
  },
);

test('a click on a block goes to its line', limit, async () => {
  const { page } = window;
  await rows().filter({ hasText: 'release-notes' }).first().click();
  await page.locator('.statusbar-item', { hasText: /^Ln 8, Col 1/ }).waitFor();
});

test(
  'editor-bugs 67, 68: the list follows what is typed and leaves the focus alone, and it is there again after it was hidden',
  limit,
  async () => {
    const { page } = window;
    await page.locator('.editor-instance .view-lines').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n<!--BLOCK_ID:typed-->');
    await rows().filter({ hasText: 'typed' }).first().waitFor();
    await page.keyboard.type('\nmore text');
    await page.locator('.editor-instance .view-line', { hasText: 'more text' }).waitFor();
    await window.run('View: Toggle Primary Side Bar Visibility');
    await rows().first().waitFor({ state: 'hidden' });
    await window.run('View: Toggle Primary Side Bar Visibility');
    await rows().filter({ hasText: 'typed' }).first().waitFor();
    await window.run('File: Revert File');
    await rows().filter({ hasText: 'typed' }).first().waitFor({ state: 'detached' });
  },
);

test('the language status says that the server runs', limit, async () => {
  const { page } = window;
  await page.locator('#status\\.languageStatus').click();
  const entry = page.locator('.hover-language-status', { hasText: 'Language server is running' });
  await entry.waitFor();
  await window.picture('12-language-status');
  // it stays as long as the mouse is on it
  await page.mouse.move(700, 400);
});

test(
  'editor-bugs 54, 58: after five crashes no panel has opened, the status says stopped, and its Restart brings the server back',
  limit,
  async () => {
    const { page } = window;
    // each at the moment at which it is found, be it starting or running: an end by itself is always a crash
    for (let crash = 1; crash <= 5; crash++) process.kill(await nextServer(), 'SIGKILL');
    const toast = page.locator('.notification-toast', { hasText: 'ended five times' });
    await toast.waitFor();
    await window.picture('13-stopped-notification');
    assert.equal(await page.locator('.part.panel').isVisible(), false);
    await window.run('Notifications: Clear All Notifications');
    await toast.waitFor({ state: 'hidden' });
    await page.locator('#status\\.languageStatus').click();
    const stopped = page.locator('.hover-language-status', { hasText: 'Language server has stopped' });
    await stopped.waitFor();
    await window.picture('14-stopped-status');
    await stopped.getByText('Restart', { exact: true }).click();
    await nextServer();
    await window.openFile('mistakes.md');
    await page.locator('.squiggly-error').first().waitFor();
  },
);

test('the walkthrough opens, its sample has a near miss, and mending it completes the last step', limit, async () => {
  const { page } = window;
  // whatever became of the server in the tests before
  await window.run('Context Lifecycle: Restart Language Server');
  // a narrow window has no room for the steps' pictures
  await page.setViewportSize({ width: 1700, height: 900 });
  await window.run('Welcome: Open Walkthrough...', 'Write Your First Block');
  await page.getByText('Open the sample', { exact: true }).first().waitFor();
  await page.locator('.getting-started-media').filter({ visible: true }).waitFor();
  await window.picture('15-walkthrough');
  await page.getByRole('button', { name: 'Open the Sample', exact: true }).click();
  await page.locator('.squiggly-warning').first().waitFor();
  await window.picture('16-walkthrough-sample');
  const lastStep = page.locator('.getting-started-step', { hasText: 'Fix it' });
  await lastStep.locator('.codicon-getting-started-step-unchecked').waitFor();
  await goTo(page, 8, 1);
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await lastStep.locator('.codicon-getting-started-step-checked').waitFor();
});

const killed = new Set<number>();

/** The process of the language server that was not killed yet, as soon as it runs. */
async function nextServer(): Promise<number> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const server = processes().find(({ id, command }) => !killed.has(id) && isOurServer(command));
    if (server) {
      killed.add(server.id);
      return server.id;
    }
    if (Date.now() > deadline) throw new Error('No language server was started within 20 s.');
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

function isOurServer(command: string): boolean {
  return /dist[\\/]server\.js/.test(command) && command.includes(window.profile.folder);
}
