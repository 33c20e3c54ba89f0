import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogWriteError } from '../../../local/logErrors.ts';
import { stateToJson } from '../../../protocol/log/stateJson.ts';
import { diskOf } from '../../local/diskKit.ts';
import { definition, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { Recorder } from '../host/watcherKit.ts';
import { CONFIG } from './sessionKit.ts';
import { foldedBy, watchedSession } from './watchKit.ts';

test('DESIGN, The log: while the disk is full no watcher hears of what is not on it, and afterwards everybody of everything', async t => {
  const disk = diskOf(t);
  const { checked, announcement } = await watchedSession(t);
  const { session } = checked;
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  const early = new Recorder(t, announcement);
  await early.connected();
  await checked.turn([user('a')]);
  const { length } = (await checked.file()).events;

  disk.room = 0;
  await assert.rejects(session.buildRequest({ messages: [user('a'), user('b')], config: CONFIG }), LogWriteError);
  assert.ok(session.state.nextSeq > length);
  const late = new Recorder(t, announcement);
  await late.connected();
  assert.ok((late.attachments[0]?.nextSeq ?? 0) <= length);
  assert.equal((await late.connection.history(0, 1_000)).length, length);
  await assert.rejects(late.connection.readRequest(2), /This session has no request 2\./);
  assert.equal((await late.connection.readRequest(1)).hash, checked.sealed[0]?.hash);
  await assert.rejects(late.connection.discard('plan'), /could not be written: the disk is full/);

  disk.room = Number.POSITIVE_INFINITY;
  const sealed = await checked.turn([user('a'), user('b')]);
  for (const watcher of [early, late]) {
    const first = watcher.attachments[0]?.nextSeq ?? 0;
    await watcher.until('all events', () => first + watcher.events.length === session.state.nextSeq);
    assert.deepEqual(stateToJson(foldedBy(watcher)), stateToJson(session.state));
    assert.equal((await watcher.connection.readRequest(sealed.requestSequence)).hash, sealed.hash);
  }
  await checked.close();
});
