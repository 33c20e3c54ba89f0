import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openSession } from '../../../adapter/openSession.ts';
import { SessionNotices } from '../../../client/session/sessionNotices.ts';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import { privateFolder } from '../../adapter/host/hostKit.ts';
import { openWindow } from './registryKit.ts';

const BLOCKS = ['one', 'two'].map(id => `<!--BLOCK_ID:${id}-->\nText.\n<!--/BLOCK_ID:${id}-->\n`).join('');

test('a discard reaches the next request and every window; those that did not make it are told', async t => {
  const home = privateFolder(t);
  const session = await openSession({ agent: 'test', sessionId: 's', cwd: '/work', folder: home });
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: BLOCKS });
  const windows = [1, 2].map(() => {
    const told: string[] = [];
    const notices = new SessionNotices(({ message }) => told.push(renderMessage(message)));
    const events: Promise<void>[] = [];
    const opened = openWindow(t, [join(home, 'run')], {
      events: (each, came) => events.push(notices.events(each, came)),
    });
    return { ...opened, told, settled: () => Promise.all(events) };
  });
  const [ours, theirs] = windows;
  for (const { until, registry } of windows) {
    await until('the session', () => registry.current?.link.kind === 'connected');
  }
  const active = ({ registry }: (typeof windows)[0]) =>
    [...(registry.current?.state.lifecycle.blocks.values() ?? [])].filter(({ status }) => status === 'active').length;
  assert.equal(await ours?.registry.current?.discard('one'), 'discarded');
  for (const window of windows) {
    await window.until('one block less', () => active(window) === 1);
    await window.settled();
  }
  await setImmediate();
  assert.deepEqual(ours?.told, []);
  assert.deepEqual(theirs?.told, ['Block one of test (s) was discarded, but not from this window.']);
  const request = await session.buildRequest({ messages: [], config: {} });
  assert.doesNotMatch(JSON.stringify(request.messages), /BLOCK_ID:one/);
  assert.match(JSON.stringify(request.messages), /BLOCK_ID:two/);
  assert.equal(await theirs?.registry.current?.discard('one'), 'repeated');
  await session.close();
});
