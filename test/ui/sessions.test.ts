import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { listAnnouncements, writeAnnouncement } from '../../local/announcements.ts';
import { bootId } from '../../local/bootId.ts';
import { connectToSession, type SessionConnection } from '../../local/sessionConnection.ts';
import { processes } from '../host/processes.ts';
import type { ProcessGroup } from '../host/processGroup.ts';
import { makeTemporaryFolder } from '../host/profile.ts';
import { openWindow, type Window } from './window.ts';
import { startWorkspaceAgent, until } from './workspaceAgent.ts';

const home = makeTemporaryFolder('home');
let window: Window;
let agent: ProcessGroup | undefined;

before(async () => {
  process.env['CONTEXT_LIFECYCLE_HOME'] = home;
  window = await openWindow({ fixture: 'ui', file: 'AGENTS.md' });
});
after(async () => {
  await agent?.stop();
  await window?.close();
});

const limit = { timeout: 90_000 };

function status(): Locator {
  return window.page.locator('#context-lifecycle\\.context-lifecycle\\.contextLifecycle\\.session');
}

function notification(text: RegExp): Locator {
  return window.page.locator('.notification-list-item', { hasText: text });
}

async function dismiss(shown: Locator): Promise<void> {
  await shown.waitFor();
  await window.run('Notifications: Clear All Notifications');
  await shown.waitFor({ state: 'detached' });
}

test(
  'while nothing is connected, the commands about sessions say so, and the status bar shows nothing',
  limit,
  async () => {
    await window.run('Context Lifecycle: Disconnect');
    await dismiss(notification(/No session is connected\./));
    await window.run('Context Lifecycle: Connect…');
    await dismiss(notification(/No session is running\./));
    await window.run('Context Lifecycle: Delete Session Log…');
    await dismiss(notification(/There is no log that could be deleted/));
    assert.equal(await status().count(), 0);
  },
);

test('the demo session is shown as soon as it runs, and what it costs stands in the status bar', limit, async () => {
  await window.run('Context Lifecycle: Start Demo Session');
  await window.page
    .locator('.part.sidebar')
    .getByText(/Context Lifecycle/i)
    .first()
    .waitFor();
  await status()
    .filter({ hasText: /\d+ blocks active, [~≈]?[\d,]+ tokens/ })
    .waitFor({ timeout: 60_000 });
  await window.picture('21-session-status');
  assert.match((await status().getAttribute('aria-label')) ?? '', /of demo\. \d+ blocks? (is|are) active\. .*tokens/);
});

test('disconnecting hides the status, and connecting again goes on', limit, async () => {
  await window.run('Context Lifecycle: Disconnect');
  await status().waitFor({ state: 'hidden' });
  await window.page.keyboard.press('F1');
  const list = window.page.locator('.quick-input-widget').filter({ visible: true });
  await list.locator('input').first().fill('>Context Lifecycle: Connect…');
  await list.locator('.monaco-list-row').first().click();
  await list.locator('.monaco-list-row', { hasText: 'demo' }).first().click();
  await status()
    .filter({ hasText: /active/ })
    .waitFor();
});

test('a log of the past is opened beside it', limit, async () => {
  await window.page.keyboard.press('F1');
  const list = window.page.locator('.quick-input-widget').filter({ visible: true });
  await list.locator('input').first().fill('>Context Lifecycle: Open Session Log…');
  await list.locator('.monaco-list-row').first().click();
  await list.locator('.monaco-list-row', { hasText: 'being written' }).first().click();
  await list.waitFor({ state: 'hidden' });
  await window.page.locator('.part.sidebar').getByText(/past/).first().waitFor();
  await status()
    .filter({ hasText: /active/ })
    .waitFor();
  await window.picture('22-session-past');
});

function demoOfWindow(): readonly unknown[] {
  const isIts = (command: string) =>
    command.includes('demo --keep-open') && command.includes(window.profile.extensions);
  return processes().filter(({ command }) => isIts(command));
}

test('the demo ends with the window', limit, async () => {
  assert.equal(demoOfWindow().length, 1);
  await window.page.reload();
  await until('the end of the demo', () => demoOfWindow().length === 0);
});

test(
  'a session of the workspace is there without a click, again after a reload, gone with its agent and there with the next',
  limit,
  async () => {
    await window.page.locator('.monaco-editor .view-lines').first().waitFor();
    agent = startWorkspaceAgent(window.workspace);
    await status()
      .filter({ hasText: /active/ })
      .waitFor({ timeout: 60_000 });
    await window.page.reload();
    await status()
      .filter({ hasText: /active/ })
      .waitFor({ timeout: 60_000 });
    process.kill(-(agent.child.pid ?? 0), 'SIGKILL');
    await status().waitFor({ state: 'hidden' });
    await window.picture('23-session-ended');
    agent = startWorkspaceAgent(window.workspace);
    await status()
      .filter({ hasText: /active/ })
      .waitFor({ timeout: 60_000 });
  },
);

test('a discard that another program makes over the socket is told in a notification', limit, async () => {
  const [announced] = listAnnouncements(join(home, 'run')).found;
  assert.ok(announced);
  const connection = await new Promise<SessionConnection>((resolve, reject) => {
    const made = connectToSession(announced, {
      state: state => state.kind === 'ended' && reject(new Error(state.sentence)),
      attached: () => resolve(made),
      events: () => {},
    });
  });
  assert.equal(await connection.discard('my-style'), 'discarded');
  connection.close();
  const told = notification(/Block my-style of demo \(\w+\) was discarded, but not from this window\./);
  await told.waitFor();
  await window.picture('24-discarded-elsewhere');
  await dismiss(told);
});

test('a session of another version is refused in one sentence', limit, async () => {
  writeAnnouncement(join(home, 'run'), '00000000000000aa', {
    wireVersion: 2,
    session: 'newer',
    agent: 'future',
    cwd: window.workspace,
    pid: process.pid,
    bootId: bootId(),
    socket: '00000000000000aa.sock',
    token: 'd'.repeat(64),
    started: Date.now(),
  });
  const told = notification(
    /future \(newer\): This session can't be watched: it speaks version 2 .* Update Context Lifecycle here\./,
  );
  await told.waitFor();
  await window.picture('25-refused');
  await dismiss(told);
});
