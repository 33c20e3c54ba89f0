import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSession } from '../../../adapter/openSession.ts';
import { openPastSession } from '../../../client/session/pastSession.ts';
import { privateFolder } from '../../adapter/host/hostKit.ts';

const BLOCK = '<!--BLOCK_ID:style-->\nShort words, and a secret.\n<!--/BLOCK_ID:style-->\n';

/** The log of a session with a block, two requests and a discard. */
async function recorded(t: TestContext): Promise<string> {
  const session = await openSession({ agent: 'test', sessionId: 'past', cwd: '/work', folder: privateFolder(t) });
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: BLOCK });
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }];
  const first = await session.buildRequest({ messages, config: { model: 'm' } });
  session.response(first.requestSequence, { outcome: 'completed' });
  session.control({ source: 'plugin', class: 'plugin', text: '<!--DISCARD_BLOCK:style-->\n' });
  await session.buildRequest({ messages, config: { model: 'm' } });
  await session.close();
  return session.logFile;
}

test('a log is a session of the past: its last state, its policy, its exact requests', async t => {
  const path = await recorded(t);
  const { session, fault } = await openPastSession(path);
  assert.equal(fault, undefined);
  assert.deepEqual(session.link, { kind: 'past' });
  assert.deepEqual([session.header.id, session.header.agent, session.logFile], ['past', 'test', path]);
  assert.equal(session.state.lifecycle.blocks.get('style')?.status, 'discarded');
  assert.equal(session.state.requests.length, 2);
  assert.ok(session.policy.rules.length > 0);
  const first = await session.readRequest(1);
  assert.match(first.text, /a secret/);
  assert.equal(first.content, 'full');
  assert.equal(first.hash, session.state.requests.get(0)?.sealed.hash);
  assert.doesNotMatch((await session.readRequest(2)).text, /a secret/);
  await assert.rejects(session.readRequest(3), { message: 'This log holds no request 3.' });
});

test('events of the past come without content, and nothing in it can be changed', async t => {
  const { session } = await openPastSession(await recorded(t));
  const events = await session.history(0, 1_000);
  assert.equal(events.length, session.state.nextSeq);
  assert.doesNotMatch(JSON.stringify(events), /a secret/);
  assert.deepEqual(
    (await session.history(1, 3)).map(({ seq }) => seq),
    [1, 2],
  );
  assert.equal(session.mayDiscard, false);
  assert.equal(await session.whatIf('style'), undefined);
  assert.equal(await session.whatIfCompressed(), undefined);
  await assert.rejects(session.discard('style'), { message: /log of the past/ });
});

test('opening a log changes no byte of it', async t => {
  const path = await recorded(t);
  const before = readFileSync(path);
  await openPastSession(path);
  assert.deepEqual(readFileSync(path), before);
});

test('of a log with a fault, what stands before it is shown, with a sentence', async t => {
  const path = await recorded(t);
  const whole = (await openPastSession(path)).session.state.nextSeq;
  const event = { type: 'step/end', seq: whole, time: 1, data: { turn: 99, step: 99 } };
  appendFileSync(path, `${JSON.stringify(event)}\n`);
  const { session, fault } = await openPastSession(path);
  assert.equal(session.state.nextSeq, whole);
  assert.match(fault ?? '', /cannot be used: .* The events before it can still be read\./);
});

test('a file that is too large, no log, or not there is refused in a sentence', async t => {
  const path = await recorded(t);
  const { size } = statSync(path);
  await assert.rejects(openPastSession(path, undefined, size - 1), { message: /at most .* MB are opened here/ });
  const other = join(privateFolder(t), 'other.jsonl');
  writeFileSync(other, 'no log\n');
  await assert.rejects(openPastSession(other), { message: /The first line of this log cannot be used/ });
  writeFileSync(other, '');
  await assert.rejects(openPastSession(other), { message: /./ });
  await assert.rejects(openPastSession(`${other}.none`), { code: 'ENOENT' });
});

test('reading ends when a person breaks it off', async t => {
  const path = await recorded(t);
  await assert.rejects(openPastSession(path, AbortSignal.abort()), { name: 'AbortError' });
});
