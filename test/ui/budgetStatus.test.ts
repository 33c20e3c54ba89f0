import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { openSession } from '../../adapter/openSession.ts';
import type { Session } from '../../adapter/sessionTypes.ts';
import { CONFIG, layerOn, talk, WORDS, words } from '../adapter/budget/budgetLayerKit.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import { user } from '../protocol/lifecycle/lifecycleKit.ts';
import { budgetPageOf } from './budgetPage.ts';
import { openWindow, type Window } from './window.ts';

const home = makeTemporaryFolder('home');
let window: Window;
let session: Session;

before(async () => {
  window = await openWindow({ fixture: 'sample', file: 'AGENTS.md', environment: { CONTEXT_LIFECYCLE_HOME: home } });
  session = await openSession({
    agent: 'test',
    cwd: window.workspace,
    folder: home,
    counter: WORDS,
    config: { countTokens: true, budget: layerOn({ overLimit: 'warn' }) },
  });
});
after(async () => {
  await session?.close();
  await window?.close();
});

const limit = { timeout: 90_000 };

/** A request of about so many words, in a window of 1,000, and its answer. */
async function ask(size: number): Promise<void> {
  const { requestSequence } = await session.buildRequest({ messages: [user(words(size, 'w'))], config: CONFIG });
  session.response(requestSequence, { outcome: 'completed', usage: { input: size, cacheRead: 0 } });
}

function status(): Locator {
  return window.page.locator('#context-lifecycle\\.context-lifecycle\\.contextLifecycle\\.session');
}

const budget = (): FrameLocator => budgetPageOf(window.page);
const classes = async (): Promise<string> => (await status().getAttribute('class')) ?? '';

test('issue 6: the status bar is as ever below the trigger, a warning from it on, and says why', limit, async () => {
  await ask(400);
  await status()
    .filter({ hasText: /0 blocks active, \D?400 tokens/ })
    .waitFor();
  assert.doesNotMatch(await classes(), /warning-kind|error-kind/);
  await ask(750);
  await status().filter({ hasText: '75% of the window: history is compressed when it grows' }).waitFor();
  assert.match(await classes(), /warning-kind/);
  await window.picture('60-budget-status-warning');
});

test('DESIGN, Trust: above the limit it is an error, and one notification says so', limit, async () => {
  const toast = window.page.locator('.notification-toast', { hasText: 'above its limit of 900 tokens; it was sent' });
  await ask(940);
  await ask(950);
  await status().filter({ hasText: '95% of the window: above the limit, and sent all the same' }).waitFor();
  assert.match(await classes(), /error-kind/);
  await toast.waitFor();
  assert.equal(await window.page.locator('.notification-toast').count(), 1);
  await window.picture('61-budget-status-error');
});

test('from its hover the budget opens, and goes on with the session', limit, async () => {
  const { page } = window;
  await status().hover();
  const link = page.locator('.monaco-hover').filter({ visible: true }).getByText('Show Budget');
  await link.waitFor();
  await window.picture('62-budget-hover');
  await link.click();
  await budget()
    .getByRole('heading', { name: /^Budget of test/ })
    .waitFor();
  await budget().getByRole('heading', { name: 'Request 4' }).waitFor();
  await ask(420);
  await budget().getByRole('heading', { name: 'Request 5' }).waitFor();
  await status()
    .filter({ hasText: /0 blocks active, \D?420 tokens/ })
    .waitFor();
  assert.doesNotMatch(await classes(), /warning-kind|error-kind/);
  await window.picture('63-budget-live');
});

test(
  'tiers 5: below the request stands what a compression now would free and cost, in every theme',
  limit,
  async () => {
    const { page } = window;
    const line = budget().getByText('A compression now would ');
    await line.filter({ hasText: 'change nothing' }).waitFor();
    const { requestSequence } = await session.buildRequest({ messages: talk(41, 13), config: CONFIG });
    session.response(requestSequence, { outcome: 'completed', usage: { input: 41 * 13, cacheRead: 0 } });
    await line
      .filter({ hasText: /free \D?\d+ tokens and rewrite \D?\d+ of the provider's cache: it pays back/ })
      .waitFor();
    const size = page.viewportSize() ?? { width: 1280, height: 800 };
    await page.setViewportSize({ width: 1400, height: 1000 });
    for (const theme of ['dark', 'contrast', 'lightContrast', 'light'] as const) {
      await window.setTheme(theme);
      await window.picture(`64-budget-what-if-${theme}`);
    }
    await page.setViewportSize(size);
  },
);
