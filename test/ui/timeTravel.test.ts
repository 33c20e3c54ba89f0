import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { makeTemporaryFolder } from '../host/profile.ts';
import { type DemoAgent, SCRIPTED_REQUESTS, startDemoAgent } from './demoAgent.ts';
import { sessionViewsOf } from './sessionViews.ts';
import { openWindow, type Window } from './window.ts';

const home = makeTemporaryFolder('home');
let window: Window;
let agent: DemoAgent | undefined;
before(async () => {
  // No Markdown, and no view of ours is open: a context file at the root wakes the extension up.
  window = await openWindow({ fixture: 'sample', file: 'package.json', environment: { CONTEXT_LIFECYCLE_HOME: home } });
  agent = startDemoAgent(window.workspace, home);
});
after(async () => {
  await window?.close();
  await agent?.stop();
});

const limit = { timeout: 90_000 };

/** Of the blocks: requests name discards too. */
function row(text: RegExp): Locator {
  return sessionViewsOf(window.page).rows('Blocks').filter({ hasText: text });
}

test('in a folder with a context file a session shows by itself, with nothing of ours open', limit, async () => {
  const status = window.page.locator('#context-lifecycle\\.context-lifecycle\\.contextLifecycle\\.session');
  await status.filter({ hasText: /blocks? active/ }).waitFor();
  await agent?.untilRequest(SCRIPTED_REQUESTS);
});

test(
  'the last step of the walkthrough is done too when a session was connected before it was opened',
  limit,
  async () => {
    await window.run('Welcome: Open Walkthrough...', 'Write Your First Block');
    const step = window.page.locator('.getting-started-step', { hasText: 'Connect a session' });
    await step.locator('.codicon-getting-started-step-checked').waitFor();
  },
);

test('blocks are shown as they stood at a request, and a click goes back to now', limit, async () => {
  await window.run('Context Lifecycle: Show State at Request…', 'Request 1');
  const mark = row(/^As of request 1\D/);
  await mark.waitFor();
  await window.picture('40-as-of-request');
  assert.equal(await row(/^Discarded/).count(), 0);
  await mark.click();
  await mark.waitFor({ state: 'detached' });
  await row(/^Discarded/).waitFor();
});
