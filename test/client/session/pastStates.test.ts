import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSession } from '../../../adapter/openSession.ts';
import { readLogEvents } from '../../../client/session/logEvents.ts';
import { openPastSession } from '../../../client/session/pastSession.ts';
import { PastStates } from '../../../client/session/pastStates.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import type { RequestState, SessionState } from '../../../protocol/log/sessionState.ts';
import { stateToJson } from '../../../protocol/log/stateJson.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { privateFolder } from '../../adapter/host/hostKit.ts';
import { logOf, opened } from '../../protocol/log/sessions.ts';
import { activated, discarded, request } from '../views/kit.ts';
import { faked } from './fakeConnection.ts';

/** One block, and requests of six events each. */
function recorded(requests: number): readonly LogEvent[] {
  const turns = Array.from({ length: requests }, (_, at) => request(at + 1, 2 + at * 6)).flat();
  return logOf([opened, activated('plan'), ...turns]);
}

const fold = (events: readonly LogEvent[]): SessionState => events.reduce(reduce, initialState);
const atRequest = (state: SessionState, number: number): RequestState => state.requests.get(number - 1)!;

test('issue 4: the state at a request is that of the shared reducer after its seal', async () => {
  const events = recorded(20);
  const whole = fold(events);
  const past = new PastStates(async (from, to) => events.slice(from, to));
  for (const number of [7, 20, 1, 7]) {
    const { seq } = atRequest(whole, number).sealed;
    assert.deepEqual(stateToJson(await past.at(atRequest(whole, number))), stateToJson(fold(events.slice(0, seq + 1))));
  }
});

test('issue 4: a long log is asked for once, in pieces, and only as far as somebody looks', async () => {
  const events = recorded(3_000);
  const whole = fold(events);
  const asked: [number, number][] = [];
  const past = new PastStates(async (from, to) => {
    asked.push([from, to]);
    return events.slice(from, to);
  });
  const [late, early] = [atRequest(whole, 2_000), atRequest(whole, 10)];
  const [one, two] = await Promise.all([past.at(late), past.at(early)]);
  assert.deepEqual([one.requests.length, two.requests.length], [2_000, 10]);
  assert.deepEqual(asked, [
    [0, 5_000],
    [5_000, 10_000],
    [10_000, late.sealed.seq + 1],
  ]);
  await past.at(early);
  assert.equal(asked.length, 3);
});

test('issue 4: what cannot be read rejects with its sentence, and is asked for again the next time', async () => {
  const events = recorded(2);
  const first = atRequest(fold(events), 1);
  let fault: Error | undefined = new Error('The session has ended.');
  const past = new PastStates(async (from, to) => {
    if (fault) {
      throw fault;
    }
    return events.slice(from, to);
  });
  await assert.rejects(past.at(first), { message: 'The session has ended.' });
  fault = undefined;
  assert.equal((await past.at(first)).requests.length, 1);
  await assert.rejects(new PastStates(async () => []).at(first), {
    message: 'The events before request 1 are not there any more.',
  });
});

test('issue 4: a live session gives its past too, though it was attached late and knows its state alone', async () => {
  const events = logOf([opened, activated('plan'), ...request(1, 2), discarded('plan', 2), ...request(2, 9)]);
  const { session, last } = faked();
  last().attach({ snapshot: stateToJson(fold(events)) });
  last().history = async (from, to) => events.slice(from, to);
  const then = await session.stateAt(1);
  assert.equal(then.lifecycle.blocks.get('plan')?.status, 'active');
  assert.equal(session.state.lifecycle.blocks.get('plan')?.status, 'discarded');
  await assert.rejects(session.stateAt(3), { message: 'This session has sealed no request 3.' });
  last().attach({ reset: true });
  await assert.rejects(session.stateAt(1), { message: 'This session has sealed no request 1.' });
});

test('issue 4: a past session, and one that has ended, give their past and their requests from the log, events without what was said', async t => {
  const live = await openSession({ agent: 'test', sessionId: 'past', cwd: '/work', folder: privateFolder(t) });
  const text = '<!--BLOCK_ID:style-->\nA secret.\n<!--/BLOCK_ID:style-->\n';
  live.loadSource({ source: 'AGENTS.md', class: 'context-file', text });
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'A secret.' }] }];
  await live.buildRequest({ messages, config: { model: 'm' } });
  live.control({ source: 'plugin', class: 'plugin', text: '<!--DISCARD_BLOCK:style-->\n' });
  await live.buildRequest({ messages, config: { model: 'm' } });
  await live.close();
  const { session } = await openPastSession(live.logFile);
  assert.equal((await session.stateAt(1)).lifecycle.blocks.get('style')?.status, 'active');
  assert.equal((await session.stateAt(2)).lifecycle.blocks.get('style')?.status, 'discarded');
  await assert.rejects(session.stateAt(3), { message: 'This session has sealed no request 3.' });

  const ended = faked({ findLog: () => Promise.resolve(live.logFile) });
  ended.last().attach({ snapshot: stateToJson(session.state) });
  await new Promise(setImmediate);
  assert.equal(ended.session.logFile, live.logFile);
  ended.last().say.state({ kind: 'ended', sentence: 'The agent was closed.' });
  assert.equal((await ended.session.stateAt(1)).lifecycle.blocks.get('style')?.status, 'active');
  assert.deepEqual(await ended.session.readRequest(1), await session.readRequest(1), 'its exact requests too');
  assert.deepEqual(await ended.session.history(2, 4), await session.history(2, 4), 'and what the audit leads to');
  await assert.rejects(ended.session.discard('style'), { message: 'The agent was closed.' });
  const events = await readLogEvents(live.logFile, 2);
  assert.equal(events[0]?.seq, 2);
  assert.doesNotMatch(JSON.stringify(events), /secret/);
});
