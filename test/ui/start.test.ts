import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { packExtension } from '../../scripts/package/extension.ts';
import { startDemoSession } from '../../scripts/start/demoSession.ts';
import { type Hosted, serveHosted } from '../../scripts/start/hosted.ts';
import { copySample } from '../../scripts/start/sample.ts';
import { openBrowser } from '../host/chromium.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import { goTo } from './window.ts';

let hosted: Hosted;
let browser: Browser;
let page: Page;
before(async () => {
  const sample = copySample();
  startDemoSession(sample);
  hosted = await serveHosted(await packExtension(makeTemporaryFolder('package')), sample);
  const opened = await openBrowser();
  browser = opened.browser;
  page = await opened.context.newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(hosted.address);
});
after(async () => {
  await browser?.close();
  await hosted?.server.stop();
});

test('npm start: the README is shown, and its links open files with their tags', { timeout: 120_000 }, async () => {
  const readme = page.frameLocator('iframe.webview').frameLocator('iframe#active-frame');
  await readme.getByRole('link', { name: 'start-coding.prompt.md' }).click({ timeout: 90_000 });
  await page.locator('.view-line', { hasText: '<!--DISCARD_BLOCK:planning-->' }).waitFor();
});

test('npm start: the sidebar shows the demo session without a click', { timeout: 120_000 }, async () => {
  const rows = page.locator('.part.sidebar').getByRole('treeitem');
  await rows
    .filter({ hasText: /house-rules/ })
    .first()
    .waitFor({ timeout: 60_000 });
  await page.locator('.statusbar-item', { hasText: /blocks active/ }).waitFor();
});

test('npm start: a definition opens the file as the folder has it, no second copy of it', {
  timeout: 60_000,
}, async () => {
  await page.locator('.monaco-editor .view-lines').first().click();
  await goTo(page, 9, 20);
  const target = page.locator('.statusbar-item', { hasText: /^Ln 21, / });
  // the server may be starting still
  while (!(await target.count())) {
    await page.keyboard.press('F12');
    await target.waitFor({ timeout: 3000 }).catch(() => undefined);
  }
  const path = await page.locator('.monaco-breadcrumbs .monaco-breadcrumb-item').first().innerText();
  assert.equal(path.trim(), 'AGENTS.md');
});
