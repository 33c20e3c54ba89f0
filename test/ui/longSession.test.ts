import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { createLog } from '../../local/openLog.ts';
import type { NewEvent } from '../../protocol/log/sessionEvents.ts';
import { AGENTS, activated, denied, ephemeral, request } from '../client/views/kit.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import { logOf, opened } from '../protocol/log/sessions.ts';
import { openSidebar, sessionViewsOf, widenSidebar } from './sessionViews.ts';
import { openWindow, type Window } from './window.ts';

const home = makeTemporaryFolder('home');
const BLOCKS = 1_000;
const REQUESTS = 10_000;
let window: Window;

before(async () => {
  process.env['CONTEXT_LIFECYCLE_HOME'] = home;
  window = await openWindow({ fixture: 'ui', file: 'AGENTS.md' });
  await openSidebar(window.page);
});
after(() => window?.close());

const limit = { timeout: 120_000 };

const view = (name: string): Locator => sessionViewsOf(window.page).view(name);
const rows = (name: string): Locator => sessionViewsOf(window.page).rows(name);

/** A log of the past with these events, as the only one that there is to open. */
function writeLog(id: string, events: readonly NewEvent[]): void {
  const header = { version: 1, id, agent: 'demo', cwd: '/work/to-do', created: 1_700_000_000_000 };
  const writer = createLog({ folder: `${home}/sessions`, name: id, header, events: logOf([opened, ...events]) });
  writer.close();
}

async function openLog(id: string): Promise<void> {
  await window.page.keyboard.press('F1');
  const list = window.page.locator('.quick-input-widget').filter({ visible: true });
  await list.locator('input').first().fill('>Context Lifecycle: Open Session Log…');
  await list.locator('.monaco-list-row').first().click();
  await list.locator('.monaco-list-row', { hasText: id }).first().click();
  await list.waitFor({ state: 'hidden' });
}

/** Every view at once, in each kind of theme. */
async function pictures(name: string): Promise<void> {
  const { page } = window;
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  const { fold, unfold } = sessionViewsOf(page);
  await page.setViewportSize({ ...size, height: 1300 });
  await fold('Declared Blocks');
  for (const each of ['Ephemeral Messages', 'Audit', 'Session']) {
    await unfold(each);
  }
  await rows('Session').filter({ hasText: 'Policy' }).waitFor();
  for (const theme of ['dark', 'contrast', 'light'] as const) {
    await window.setTheme(theme);
    await window.picture(`${name}-${theme}`);
  }
  for (const each of ['Ephemeral Messages', 'Audit', 'Session']) {
    await fold(each);
  }
  await page.setViewportSize(size);
}

test('a session without anything says so in each view', limit, async () => {
  writeLog('empty', []);
  await openLog('empty');
  for (const name of ['Blocks', 'Requests']) {
    await view(name).getByText('The session held nothing of this kind').waitFor();
  }
  await pictures('41-panel-0');
  await window.run('Context Lifecycle: Remove Session from the Sidebar');
  await view('Blocks').getByText('No session is shown any more.').waitFor();
  await window.picture('42-panel-none');
});

test('a session with one block shows it in each view', limit, async () => {
  writeLog('one', [activated('house-rules'), ephemeral('admitted', 0, 1), ...request(1, 3)]);
  await openLog('one');
  await rows('Blocks').filter({ hasText: 'house-rules' }).waitFor();
  await pictures('42-panel-1');
  assert.equal(await rows('Requests').count(), 1);
  await window.run('Context Lifecycle: Remove Session from the Sidebar');
  await view('Blocks').getByText('No session is shown any more.').waitFor();
});

/** As adapters say it. */
const EVIDENCE = {
  matched: '3 blocks and 1 tombstone seen in the body',
  'not-reported': 'the provider does not say what it sent',
  quoted: '3 blocks seen in the body; discarded, but quoted in an ordinary message: planning',
  mismatch: '2 blocks seen in the body; the text of block house-rules is missing',
} as const;

/** The part of a window that is used here; this project does not load the types of browsers. */
interface Page {
  getComputedStyle(element: unknown): { readonly color: string };
}

test(
  'what left of each request is told by icon, colour and words: a mismatch is red and comes first',
  limit,
  async () => {
    const results = ['matched', 'not-reported', 'quoted', 'mismatch'] as const;
    writeLog(
      'receipts',
      results.flatMap((result, index) =>
        request(index + 1, 1 + index * 6).map(event =>
          event.type === 'request/receipt'
            ? { ...event, data: { ...event.data, result, evidence: EVIDENCE[result] } }
            : event,
        ),
      ),
    );
    await openLog('receipts');
    const row = (number: number) => rows('Requests').filter({ hasText: `Request ${number}` });
    await row(4).filter({ hasText: 'MISMATCH: what left is not what was sealed' }).waitFor();
    await widenSidebar(window.page, 400);
    const icons = ['pass', 'circle-outline', 'quote', 'error'];
    for (const theme of ['dark', 'contrast', 'light'] as const) {
      await window.setTheme(theme);
      const reds: boolean[] = [];
      for (const [index, icon] of icons.entries()) {
        const drawn = row(index + 1).locator(`.codicon-${icon}`);
        const colour = await drawn.evaluate(each => (globalThis as unknown as Page).getComputedStyle(each).color);
        const [red = 0, green = 0, blue = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
        reds.push(red > 1.5 * green && red > 1.5 * blue);
      }
      assert.deepEqual(reds, [false, false, false, true], theme);
      await window.picture(`44-receipts-${theme}`);
    }
    await row(4).locator('.monaco-tl-twistie').click();
    await rows('Requests').filter({ hasText: EVIDENCE.mismatch }).waitFor();
    await window.picture('45-mismatch');
    await window.run('Context Lifecycle: Remove Session from the Sidebar');
    await view('Blocks').getByText('No session is shown any more.').waitFor();
  },
);

test('1,000 blocks and 10,000 requests come in pages, and the list is walked by keyboard alone', limit, async () => {
  const { page } = window;
  const blocks = Array.from({ length: BLOCKS }, (_, index) => activated(`block-${index}`, 1, AGENTS, 1 + index * 7));
  const requests = Array.from({ length: REQUESTS }, (_, index) => request(index + 1, BLOCKS + 1 + index * 6)).flat();
  writeLog('long', [...blocks, ...requests, denied]);
  await openLog('long');
  await rows('Blocks').filter({ hasText: '1,000 blocks' }).waitFor({ timeout: 60_000 });
  await rows('Requests').filter({ hasText: 'Request 10000' }).waitFor();
  await pictures('43-panel-1000');
  await rows('Requests').filter({ hasText: 'Request 9999' }).click();
  await page.keyboard.press('End');
  const more = rows('Requests').filter({ hasText: 'Show more' });
  await more.filter({ hasText: '9,800 left' }).waitFor();
  await page.keyboard.press('Enter');
  await rows('Requests').filter({ hasText: 'Request 9800' }).waitFor();
  await page.keyboard.press('End');
  await more.filter({ hasText: '9,600 left' }).waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await rows('Requests').filter({ hasText: /^Size/ }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await rows('Requests').filter({ hasText: /^Size/ }).waitFor({ state: 'detached' });
  assert.match((await rows('Requests').first().getAttribute('aria-label')) ?? '', /^Request 10000\. /);
});
