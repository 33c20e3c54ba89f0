import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { processes } from '../host/processes.ts';
import { openWindow, type Window } from './window.ts';

let window: Window;
before(async () => {
  window = await openWindow({ fixture: 'ui', file: 'mistakes.md', trust: true });
});
after(() => window?.close());

test('in a workspace that is not trusted, files are checked all the same', { timeout: 90_000 }, async () => {
  const { page } = window;
  await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
  await page.locator('.squiggly-error').first().waitFor();
  await window.picture('17-restricted');
  assert.ok((await page.locator('.squiggly-warning').count()) > 0);
});

test('the key to the window stands on no command line, which every user of the machine could read', () => {
  assert.deepEqual(
    processes().filter(({ command }) => command.includes(window.server.token)),
    [],
  );
});
