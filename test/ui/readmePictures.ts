/** Takes the README's pictures anew, in a real VS Code with the packed extension: `npm run pictures`. */
import { join } from 'node:path';
import { repository } from '../../scripts/build/paths.ts';
import { build } from '../../scripts/build.ts';
import { hoverOver, openWindow } from './window.ts';

/** Of the window that fits into a README without being shrunk to dust. */
const clip = { x: 0, y: 36, width: 1280, height: 420 };

await build();
const window = await openWindow({ fixture: 'readme', file: 'AGENTS.md' });
try {
  const { page } = window;
  await page
    .locator('.activitybar')
    .getByRole('tab', { name: /^Context Lifecycle/ })
    .click();
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
