import type { FrameLocator, Page } from 'playwright-core';
import { createLog } from '../../local/openLog.ts';
import type { LogEvent } from '../../protocol/request/logEvent.ts';
import { runByKeys } from './keys.ts';

/** The page in a budget's tab, which stands in two frames of the editor. */
export function budgetPageOf(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
}

/** Writes a log of the past with these events, in a home of its own. */
export function writePastLog(home: string, id: string, events: readonly LogEvent[]): void {
  const header = { version: 1, id, agent: 'demo', cwd: '/work/to-do', created: 1_700_000_000_000 };
  createLog({ folder: `${home}/sessions`, name: id, header, events }).close();
}

/** Opens it as a session in the sidebar. */
export async function openPastLog(page: Page, id: string): Promise<void> {
  const item = page.locator('.quick-input-widget .monaco-list-row', { hasText: id }).first();
  await runByKeys(page, 'Context Lifecycle: Open Session Log…', item);
  await item.click();
}
