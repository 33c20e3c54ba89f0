import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { HOST_LIMITS } from '../../../adapter/host/hostLimits.ts';
import { readLog } from '../../../local/logFile.ts';
import { stateToJson } from '../../../protocol/log/stateJson.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, definition, discardLine, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { RawPeer } from '../host/rawPeer.ts';
import { CONFIG, checkFile, foldOf } from './sessionKit.ts';
import { watchedSession } from './watchKit.ts';

const REQUESTS = 10_000;
/** A host that compacts its transcript keeps it about this long. */
const LONGEST = 40;

test('issue 3.5: over 10,000 requests with a stuck watcher no request waits for it, and its queue stays within its bound', async t => {
  // Half of the requests end a turn, and nobody waits here for a power cut.
  t.mock.method(fs, 'fdatasyncSync', () => undefined);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const { checked, host, announcement } = await watchedSession(t, { config: { crossCheck: false } });
  const { session } = checked;
  const stuck = new RawPeer(announcement.address);
  await stuck.attach(announcement);
  stuck.socket.pause();

  const history: JsonObject[] = [];
  const sealed = [];
  let mostWaiting = 0;
  for (let request = 1; request <= REQUESTS; request++) {
    history.push(user(`question ${request}\n${'x'.repeat(100)}`));
    if (request % 500 === 0) {
      const blockId = `b${request}`;
      session.loadSource({ source: `${request}.md`, class: 'context-file', text: definition(blockId) });
      session.control({ source: 'p', class: 'plugin', text: discardLine(blockId) });
    }
    // The watcher reads nothing at all: were it waited for, this would never come.
    const one = await session.buildRequest({ messages: history, config: CONFIG });
    session.receipt(request, one.hash);
    session.response(request, { outcome: 'completed' });
    history.push(assistant(`answer ${request}`));
    if (history.length > LONGEST) {
      history.splice(0, LONGEST / 2, user(`summary at ${request}`));
    }
    if (request % 100 === 0) {
      sealed.push(one);
      await new Promise(resolve => setImmediate(resolve));
      mostWaiting = Math.max(mostWaiting, host.load.bytesWaiting);
      assert.ok(mostWaiting <= HOST_LIMITS.batchBytes + 1_000, `${mostWaiting} bytes wait`);
    }
  }
  assert.ok(mostWaiting > 0, 'the watcher is really stuck');
  assert.deepEqual([host.load.watchers, session.state.requests.length], [1, REQUESTS]);

  const file = await readLog(session.logFile);
  checkFile(file, sealed);
  assert.deepEqual(stateToJson(foldOf(file.events)), stateToJson(session.state));
  stuck.socket.destroy();
  await session.close();
});
