import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { PROJECT_FILES } from '../../adapter/demo/demoFiles.ts';
import { inRepository } from '../../scripts/build/paths.ts';
import { type ProcessGroup, startGroup } from '../host/processGroup.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import { untilShown } from './keys.ts';
import { openSidebar, sessionViewsOf, takeFromMenu, takeFromRow } from './sessionViews.ts';
import { openWindow, type Window } from './window.ts';

const home = makeTemporaryFolder('home');
const record = makeTemporaryFolder('record');
let window: Window;
let agent: ProcessGroup | undefined;

before(async () => {
  process.env['CONTEXT_LIFECYCLE_HOME'] = home;
  window = await openWindow({ fixture: 'ui', file: 'AGENTS.md' });
  window.page.setDefaultTimeout(15_000);
  await openSidebar(window.page);
});
after(async () => {
  await agent?.stop();
  await window?.close();
});

const limit = { timeout: 120_000 };

const view = (name: string): Locator => sessionViewsOf(window.page).view(name);
const rows = (name: string): Locator => sessionViewsOf(window.page).rows(name);
const unfold = (name: string): Promise<void> => sessionViewsOf(window.page).unfold(name);
const fold = (name: string): Promise<void> => sessionViewsOf(window.page).fold(name);

/** An agent that works in the workspace, started as a person would in a terminal. */
function startAgent(): ProcessGroup {
  const cwd = join(window.workspace, 'service');
  for (const [file, text] of Object.entries(PROJECT_FILES)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const args = [inRepository('dist/cli.js'), 'demo', '--keep-open', '--pace', '20', '--record', record];
  return startGroup(process.execPath, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Body of the last request as the model received it. */
function lastBody(): { readonly number: number; readonly text: string } {
  const number = readdirSync(record).length;
  return { number, text: number === 0 ? '' : readFileSync(join(record, `${number}.json`), 'utf8') };
}

test('before any session was seen, the sidebar says how to get one, and has no empty view', limit, async () => {
  await view('Blocks').getByText('No agent session was seen yet.').waitFor();
  assert.equal(await view('Requests').count(), 0);
  await window.picture('31-panel-never');
});

test('a session shows itself without a click: what is active, what was discarded and by whom', limit, async () => {
  agent = startAgent();
  await rows('Blocks').filter({ hasText: 'house-rules' }).first().waitFor({ timeout: 60_000 });
  await rows('Requests').filter({ hasText: 'Request 11' }).waitFor({ timeout: 60_000 });
  const planning = rows('Blocks').filter({ hasText: 'planning' });
  await planning.filter({ hasText: 'by start-coding.prompt.md' }).waitFor();
  assert.match(
    (await planning.getAttribute('aria-label')) ?? '',
    /^Block planning was discarded by \.github\/prompts\/start-coding\.prompt\.md:9 \(workflow of the agent\): it is absent from request 3 on\./,
  );
  await rows('Blocks')
    .filter({ hasText: 'house-rules' })
    .filter({ hasText: /AGENTS\.md:12 · [~≈]?\d+ tokens · since request 1/ })
    .first()
    .waitFor();
  for (const theme of ['dark', 'contrast', 'light'] as const) {
    await window.setTheme(theme);
    await window.picture(`32-panel-${theme}`);
  }
});

test('a click on a block opens its source line', limit, async () => {
  const { page } = window;
  await rows('Blocks').filter({ hasText: 'http-api_error-style' }).click();
  await page.locator('.tab.active', { hasText: 'api.context.md' }).waitFor();
  await page.locator('.statusbar-item', { hasText: /^Ln 14, Col 1/ }).waitFor();
});

test(
  "the exact request opens as a document that names its blocks, and two are compared in the editor's diff",
  limit,
  async () => {
    const { page } = window;
    const request = rows('Requests').filter({ hasText: 'Request' }).first();
    await request.click();
    await page.locator('.tab.active', { hasText: /Request \d+\.txt/ }).waitFor();
    await page
      .locator('.view-line', { hasText: /^config/ })
      .first()
      .waitFor();
    await window.picture('33-request');
    await takeFromRow(request, 'Compare with Request Before');
    await page.locator('.tab.active', { hasText: '↔' }).waitFor();
    await page.locator('.monaco-diff-editor').waitFor();
    await window.picture('34-compare');
  },
);

test('any two requests that are selected are compared', limit, async () => {
  const { page } = window;
  const [one, other] = [/^Request 11\D/, /^Request 9\D/].map(name => rows('Requests').filter({ hasText: name }));
  assert.ok(one && other);
  // The agent goes on, and rows that do not fit into their view are not drawn.
  for (const name of ['Blocks', 'Declared Blocks']) {
    await fold(name);
  }
  // a row may move away from under the pointer, and then the menu is that of its neighbour
  await untilShown(page.locator('.tab.active', { hasText: 'Request 9 ↔ 11 of demo' }), async () => {
    await page.keyboard.press('Escape');
    await one.click();
    await other.click({ modifiers: ['Control'] });
    await other.click({ button: 'right' });
    await takeFromMenu(page, 'Compare Requests…');
  });
  for (const name of ['Blocks', 'Declared Blocks']) {
    await unfold(name);
  }
});

test('a block is shown at its line of the last request', limit, async () => {
  const { page } = window;
  const block = rows('Blocks').filter({ hasText: 'house-rules' }).first();
  await takeFromRow(block, 'Show in Request');
  await page.locator('.tab.active', { hasText: /Request \d+\.txt/ }).waitFor();
  await page.locator('.codelens-decoration', { hasText: 'Block house-rules from AGENTS.md:12' }).first().waitFor();
  await window.picture('35-block-in-request');
});

test('a discard by click says its price first, and the block is gone from the next request', limit, async () => {
  const { page } = window;
  assert.match(lastBody().text, /BLOCK_ID:http-api_error-style/);
  const block = rows('Blocks').filter({ hasText: 'http-api_error-style' });
  await takeFromRow(block, 'Discard Block…');
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.waitFor();
  const words = await dialog.innerText();
  assert.match(words, /Discard block http-api_error-style\?/);
  assert.match(words, /It frees [~≈]?\d+ tokens? of each later request\./);
  assert.match(words, /The first part of the request that changes is prefix, number 2, from byte [\d,]+ on\./);
  assert.match(words, /It pays back after \d+ requests?\./);
  await window.picture('36-discard');
  await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
  await block.filter({ hasText: 'by an editor' }).waitFor();
  const { number } = lastBody();
  await rows('Requests')
    .filter({ hasText: `Request ${number + 2}` })
    .waitFor({ timeout: 60_000 });
  assert.doesNotMatch(lastBody().text, /BLOCK_ID:http-api_error-style/);
  assert.match(lastBody().text, /BLOCK_ID:http-api-->/);
  await unfold('Audit');
  await rows('Audit').filter({ hasText: 'Discarded: http-api_error-style' }).filter({ hasText: 'by editor' }).waitFor();
});

test('the audit is narrowed to what was denied, and an entry leads to its place', limit, async () => {
  const { page } = window;
  await window.run('Context Lifecycle: Filter Audit…', 'DENIED discard: …');
  await rows('Audit').filter({ hasText: 'DENIED discard: house-rules' }).waitFor();
  assert.equal(await rows('Audit').count(), 1);
  await view('Audit').getByText('Only: DENIED discard: …').waitFor();
  await window.picture('37-audit');
  await rows('Audit').first().click();
  await page.locator('.tab.active', { hasText: 'Request 8.txt' }).waitFor();
  await window.run('Context Lifecycle: Clear Audit Filter');
  await rows('Audit').filter({ hasText: 'Consumed' }).first().waitFor();
});

test('what is ephemeral is shown on its way, and what the policy allows in words', limit, async () => {
  await unfold('Ephemeral Messages');
  await rows('Ephemeral Messages').filter({ hasText: 'Consumed' }).filter({ hasText: /freed/ }).first().waitFor();
  // Rows that do not fit into their view are not drawn.
  for (const name of ['Blocks', 'Requests', 'Ephemeral Messages', 'Audit', 'Declared Blocks']) {
    await fold(name);
  }
  await unfold('Session');
  const policy = rows('Session').filter({ hasText: 'Policy' });
  await policy.click();
  await rows('Session').filter({ hasText: 'may define blocks' }).waitFor();
  await window.picture('38-session');
  await fold('Session');
  await unfold('Blocks');
  await unfold('Requests');
});

test('editor-bugs 64: what was folded stays folded while the agent goes on', limit, async () => {
  const active = rows('Blocks').filter({ hasText: /^Active/ });
  await active.click();
  await rows('Blocks')
    .filter({ hasText: 'house-rules' })
    .filter({ hasText: 'since request' })
    .waitFor({ state: 'detached' });
  const { number } = lastBody();
  await rows('Requests')
    .filter({ hasText: `Request ${number + 2}` })
    .waitFor({ timeout: 60_000 });
  assert.equal(await active.getAttribute('aria-expanded'), 'false');
  await active.click();
});

test(
  'when the agent ends, its last state stays and says since when, and its requests are read from its log',
  limit,
  async () => {
    const { page } = window;
    await window.run('View: Close All Editors');
    await agent?.stop();
    await view('Blocks')
      .getByText(/^Disconnected since/)
      .waitFor({ timeout: 60_000 });
    await rows('Blocks').filter({ hasText: 'house-rules' }).first().waitFor();
    await window.picture('39-panel-over');
    await rows('Requests').filter({ hasText: 'Request' }).first().click();
    await page.locator('.tab.active', { hasText: /Request \d+\.txt/ }).waitFor();
    await page
      .locator('.view-line', { hasText: /^config/ })
      .first()
      .waitFor();
  },
);
