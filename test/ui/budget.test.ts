import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { longBudgetLog } from '../client/budget/longBudgetLog.ts';
import { measured, measuredRequests } from '../client/budget/measured.ts';
import { request } from '../client/views/kit.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import { logOf, opened } from '../protocol/log/sessions.ts';
import { budgetPageOf, openPastLog, writePastLog } from './budgetPage.ts';
import { runByKeys } from './keys.ts';
import { openSidebar, sessionViewsOf } from './sessionViews.ts';
import { openWindow, type Window } from './window.ts';

const home = makeTemporaryFolder('home');
/** Together a million tokens. */
const REQUESTS = 1_000;
const TOKENS = 1_000;
let window: Window;

before(async () => {
  process.env['CONTEXT_LIFECYCLE_HOME'] = home;
  window = await openWindow({ fixture: 'ui', file: 'AGENTS.md' });
  await openSidebar(window.page);
});
after(() => window?.close());

/** The first test makes the session, of which a machine that is busy with others takes its time. */
const limit = { timeout: 480_000 };

const budget = (): FrameLocator => budgetPageOf(window.page);
const rows = (name: string): Locator => sessionViewsOf(window.page).rows(name);

async function openLog(id: string, events: readonly LogEvent[]): Promise<void> {
  writePastLog(home, id, events);
  await openPastLog(window.page, id);
  await rows('Requests').filter({ hasText: 'Request' }).first().waitFor();
}

async function pictures(name: string): Promise<void> {
  for (const theme of ['dark', 'contrast', 'lightContrast', 'light'] as const) {
    await window.setTheme(theme);
    await window.picture(`${name}-${theme}`);
  }
}

test('issue 6: the budget of a million tokens is drawn, and walked by keyboard alone', limit, async () => {
  const { page } = window;
  await openLog('million', longBudgetLog(REQUESTS, TOKENS));
  await runByKeys(page, 'Context Lifecycle: Show Budget');
  await budget().getByRole('heading', { name: 'Budget of demo · to-do' }).waitFor();
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 1400, height: 1000 });
  await pictures('50-budget');
  await page.setViewportSize(size);
  const focused = budget().locator(':focus');
  const says = async (): Promise<string> => (await focused.getAttribute('aria-label')) ?? '';
  await budget().locator('body').press('Tab');
  assert.equal(await focused.innerText(), 'Show as Table');
  await page.keyboard.press('Tab');
  assert.match(await says(), /^Request 1000: [\d,]+ tokens, \d+% of the window; \d+% of the input from the cache\.$/);
  await page.keyboard.press('Home');
  assert.match(await says(), /^Request 1: /);
  await page.keyboard.press('ArrowRight');
  assert.match(await says(), /^Request 2: /);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.match(await says(), /^Request 1: /);
  await page.keyboard.press('End');
  await page.keyboard.press('PageUp');
  assert.match(await says(), /^Request 900: /);
  await window.picture('51-budget-keys');
  await page.keyboard.press('Enter');
  await page.locator('.tab.active', { hasText: 'Request 900.txt' }).waitFor();
  await page
    .locator('.view-line', { hasText: /^config/ })
    .first()
    .waitFor();
});

test(
  'the same as a table, whose rows open requests; what was chosen stays when the tab was hidden',
  limit,
  async () => {
    const { page } = window;
    await page.locator('.tab', { hasText: 'Budget' }).click();
    await budget().getByRole('button', { name: 'Show as Table' }).click();
    const table = budget().getByRole('table').last();
    await table.getByRole('row').nth(1).getByText('1000').first().waitFor();
    assert.equal(await table.getByRole('row').count(), REQUESTS + 1);
    await pictures('52-budget-table');
    await page.locator('.tab', { hasText: 'Request 900.txt' }).click();
    await page.locator('.tab', { hasText: 'Budget' }).click();
    await budget().getByRole('button', { name: 'Show as Chart' }).waitFor();
    await budget().getByRole('button', { name: '999', exact: true }).click();
    await page.locator('.tab.active', { hasText: 'Request 999.txt' }).waitFor();
  },
);

test('the usage report is a document in the form of seed 3', limit, async () => {
  const { page } = window;
  await runByKeys(page, 'Context Lifecycle: Show Usage Report');
  await page.locator('.tab.active', { hasText: 'Usage Report.txt' }).waitFor();
  await page.locator('.view-line', { hasText: 'Context Usage Report:' }).waitFor();
  await page.locator('.view-line', { hasText: 'Compressions performed: ' }).waitFor();
  await window.picture('53-usage-report');
});

test('what the views show of then, the budget shows of then, and leads back', limit, async () => {
  const { page } = window;
  await page.locator('.tab', { hasText: 'Budget' }).click();
  await budget().getByRole('button', { name: 'Show as Chart' }).waitFor();
  await window.run('Context Lifecycle: Show State at Request…', 'Request 999');
  await budget().getByText('This is how the session was when request 999 had been sealed').waitFor();
  await window.picture('54-budget-then');
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 760, height: 900 });
  await budget().getByRole('button', { name: 'Show as Chart' }).click();
  await window.picture('54-budget-narrow');
  await page.setViewportSize(size);
  await budget().getByRole('button', { name: 'Back to now' }).click();
  await budget().getByText('Not live: past session.').waitFor();
  await closeSession();
});

async function closeSession(): Promise<void> {
  await window.run('View: Close All Editors');
  await window.run('Context Lifecycle: Remove Session from the Sidebar');
}

test('one request is a chart, and so are 10,000', limit, async () => {
  await openLog('one', logOf([opened, ...measuredRequests([310])]));
  await window.run('Context Lifecycle: Show Budget');
  await budget().getByText('Not drawn, for they lie far above').or(budget().getByText('Limit 900')).first().waitFor();
  await window.picture('55-budget-1');
  await closeSession();
  const totals = Array.from({ length: 10_000 }, (_, index) => 200 + ((index * 7) % 1_900) / 4);
  await openLog('many', logOf([opened, ...measuredRequests(totals.map(Math.floor))]));
  await window.run('Context Lifecycle: Show Budget');
  await budget().getByText('Requests, 10 in each column').waitFor();
  assert.equal(await budget().locator('rect.column').count(), 1_000);
  await window.picture('56-budget-10000');
  await closeSession();
});

test('a request above its limit is an error in words, and cannot be opened', limit, async () => {
  const events = [...measuredRequests([400, 650, 710]), measured(4, 940, { gate: 'blocked', flags: ['over-limit'] })];
  await openLog('blocked', logOf([opened, ...events]));
  await window.run('Context Lifecycle: Show Budget');
  await budget().getByText('94% of the window: above the limit, so request 4 was not sent.').waitFor();
  await pictures('57-budget-blocked');
  assert.equal(await budget().locator('rect.column').last().getAttribute('role'), 'img');
  const { fold, unfold } = sessionViewsOf(window.page);
  // A row that does not fit into its view is not drawn.
  for (const view of ['Blocks', 'Requests', 'Declared Blocks']) {
    await fold(view);
  }
  await unfold('Session');
  const row = rows('Session').filter({ hasText: '94% of 1,000' });
  await row.waitFor();
  await window.picture('58-budget-row');
  await row.click();
  await window.page.locator('.tab.active', { hasText: 'Budget' }).waitFor();
  await fold('Session');
  for (const view of ['Blocks', 'Requests']) {
    await unfold(view);
  }
  await closeSession();
});

test('a session without the layer says so, and how to turn it on', limit, async () => {
  await openLog('off', logOf([opened, ...request(1, 1)]));
  await window.run('Context Lifecycle: Show Budget');
  await budget().getByText('The budget layer is off in this session').waitFor();
  await budget().getByText(`write "budget": {"enabled": true} into ${home}/config.json`).waitFor();
  await window.picture('59-budget-off');
  await window.run('Context Lifecycle: Show Usage Report');
  await window.page.locator('.view-line', { hasText: 'The budget layer is off in this session' }).waitFor();
});
