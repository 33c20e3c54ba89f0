import { after, before, test } from 'node:test';
import { openWindow, type Window } from './window.ts';

let window: Window;
before(async () => {
  window = await openWindow({ fixture: 'ui', file: 'notes.txt' });
});
after(() => window?.close());

test('Go to Source wakes the extension up, waits for its server and goes to a block', { timeout: 90_000 }, async () => {
  await window.run('Context Lifecycle: Go to Source…', 'release-notes');
  await window.page.locator('.tab.active', { hasText: 'AGENTS.md' }).waitFor();
  await window.page.locator('.statusbar-item', { hasText: /^Ln 8, Col 1/ }).waitFor();
});
