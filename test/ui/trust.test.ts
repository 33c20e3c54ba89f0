import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { processes } from '../host/processes.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import { openWindow, type Window } from './window.ts';
import { startWorkspaceAgent, untilAnnounced } from './workspaceAgent.ts';

let window: Window;
before(async () => {
  process.env['CONTEXT_LIFECYCLE_HOME'] = makeTemporaryFolder('home');
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

test('in a workspace that is not trusted, no session is looked at, and a sentence says so', {
  timeout: 90_000,
}, async () => {
  const { page } = window;
  const agent = startWorkspaceAgent(window.workspace);
  try {
    await untilAnnounced();
    await window.run('Context Lifecycle: Connect…');
    await page.locator('.notification-list-item', { hasText: /not trusted, so no session is looked at/ }).waitFor();
    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /^Context Lifecycle/ })
      .click();
    await page.locator('.part.sidebar').getByText(/trust/).first().waitFor();
    await window.picture('18-restricted-sessions');
    assert.equal(await page.locator('.statusbar-item', { hasText: /blocks? active/ }).count(), 0);
  } finally {
    await agent.stop();
  }
});

test('the key to the window stands on no command line, which every user of the machine could read', () => {
  assert.deepEqual(
    processes().filter(({ command }) => command.includes(window.server.token)),
    [],
  );
});
