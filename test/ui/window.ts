import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { repository } from '../../scripts/build/paths.ts';
import { packExtension } from '../../scripts/package/extension.ts';
import { openBrowser } from '../host/chromium.ts';
import { ensureHost } from '../host/install.ts';
import { makeProfile, makeTemporaryFolder, type Profile, writeSettings } from '../host/profile.ts';
import { installExtension, type Server, startServer } from '../host/server.ts';
import { openWorkbench } from '../host/workbench.ts';

const pictures = join(repository, '.cache/screenshots');

/** Each kind of theme: its name in the picker, and the class that the window then has. */
const themes = {
  light: { name: 'Light Modern', mark: 'vs' },
  dark: { name: 'Dark Modern', mark: 'vs-dark' },
  contrast: { name: 'Dark High Contrast', mark: 'hc-black' },
  lightContrast: { name: 'Light High Contrast', mark: 'hc-light' },
} as const;

type Theme = keyof typeof themes;

/** A VS Code window with the packed extension installed, on a copy of the fixture. */
export interface Window {
  readonly page: Page;
  readonly profile: Profile;
  readonly server: Server;
  readonly workspace: string;
  /** Colours of the whole window; returns when they are drawn. */
  setTheme(theme: Theme): Promise<void>;
  /** Opens a file of the workspace by its name. */
  openFile(name: string): Promise<void>;
  /** Runs a command by its title in the palette; `choice` answers the list that the command shows. */
  run(title: string, choice?: string): Promise<void>;
  picture(name: string): Promise<void>;
  close(): Promise<void>;
}

export interface WindowOptions {
  /** A folder of test/fixtures to work on, or `sample` for the sample project. */
  readonly fixture: string;
  readonly file: string;
  /** Asks for trust, as VS Code does by default. */
  readonly trust?: boolean;
  /** Added to the environment of the extensions. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Packs dist/ as it is, installs it and opens a window. */
export async function openWindow(options: WindowOptions): Promise<Window> {
  ensureHost();
  mkdirSync(pictures, { recursive: true });
  const workspace = join(makeTemporaryFolder('ui'), 'project');
  const original = options.fixture === 'sample' ? 'sample' : join('test/fixtures', options.fixture);
  cpSync(join(repository, original), workspace, { recursive: true });
  const profile = makeProfile();
  writeSettings(profile, {
    'workbench.colorTheme': themes.light.name,
    // a picture must not catch a popup half faded in
    'workbench.reduceMotion': 'on',
    'editor.minimap.enabled': false,
  });
  await installExtension(profile, await packExtension(makeTemporaryFolder('package')));
  const server = await startServer(profile, {
    trust: options.trust ?? false,
    ...(options.environment && { environment: options.environment }),
  });
  const { browser, context } = await openBrowser();
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  await openWorkbench(page, server, { workspace, file: join(workspace, options.file) });
  await page.locator('.monaco-editor .view-lines').first().waitFor({ timeout: 90_000 });
  // The window comes up before it has read what extensions contribute.
  await page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Context Lifecycle/ })
    .waitFor();
  return {
    page,
    profile,
    server,
    workspace,
    async setTheme(theme) {
      const { name, mark } = themes[theme];
      await choose(page, ['>Preferences: Color Theme', name]);
      await page.locator(`.monaco-workbench.${mark}`).waitFor();
    },
    async openFile(name) {
      await choose(page, [name]);
      await page.locator('.tab.active', { hasText: name }).waitFor();
    },
    run: (title, choice) => choose(page, choice ? [`>${title}`, choice] : [`>${title}`]),
    async picture(name) {
      await page.screenshot({ path: join(pictures, `${name}.png`) });
    },
    async close() {
      await browser.close();
      await server.stop();
    },
  };
}

/** Types each text into the list that is shown then, and takes the row of exactly that name. */
async function choose(page: Page, texts: readonly string[]): Promise<void> {
  const list = page.locator('.quick-input-widget').filter({ visible: true });
  await page.keyboard.press('F1');
  for (const text of texts) {
    await list.waitFor();
    await list.locator('input').first().fill(text);
    await list.locator('.monaco-list-row').getByText(text.replace('>', ''), { exact: true }).first().click();
  }
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

/** Puts the cursor at a place of the active editor, both from 1. */
export async function goTo(page: Page, line: number, column: number): Promise<void> {
  await page.keyboard.press('Control+G');
  const input = page.locator('.quick-input-widget input').first();
  await input.waitFor();
  await input.fill(`:${line}:${column}`);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}

/** Moves the mouse over a place until the hover is there: squiggles are drawn anew at times, and a hover needs real moves. */
export async function hoverOver(page: Page, target: Locator, hover: Locator): Promise<void> {
  for (let attempt = 1; !(await hover.count()); attempt++) {
    const box = await target.boundingBox();
    if (box) {
      await page.mouse.move(box.x + box.width + 200, box.y + 200);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
    }
    try {
      await hover.waitFor({ timeout: 3000 });
    } catch (error) {
      if (attempt === 10) throw error;
    }
  }
}
