/** Takes pictures of editors and of the demo anew, in a real VS Code with the packed extension: a part of `npm run pictures`. */
import { join } from 'node:path';
import { repository } from '../../scripts/build/paths.ts';
import { build } from '../../scripts/build.ts';
import { longBudgetLog } from '../client/budget/longBudgetLog.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import { budgetPageOf, openPastLog, writePastLog } from './budgetPage.ts';
import { SCRIPTED_REQUESTS, startDemoAgent } from './demoAgent.ts';
import { openSidebar, widenSidebar } from './sessionViews.ts';
import { hoverOver, openWindow } from './window.ts';

/** Of the window that fits into a README without being shrunk to dust. */
const clip = { x: 0, y: 36, width: 1280, height: 420 };
/** With the status bar. */
const panelClip = { x: 0, y: 36, width: 1280, height: 764 };

await build();
await editorPictures();
await panelPictures();
await budgetPictures();

/** A near miss with its message. */
async function editorPictures(): Promise<void> {
  const window = await openWindow({ fixture: 'readme', file: 'AGENTS.md' });
  try {
    const { page } = window;
    await openSidebar(page);
    await page
      .locator('.part.sidebar')
      .getByRole('treeitem', { name: /release-notes/ })
      .first()
      .waitFor();
    const squiggle = page.locator('.squiggly-warning').first();
    const hover = page.locator('.monaco-hover', { hasText: 'malformed-tag' }).filter({ visible: true });
    for (const theme of ['light', 'dark'] as const) {
      await window.setTheme(theme);
      await hoverOver(page, squiggle, hover);
      await page.screenshot({ path: join(repository, `docs/images/editor-${theme}.png`), clip });
      await page.mouse.move(640, 700);
      await hover.waitFor({ state: 'hidden' });
    }
  } finally {
    await window.close();
  }
}

/** The demo session: at the lines of a file and in the sidebar. */
async function panelPictures(): Promise<void> {
  const home = makeTemporaryFolder('home');
  const environment = { CONTEXT_LIFECYCLE_HOME: home };
  const window = await openWindow({ fixture: 'sample', file: 'AGENTS.md', environment });
  const agent = startDemoAgent(window.workspace, home);
  try {
    const { page } = window;
    await agent.untilRequest(SCRIPTED_REQUESTS);
    await openSidebar(page);
    const rows = page.locator('.part.sidebar').getByRole('treeitem');
    await rows.filter({ hasText: 'planning' }).first().waitFor();
    await widenSidebar(page, 165);
    await page.locator('.editor-instance .view-line', { hasText: 'House rules' }).first().click();
    for (const theme of ['light', 'dark'] as const) {
      await window.setTheme(theme);
      await rows
        .filter({ hasText: /tokens/ })
        .first()
        .waitFor();
      await page.screenshot({ path: join(repository, `docs/images/panel-${theme}.png`), clip: panelClip });
    }
  } finally {
    await window.close();
    await agent.stop();
  }
}

/** The budget of a simulated session of a million tokens. */
async function budgetPictures(): Promise<void> {
  const home = makeTemporaryFolder('home');
  const environment = { CONTEXT_LIFECYCLE_HOME: home };
  const window = await openWindow({ fixture: 'readme', file: 'AGENTS.md', environment });
  try {
    const { page } = window;
    writePastLog(home, 'million', longBudgetLog(400, 2_500));
    await openSidebar(page);
    await openPastLog(page, 'million');
    await window.run('View: Close All Editors');
    await window.run('Context Lifecycle: Show Budget');
    await budgetPageOf(page).getByRole('heading', { name: 'Request 400' }).waitFor();
    await window.run('View: Toggle Primary Side Bar Visibility');
    await page.setViewportSize({ width: 1180, height: 1060 });
    for (const theme of ['light', 'dark'] as const) {
      await window.setTheme(theme);
      await page.screenshot({
        path: join(repository, `docs/images/budget-${theme}.png`),
        clip: { x: 54, y: 36, width: 1122, height: 956 },
      });
    }
  } finally {
    await window.close();
  }
}
