import type { Locator, Page } from 'playwright-core';

/** The views in the sidebar of a window, each by the name in its header. */
export interface SessionViewsOf {
  view(name: string): Locator;
  /** Those that fit into the view: no other is drawn. */
  rows(name: string): Locator;
  unfold(name: string): Promise<void>;
  fold(name: string): Promise<void>;
  /** What a screen reader says of the rows that are drawn, from top to bottom. */
  spoken(name: string): Promise<readonly string[]>;
}

export function sessionViewsOf(page: Page): SessionViewsOf {
  const button = (name: string): Locator => page.getByRole('button', { name: new RegExp(`^${name}\\b`) });
  const view = (name: string): Locator => page.locator('.part.sidebar .pane').filter({ has: button(name) });
  const rows = (name: string): Locator => view(name).getByRole('treeitem');
  const setFolded = async (name: string, isFolded: boolean): Promise<void> => {
    const header = page.locator('.pane-header').and(button(name));
    if ((await header.getAttribute('aria-expanded')) === String(isFolded)) {
      await header.click();
    }
  };
  return {
    view,
    rows,
    unfold: name => setFolded(name, false),
    fold: name => setFolded(name, true),
    spoken: async name => {
      const drawn = await rows(name).evaluateAll(all =>
        (all as unknown as readonly Attributed[]).map(row => ({
          place: Number(row.getAttribute('data-index')),
          text: row.getAttribute('aria-label') ?? '',
        })),
      );
      return drawn.toSorted((one, other) => one.place - other.place).map(({ text }) => text);
    },
  };
}

/** The part of an element that is used here; this project does not load the types of browsers. */
interface Attributed {
  getAttribute(name: string): string | null;
}

/** Shows the sidebar. */
export async function openSidebar(page: Page): Promise<void> {
  await page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Context Lifecycle/ })
    .click();
}

/**
 * Presses a button of a row, which is shown only under the mouse. A live session moves its rows: one that went away from under the
 * mouse is followed.
 */
export async function takeFromRow(row: Locator, name: string): Promise<void> {
  const button = row.getByRole('button', { name });
  for (let tries = 1; ; tries++) {
    await row.hover();
    try {
      await button.click({ timeout: 3_000 });
      return;
    } catch (error) {
      if (tries === MOST_TRIES) {
        throw error;
      }
      await row.page().mouse.move(0, 0);
    }
  }
}

const MOST_TRIES = 5;

/** Takes an entry of the menu that is shown. By the keyboard: a menu does not obey a mouse at once. */
export async function takeFromMenu(page: Page, name: string): Promise<void> {
  const item = page.locator('.monaco-menu').getByRole('menuitem', { name, exact: true });
  await item.hover();
  await item.press('Enter');
  await page.locator('.monaco-menu').waitFor({ state: 'detached' });
}

/** Makes the sidebar wider by so many pixels: it then shows reasons whole. */
export async function widenSidebar(page: Page, by: number): Promise<void> {
  const sidebar = await page.locator('.part.sidebar').boundingBox();
  if (sidebar) {
    const border = sidebar.x + sidebar.width;
    await page.mouse.move(border, 400);
    await page.mouse.down();
    await page.mouse.move(border + by, 400, { steps: 10 });
    await page.mouse.up();
  }
}
