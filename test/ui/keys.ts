import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { sessionViewsOf } from './sessionViews.ts';

/** The row that keys move, while its view has the keys. */
export function focused(page: Page, view: string): Locator {
  return sessionViewsOf(page).view(view).locator('.monaco-list:focus .monaco-list-row.focused');
}

/** Gives the keys to a view. */
export async function focusView(page: Page, name: string): Promise<void> {
  const list = sessionViewsOf(page).view(name).locator('.monaco-list');
  const command = `Context Lifecycle: Focus on ${name} View`;
  if (!(await list.isVisible())) {
    // the editor unfolds a view first, and gives it the keys once it has rows
    await runByKeys(page, command);
    await sessionViewsOf(page).rows(name).first().waitFor();
  }
  await runByKeys(page, command);
  await sessionViewsOf(page).view(name).locator('.monaco-list:focus').waitFor();
}

/** Runs a command from the palette, and waits for what it shows: nothing, if not said. */
export async function runByKeys(page: Page, title: string, shows?: Locator): Promise<void> {
  const list = page.locator('.quick-input-widget').filter({ visible: true });
  await page.keyboard.press('F1');
  await list.locator('input:focus').waitFor();
  // a palette that is still opening may set its text anew
  await untilShown(list.locator('.monaco-list-row').getByText(title, { exact: true }).first(), async () => {
    await page.keyboard.press('Control+A');
    await page.keyboard.type(`>${title}`);
  });
  const item = list.locator('.monaco-list-row.focused').getByText(title, { exact: true });
  for (let presses = 0; presses < 10 && (await item.count()) === 0; presses++) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await (shows?.waitFor() ?? list.waitFor({ state: 'hidden' }));
}

/** Unfolds or folds a row that has the keys. */
export async function turn(page: Page, row: Locator, isOpen: boolean): Promise<void> {
  if ((await row.getAttribute('aria-expanded')) !== String(isOpen)) {
    await page.keyboard.press(isOpen ? 'ArrowRight' : 'ArrowLeft');
  }
  await row.and(page.locator(`[aria-expanded=${isOpen}]`)).waitFor();
}

/** Whether a screen reader says this of the row that has the keys. */
export async function says(page: Page, view: string, text: RegExp): Promise<boolean> {
  return text.test((await focused(page, view).getAttribute('aria-label')) ?? '');
}

/** Goes down to the row of which a screen reader says this. */
export async function moveTo(page: Page, view: string, text: RegExp): Promise<RegExpExecArray> {
  const { keyboard } = page;
  await keyboard.press('Home');
  for (let presses = 0; presses < 150; presses++) {
    const found = text.exec((await focused(page, view).getAttribute('aria-label')) ?? '');
    if (found) {
      return found;
    }
    await keyboard.press('ArrowDown');
  }
  return assert.fail(
    `Keys reach no row ${text} of ${view}: ${JSON.stringify(await sessionViewsOf(page).spoken(view))}`,
  );
}

/** Opens the menu of the row that has the keys, and tells what it offers. */
export async function openMenu(page: Page): Promise<readonly string[]> {
  const menu = page.locator('.monaco-menu');
  await page.keyboard.press('Shift+F10');
  await menu.waitFor();
  return menu.locator('.action-label:not(.separator)').allInnerTexts();
}

/** Takes an entry of the menu that is open. */
export async function takeByKeys(page: Page, entry: string): Promise<void> {
  const item = page.locator('.monaco-menu').locator('.action-item.focused', { hasText: entry });
  for (let presses = 0; presses < 10 && (await item.count()) === 0; presses++) {
    await page.keyboard.press('ArrowDown');
  }
  await item.waitFor();
  await page.keyboard.press('Enter');
}
export async function pressShowHover(page: Page): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Control+I');
}

/** Does something again until it shows what is waited for. */
export async function untilShown(target: Locator, act: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await act();
    try {
      return await target.waitFor({ timeout: 2000 });
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}
