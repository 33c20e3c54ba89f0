import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Policy } from '../../../protocol/lifecycle/policy.ts';
import { reduce } from '../../../protocol/log/reduce.ts';
import { stateToJson } from '../../../protocol/log/stateJson.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import {
  assistant,
  call,
  definition,
  discardLine,
  EPHEMERAL,
  result,
  user,
} from '../../protocol/lifecycle/lifecycleKit.ts';
import { inTime } from '../../server/deadline.ts';
import { Recorder } from '../host/watcherKit.ts';
import { type Checked, homeOf, textOf } from './sessionKit.ts';
import { foldedBy, watchedSession } from './watchKit.ts';

/** Some turns with everything that a session can do. */
async function beBusy(checked: Checked, turns: number): Promise<void> {
  const { session } = checked;
  session.loadSource({
    source: 'AGENTS.md',
    class: 'context-file',
    text: definition('plan') + definition('rules') + definition('tests'),
  });
  session.loadSource({ source: 'other.md', class: 'context-file', text: definition('plan', 'another') });
  const history: JsonObject[] = [];
  for (let turn = 0; turn < turns; turn++) {
    history.push(user(`question ${turn}\n${turn % 3 === 0 ? discardLine('plan') : ''}`));
    const first = await checked.request(history, { system: `system ${turn >> 1}` });
    session.response(first.requestSequence, { outcome: 'completed', usage: { input: 10 + turn } });
    session.receipt(first.requestSequence, turn === 2 ? 'f'.repeat(64) : first.hash);
    history.push(call(`c${turn}`), result(`c${turn}`, turn % 2 === 0 ? EPHEMERAL : 'kept'));
    session.inject(user(`context ${turn}`), 'plugin:x');
    const second = await checked.request(history, { system: `system ${turn >> 1}` });
    session.response(second.requestSequence, { outcome: turn === 1 ? 'failed' : 'completed' });
    history.push(assistant(`answer ${turn}`));
    if (turn === 3) {
      session.control({ source: 'p', class: 'plugin', text: `${discardLine('rules')}\n${discardLine('nobody')}` });
      history.splice(0, 3, user('summary'));
    }
  }
}

async function inStep(watcher: Recorder, { session }: Checked): Promise<void> {
  const first = watcher.attachments[0]?.nextSeq ?? 0;
  await watcher.until('all events', () => first + watcher.events.length === session.state.nextSeq);
}

test('issue 3.6: the announcement says what the host calls its session, and where its transcript lies', async t => {
  const { announcement } = await watchedSession(t, { sessionId: 'theirs', transcript: '/home/ada/.pi/theirs.jsonl' });
  assert.equal(announcement.session, 'theirs');
  assert.equal(announcement.transcript, '/home/ada/.pi/theirs.jsonl');
  assert.equal('transcript' in (await watchedSession(t)).announcement, false);
});

test('issue 3.5: after a busy session what a watcher folded equals the state of the session', async t => {
  const { checked, announcement } = await watchedSession(t);
  const early = new Recorder(t, announcement);
  await early.connected();
  await beBusy(checked, 6);
  const late = new Recorder(t, announcement);
  await late.connected();
  await checked.turn([user('one more')]);
  for (const watcher of [early, late]) {
    await inStep(watcher, checked);
    assert.deepEqual(stateToJson(foldedBy(watcher)), stateToJson(checked.session.state));
  }
  assert.ok(late.attachments[0]?.snapshot, 'who comes late gets a snapshot');
  await checked.close();
});

test('issue 3.5: a watcher reads every request exactly as it was sealed', async t => {
  const { checked, announcement } = await watchedSession(t);
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  await beBusy(checked, 3);
  // One that travels in several pieces.
  await checked.turn([user('long '.repeat(500_000))]);
  for (const sealed of checked.sealed) {
    const read = await inTime(watcher.connection.readRequest(sealed.requestSequence), 'the request');
    assert.equal(read.text, textOf(sealed));
    assert.deepEqual([read.hash, read.content], [sealed.hash, 'full']);
  }
  await assert.rejects(watcher.connection.readRequest(99), /This session has no request 99\./);
  await checked.close();
});

test('issue 3.5: of a session whose log holds hashes a watcher reads hashes, and is told so', async t => {
  const { checked, announcement } = await watchedSession(t, { config: { content: 'hashes' } });
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  const sealed = await checked.turn([user('the secret of the user')]);
  const read = await watcher.connection.readRequest(1);
  assert.deepEqual([read.hash, read.content], [sealed.hash, 'hashes']);
  assert.ok(!read.text.includes('secret'));
  await checked.close();
});

test('issue 3.5: events reach a watcher without their content', async t => {
  const { checked, announcement } = await watchedSession(t);
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  checked.session.loadSource({
    source: 'AGENTS.md',
    class: 'context-file',
    text: definition('plan', 'the secret of the block'),
  });
  await checked.turn([user('the secret of the user')], { system: 'the secret of the system' });
  await inStep(watcher, checked);
  assert.ok(watcher.events.length > 5);
  assert.ok(!JSON.stringify(watcher.events).includes('secret'));
  await checked.close();
});

test('DESIGN, The wire: a discard over the wire is executed and audited with its connection, where the policy lets an editor', async t => {
  const { checked, announcement } = await watchedSession(t);
  checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  await checked.turn([user('a')]);
  const one = await watching(t, announcement);
  const two = await watching(t, announcement);
  assert.equal(one.attachments[0]?.mayDiscard, true);
  assert.equal(await two.connection.discard('plan'), 'discarded');
  assert.equal(await one.connection.discard('plan'), 'repeated');
  assert.equal(await one.connection.discard('nobody'), 'unknown');
  assert.equal(await one.connection.discard('<!-- no id -->'), 'unknown');
  const audit = { source: 'editor', trigger: 'watcher', class: 'editor', requestSequence: 2 };
  const rule = 'rule 4: editor "*" may discard';
  assert.deepEqual(await checked.logged('block/discarded'), [
    { blockId: 'plan', ...audit, rule, connection: 'editor#2' },
  ]);
  assert.deepEqual(await checked.logged('discard/repeated'), [
    { blockId: 'plan', ...audit, rule, connection: 'editor#1' },
  ]);
  const sealed = await checked.turn([user('a')]);
  assert.deepEqual(sealed.messages, [user('a')]);
  await checked.close();
});

test('DESIGN, Trust: a policy that does not give editors the right refuses discards over the wire, and audits them', async t => {
  const policy: Policy = { rules: [{ class: 'context-file', pattern: '*', may: ['define'] }] };
  const { checked, announcement } = await watchedSession(t, { policy });
  checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  const watcher = await watching(t, announcement);
  assert.equal(watcher.attachments[0]?.mayDiscard, false);
  assert.equal(await watcher.connection.discard('plan'), 'denied');
  const [denied] = await checked.logged('discard/denied');
  assert.deepEqual([denied?.connection, denied?.rule], ['editor#1', 'no rule']);
  assert.equal((await checked.turn([user('a')])).messages.length, 2);
  await checked.close();
});

test('issue 3.5: a watcher is told that the session was closed, and why', async t => {
  const { checked, announcement } = await watchedSession(t);
  const watcher = await watching(t, announcement);
  await checked.turn([user('a')]);
  const { events } = await checked.close('the agent was quit');
  await watcher.until('the end', () => watcher.state === 'ended');
  assert.deepEqual(watcher.states.at(-1), { kind: 'ended', sentence: 'the agent was quit' });
  const first = watcher.attachments[0]?.nextSeq ?? 0;
  assert.equal(first + watcher.events.length, events.length, 'the last events came before it');
});

test('issue 3.5: a watcher that has seen a session goes on, in the next instance, where it was', async t => {
  const folder = homeOf(t);
  const first = await watchedSession(t, { folder, sessionId: 's' });
  const early = await watching(t, first.announcement);
  await first.checked.turn([user('a')]);
  await inStep(early, first.checked);
  const known = { session: first.checked.session.id, nextSeq: first.checked.session.state.nextSeq };
  const before = foldedBy(early);
  early.connection.close();
  await first.checked.close();
  const second = await watchedSession(t, { folder, sessionId: 's' });
  const late = new Recorder(t, second.announcement, { known });
  await late.connected();
  assert.deepEqual([late.attachments[0]?.reset, late.attachments[0]?.nextSeq], [false, known.nextSeq]);
  await second.checked.turn([user('a')]);
  await inStep(late, second.checked);
  const state = late.events.reduce(reduce, before);
  assert.deepEqual(stateToJson(state), stateToJson(second.checked.session.state));
  await second.checked.close();
});

async function watching(t: TestContext, announcement: ConstructorParameters<typeof Recorder>[1]): Promise<Recorder> {
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  return watcher;
}
