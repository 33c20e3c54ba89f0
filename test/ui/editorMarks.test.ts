import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { tagLine } from '../../protocol/lifecycle/declaration.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import { type DemoAgent, SCRIPTED_REQUESTS, startDemoAgent } from './demoAgent.ts';
import { hoverOver, openWindow, type Window } from './window.ts';

const home = makeTemporaryFolder('home');
let window: Window;
let agent: DemoAgent | undefined;
before(async () => {
  const environment = { CONTEXT_LIFECYCLE_HOME: home };
  window = await openWindow({ fixture: 'sample', file: 'AGENTS.md', environment });
});
after(async () => {
  await window?.close();
  await agent?.stop();
});

const limit = { timeout: 90_000 };
const deadlineMilliseconds = 20_000;
/** Styles tell nobody when they change. */
const lookMilliseconds = 50;

test('the walkthrough ends with a session, and its last step is done when one is connected', limit, async () => {
  const { page } = window;
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  // a narrow window has no room for the steps' pictures
  await page.setViewportSize({ width: 1700, height: 900 });
  await window.run('Welcome: Open Walkthrough...', 'Write Your First Block');
  const step = page.locator('.getting-started-step', { hasText: 'Connect a session' });
  await step.click();
  await page.getByRole('button', { name: 'Start Demo Session', exact: true }).waitFor();
  await page.locator('.getting-started-media').filter({ visible: true }).waitFor();
  await step.locator('.codicon-getting-started-step-unchecked').waitFor();
  agent = startDemoAgent(window.workspace, home);
  await step.locator('.codicon-getting-started-step-checked').waitFor();
  await window.picture('24-walkthrough-session');
  await page.setViewportSize({ width, height });
  await window.openFile('AGENTS.md');
  await agent.untilRequest(SCRIPTED_REQUESTS);
});

test(
  'tag lines are marked at their ends, in the gutter and beside the scroll bar, in all kinds of theme',
  limit,
  async () => {
    const { page } = window;
    const [first, second] = await untilEndsOfLines(
      ends => ends.length === 2 && ends.every(end => !end.includes('bytes')),
    );
    assert.match(first ?? '', /^active since request 1 · [~≈]?\d+ tokens$/);
    assert.match(second ?? '', /^discarded by start-coding\.prompt\.md:9 at request 3$/);
    const icons = await page
      .locator('.editor-instance .glyph-margin-widgets .cgmr')
      .evaluateAll(all => all.map(each => (globalThis as unknown as Page).getComputedStyle(each).backgroundImage));
    assert.deepEqual(
      icons.map(icon => /marks\/(\w+)\.light\.svg/.exec(decodeURIComponent(icon))?.[1]),
      ['active', 'discarded'],
    );
    for (const theme of ['dark', 'contrast', 'light'] as const) {
      await window.setTheme(theme);
      await window.picture(`25-marks-${theme}`);
    }
  },
);

test(
  'the hover says what the session has made of the line, and its link shows the block in the exact request',
  limit,
  async () => {
    const { page } = window;
    const hover = page.locator('.monaco-hover', { hasText: 'it is part of every request since request 1' }).first();
    await hoverOver(page, page.locator('.view-line span', { hasText: 'house-rules' }).first(), hover);
    await window.picture('26-marks-hover');
    assert.match(await hover.innerText(), /In the connected session of demo:/);
    await hover.getByText('Show in Request').click();
    await page.locator('.tab.active', { hasText: /request/i }).waitFor();
    await window.picture('27-marks-request');
  },
);

test('a changed block says so, and its link shows the change', limit, async () => {
  const { page } = window;
  await window.openFile('AGENTS.md');
  await page.locator('.editor-instance .view-line', { hasText: 'Every route has a test' }).click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Always.');
  await untilEndsOfLines(ends => ends[0]?.includes('changed since it was loaded') ?? false);
  const hover = page.locator('.monaco-hover', { hasText: 'the session keeps the text that it loaded' }).first();
  await hoverOver(page, page.locator('.view-line span', { hasText: 'house-rules' }).first(), hover);
  await hover.getByText('Compare with the Active Text').click();
  await page.locator('.tab.active', { hasText: 'house-rules: as loaded' }).waitFor();
  await page.locator('.modified .char-insert', { hasText: '' }).first().waitFor();
  await window.picture('28-marks-diff');
  await window.run('View: Close Editor');
  await window.openFile('AGENTS.md');
  await window.run('File: Revert File');
  await untilEndsOfLines(ends => ends.every(end => !end.includes('changed')));
});

test('what another program changes on disk is seen in the editor and in the list of blocks', limit, async () => {
  const { page } = window;
  const file = join(window.workspace, 'api.context.md');
  await window.openFile('api.context.md');
  await untilEndsOfLines(ends => ends[0]?.startsWith('active since request 1') ?? false);
  await page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Context Lifecycle/ })
    .click();
  const rows = page.locator('.part.sidebar').getByRole('treeitem', { name: /^Block http-api/ });
  await rows.nth(1).waitFor();
  const changed = rows.filter({ hasText: 'file has changed' });
  assert.equal(await changed.count(), 0);
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    `${text.replace(openingOf('http-api'), '$&Another line.\n')}\n${openingOf('late')}Late.\n${closingOf('late')}`,
  );
  await untilEndsOfLines(ends => ends.at(-1) === 'not loaded by this session' && /changed/.test(ends[0] ?? ''));
  await changed.waitFor();
  assert.equal(await changed.locator('.label-name').innerText(), 'http-api');
  await window.picture('30-marks-disk');
  writeFileSync(file, text);
  await changed.waitFor({ state: 'detached' });
});

function openingOf(id: string): string {
  return `${tagLine('opening', id)}\n`;
}

function closingOf(id: string): string {
  return `${tagLine('closing', id)}\n`;
}

/** What stands behind the text of lines, from top to bottom: a style's content, which no text of the page holds. */
async function endsOfLines(): Promise<readonly string[]> {
  const lines = await window.page.locator('.editor-instance .view-line').evaluateAll(all =>
    all.map(line => ({
      top: (line as unknown as Styled).style.top,
      contents: [...(line as unknown as Styled).querySelectorAll('span')].map(
        span => (globalThis as unknown as Page).getComputedStyle(span, '::after').content,
      ),
    })),
  );
  return lines
    .toSorted((one, other) => Number.parseFloat(one.top) - Number.parseFloat(other.top))
    .flatMap(({ contents }) => contents)
    .filter(content => content.startsWith('"') && content.length > 2)
    .map(content => String(JSON.parse(content)).trim());
}

/** Looks again until the ends of lines fit. */
async function untilEndsOfLines(fit: (ends: readonly string[]) => boolean): Promise<readonly string[]> {
  const deadline = Date.now() + deadlineMilliseconds;
  for (;;) {
    const ends = await endsOfLines();
    if (fit(ends)) return ends;
    if (Date.now() > deadline) throw new Error(`The ends of lines are: ${JSON.stringify(ends)}`);
    await setTimeout(lookMilliseconds);
  }
}

/** The parts of the page that are used here; this project does not load the types of browsers. */
interface Page {
  getComputedStyle(element: unknown, pseudo?: string): { readonly content: string; readonly backgroundImage: string };
}

interface Styled {
  readonly style: { readonly top: string };
  querySelectorAll(selector: string): Iterable<unknown>;
}
