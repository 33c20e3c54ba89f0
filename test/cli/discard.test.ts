import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Session } from '../../adapter/sessionTypes.ts';
import type { Policy } from '../../protocol/lifecycle/policy.ts';
import { block, MAIN } from './cliKit.ts';
import { assertHarmless } from './hostile.ts';
import { ask, type Home, homeOf, INPUT, text, threeRequests } from './sessionKit.ts';
import { onTerminal } from './terminal.ts';

const LIVE = { announce: true, countTokens: false };

async function running(place: Home, policy?: Policy): Promise<Session> {
  const session = await place.open({ sessionId: 'running-1', config: LIVE, ...(policy && { policy }) });
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: block('plan', 'Plan.\n') + block('rules') });
  await ask(session, { ...INPUT, messages: [text('user', 'Go.')] });
  return session;
}

function statusOf(session: Session, id: string): string | undefined {
  return session.state.lifecycle.blocks.get(id)?.status;
}

test('discard says what it would change, asks, and takes the block out of the next request', async t => {
  const place = homeOf(t);
  const session = await running(place);
  const { shown, exitCode } = await onTerminal(place, ['discard', 'running', 'plan'], 'y\r');
  assert.match(shown, /^What it would save is not known: nobody counts the tokens of this session\.$/m);
  assert.match(shown, /^A discarded block does not come back in this session\.$/m);
  assert.match(shown, /^Session: test, .*, running-1$/m);
  assert.match(shown, /Discard block plan\? \[y\/N\] /);
  assert.match(shown, /^Block plan is discarded: it is absent from request 2 on\.$/m);
  assert.equal(exitCode, 0);
  assert.equal(statusOf(session, 'plan'), 'discarded');
  assert.equal(statusOf(session, 'rules'), 'active');
  assert.doesNotMatch(await ask(session, { ...INPUT, messages: [text('user', 'Go on.')] }), /BLOCK_ID:plan/);
  const { stdout } = await place.cli('log', 'running-1', '--type', 'block/discarded', '--json');
  const { data } = JSON.parse(stdout);
  assert.deepEqual([data.class, data.trigger, /^editor#\d+$/.test(data.connection)], ['editor', 'watcher', true]);
  const again = await onTerminal(place, ['discard', 'running', 'plan'], '');
  assert.match(again.shown, /Block plan was discarded already, so nothing changed\./);
  assert.equal(again.exitCode, 0);
});

test('discard does nothing without a clear yes', async t => {
  const place = homeOf(t);
  const session = await running(place);
  for (const typed of ['\r', 'n\r', 'yonder\r', '\u0003', '\u0004']) {
    const { shown, exitCode } = await onTerminal(place, ['discard', 'running-1', 'plan'], typed);
    assert.match(shown, /Nothing was discarded\./, JSON.stringify(typed));
    assert.equal(exitCode, 1, JSON.stringify(typed));
  }
  assert.equal(statusOf(session, 'plan'), 'active');
});

test("discard refuses without a terminal on standard input, so that an agent's shell cannot do it by the way", async t => {
  const place = homeOf(t);
  const session = await running(place);
  const { stdout, stderr, exitCode } = await place.cli('discard', 'running-1', 'plan');
  assert.equal(stdout, '');
  assert.match(stderr, /^context-lifecycle: discard: A person has to answer its question, and there is no terminal /);
  assert.equal(exitCode, 2);
  assert.equal(statusOf(session, 'plan'), 'active');
});

test('discard of a block that the session does not know says which are active, and asks nothing', async t => {
  const place = homeOf(t);
  await running(place);
  const { shown, exitCode } = await onTerminal(place, ['discard', 'running-1', 'no\u001b[31mne'], 'y\r');
  assert.match(shown, /knows no block no\\u\{1b\}\[31mne, so nothing changed\. Active: plan and rules\./);
  assert.doesNotMatch(shown, /\[y\/N\]/);
  assertHarmless(shown, 'discard');
  assert.equal(exitCode, 2);
});

test('discard is refused where the policy does not let an editor discard, before it asks', async t => {
  const place = homeOf(t);
  const policy: Policy = { rules: [{ class: 'context-file', pattern: '*', may: ['define'] }] };
  const session = await running(place, policy);
  const { shown, exitCode } = await onTerminal(place, ['discard', 'running-1', 'plan'], 'y\r');
  assert.match(shown, /The policy of the session does not let an editor discard, so block plan stays\./);
  assert.doesNotMatch(shown, /\[y\/N\]/);
  assert.equal(exitCode, 1);
  assert.equal(statusOf(session, 'plan'), 'active');
});

test('discard in a session that is over, or in none, says how to find running ones', async t => {
  const place = homeOf(t);
  const session = await place.open({ sessionId: 'past-one' });
  await threeRequests(session);
  await session.close();
  const past = await onTerminal(place, ['discard', 'past-one', 'rules'], 'y\r');
  assert.match(
    past.shown,
    /Session past-one is not running, so no block of it can be discarded\. The running ones are /,
  );
  assert.equal(past.exitCode, 2);
  const none = await onTerminal(place, ['discard', 'nothing', 'rules'], 'y\r');
  assert.match(none.shown, /No session has this id; there is past-one/);
  assert.equal(none.exitCode, 2);
});

test('discard says that the session ended while it asked', async t => {
  const place = homeOf(t);
  const session = await running(place);
  const { shown, exitCode } = await onTerminal(place, ['discard', 'running-1', 'plan'], () =>
    session.close('the agent was closed'),
  );
  assert.match(shown, /context-lifecycle: running-1: .*the agent was closed/);
  assert.equal(exitCode, 2);
});

test('in the running demo, discard says what it frees, what a cache loses and when it pays back', {
  timeout: 120_000,
}, async t => {
  const place = homeOf(t);
  const env = { ...process.env, CONTEXT_LIFECYCLE_HOME: place.home };
  const demo = spawn(process.execPath, [MAIN, 'demo', '--fast', '--keep-open'], { cwd: place.cwd, env, stdio: 'pipe' });
  t.after(() => demo.kill('SIGKILL'));
  demo.stdout.resume();
  const exit = once(demo, 'close');
  const list = async () =>
    (JSON.parse((await place.cli('sessions', '--json')).stdout) as { sessions: { id: string; requests: number }[] })
      .sessions;
  let [session] = await list();
  while (!session || session.requests < 12) {
    await setTimeout(50);
    [session] = await list();
  }
  const { shown, exitCode } = await onTerminal(place, ['discard', session.id, 'http-api'], 'y\r');
  assert.match(shown, /^It frees [~≈]?[\d,]+ tokens of each later request\.$/m);
  assert.match(shown, /^The first part of the request that changes is prefix, number \d+, from byte [\d,]+ on\.$/m);
  assert.match(shown, /^A cache loses [~≈]?[\d,]+ tokens, which are sent anew once\.$/m);
  assert.match(shown, /^It (?:pays back after \d+ requests?|costs nothing|never pays back)\.$/m);
  assert.match(shown, /^Block http-api is discarded: it is absent from request \d+ on\.$/m);
  assert.equal(exitCode, 0);
  demo.kill('SIGINT');
  await exit;
});
