import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { processes } from '../host/processes.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import { openSidebar, sessionViewsOf } from './sessionViews.ts';
import { hoverOver, openWindow, type Window } from './window.ts';
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
  await window.openFile('AGENTS.md');
  const hover = page.locator('.monaco-hover', { hasText: 'Opens block' }).filter({ visible: true });
  await hoverOver(page, page.locator('.view-line span', { hasText: 'release-notes' }).first(), hover);
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
    await openSidebar(page);
    const { rows, view } = sessionViewsOf(page);
    await view('Blocks').getByText('This workspace is not trusted, so no session is looked at in it.').waitFor();
    await view('Blocks').getByRole('button', { name: 'Manage Workspace Trust' }).waitFor();
    await rows('Declared Blocks').filter({ hasText: 'release-notes' }).first().waitFor();
    assert.equal(await rows('Blocks').count(), 0);
    for (const name of ['Requests', 'Ephemeral Messages', 'Audit', 'Session']) {
      assert.equal(await view(name).count(), 0);
    }
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
