import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Notice, type NoticedSession, SessionNotices } from '../../../client/session/sessionNotices.ts';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { HEADER } from '../../adapter/host/hostKit.ts';

function noticed(own: readonly string[] = [], more: Partial<NoticedSession['header']> = {}) {
  const told: Notice[] = [];
  const session: NoticedSession = {
    key: 'session:1',
    header: { ...HEADER, ...more },
    discardedHere: blockId => Promise.resolve(own.includes(blockId)),
  };
  const notices = new SessionNotices(notice => told.push(notice));
  return {
    notices,
    session,
    texts: () => told.map(({ severity, message }) => `${severity}: ${renderMessage(message)}`),
  };
}

function event(type: string, data: LogEvent['data']): LogEvent {
  return { type, seq: 0, time: 0, data };
}

const receipt = (requestSequence: number, result: string) => event('request/receipt', { requestSequence, result });
const discarded = (blockId: string, trigger: string) => event('block/discarded', { blockId, trigger });

test('a session that is refused is told of once', () => {
  const { notices, session, texts } = noticed();
  notices.refused(session, 'It speaks version 2.');
  notices.refused(session, 'It speaks version 2.');
  assert.deepEqual(texts(), ['error: test (session-1): It speaks version 2.']);
});

test('issue 4: a hundred sessions of an agent of another version are one notification', () => {
  const { notices, session, texts } = noticed();
  for (let number = 1; number <= 100; number++) {
    const other = { ...session, key: `session:${number}`, header: { ...session.header, id: `session-${number}` } };
    notices.refused(other, 'It speaks version 2.');
  }
  notices.refused(session, 'It could not prove its token.');
  assert.deepEqual(texts(), [
    'error: test (session-1): It speaks version 2.',
    'error: test (session-1): It could not prove its token.',
  ]);
});

test('a request that left with other content is told of once, several at a time in one sentence', async () => {
  const { notices, session, texts } = noticed();
  await notices.events(session, [receipt(1, 'matched'), receipt(2, 'mismatch'), receipt(3, 'not-reported')]);
  await notices.events(session, [receipt(2, 'mismatch'), receipt(4, 'quoted')]);
  await notices.events(session, [receipt(5, 'mismatch'), receipt(6, 'mismatch')]);
  assert.deepEqual(texts(), [
    'error: Request 2 of test (session-1) left with other content than was sealed.',
    'error: 2 requests of test (session-1) left with other content than was sealed.',
  ]);
});

test('a discard over the wire is told of unless this window made it; those of the agent itself are not', async () => {
  const { notices, session, texts } = noticed(['mine']);
  await notices.events(session, [discarded('mine', 'watcher'), discarded('agents', 'control')]);
  assert.deepEqual(texts(), []);
  await notices.events(session, [discarded('theirs', 'watcher')]);
  await notices.events(session, [
    discarded('one', 'watcher'),
    discarded('mine', 'watcher'),
    discarded('two', 'watcher'),
  ]);
  assert.deepEqual(texts(), [
    'warning: Block theirs of test (session-1) was discarded, but not from this window.',
    'warning: 2 blocks of test (session-1) were discarded, but not from this window.',
  ]);
});

test('what a session says makes no link in a notification, and no long one', () => {
  const { notices, session, texts } = noticed([], {
    agent: '[x](command:workbench.action.quit)',
    id: 'y'.repeat(9_000),
  });
  notices.refused(session, '[Click](command:a.b) \u202E and\nmore');
  const [text = ''] = texts();
  assert.doesNotMatch(text, /\]\(/);
  assert.doesNotMatch(text, /[\n\u202E]/);
  assert.ok(text.length < 700);
});
