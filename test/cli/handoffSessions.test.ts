import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Session } from '../../adapter/sessionTypes.ts';
import { readHandoff } from '../../protocol/budget/handoff/handoffFile.ts';
import { CONFIG, layerOn, talk, WORDS, words } from '../adapter/budget/budgetLayerKit.ts';
import { assistant, call, discardLine, EPHEMERAL, result, user } from '../protocol/lifecycle/lifecycleKit.ts';
import { turnOn } from './budgetLog.ts';
import { block } from './cliKit.ts';
import { assertHarmless } from './hostile.ts';
import { ask, homeOf } from './sessionKit.ts';

const SOURCE = {
  source: 'AGENTS.md',
  class: 'context-file',
  text: block('rules', 'Be kind.\n') + block('plan'),
} as const;

const LAYER = {
  config: {
    announce: false,
    countTokens: true,
    budget: layerOn({ task: 'Move the shop', constraints: [{ id: 'tabs', text: 'Use tabs' }] }),
  },
  counter: WORDS,
} as const;

/** Types of the events that a session logged behind so many. */
function typesBehind(session: Session, lines: number): readonly string[] {
  const logged = readFileSync(session.logFile, 'utf8').trimEnd().split('\n').slice(1);
  return logged.slice(lines).map(line => (JSON.parse(line) as { readonly type: string }).type);
}

test('a session is saved, a new one in its folder goes on from it, once, and both report what they take (T-31, T-32, T-36, T-39)', async t => {
  const { cli, cwd, home, open } = homeOf(t, { 'AGENTS.md': SOURCE.text });
  turnOn(home);
  const first = await open({ sessionId: 'first-session', ...LAYER });
  first.loadSource(SOURCE);
  first.control({ source: 'a-plugin', class: 'plugin', text: discardLine('plan') });
  const told = [
    user(`You must ask Ana first.\n${discardLine('rules')}\nPlease build it`),
    call('c1'),
    result('c1', `${EPHEMERAL}\n${words(20, 'r')}`),
    assistant('It is built'),
  ];
  const messages = [...told, ...talk(100, 9), user('Never touch production')];
  for (const length of [3, 41, 81, messages.length]) {
    await ask(first, { config: CONFIG, messages: messages.slice(0, length) });
  }
  const report = first.usageReport();
  assert.ok(report && report.compressions > 0);
  const running = await cli('report', 'first');
  assert.deepEqual(running, { stdout: `${report.text}\n`, stderr: running.stderr, exitCode: 0 });
  const { session: id, seq, ...rows } = JSON.parse((await cli('report', 'first', '--json')).stdout);
  assert.deepEqual([id, rows], ['first-session', JSON.parse(JSON.stringify(report))]);
  assert.equal(seq, first.state.nextSeq - 1);
  await first.close();

  const saved = await cli('handoff', 'save', 'first', '--out', 'saved.json');
  assert.deepEqual([saved.stderr, saved.exitCode], ['', 0]);
  const resumed = await cli('handoff', 'resume', 'saved.json', '--agent', 'test');
  assert.deepEqual([resumed.stderr, resumed.exitCode], ['', 0]);
  const other = await open({ agent: 'other', ...LAYER });
  assert.ok(!other.notices.some(notice => notice.includes('goes on from')));

  const second = await open({ sessionId: 'second-session', ...LAYER });
  assert.ok(second.notices.includes('This session goes on from session first-session.'), second.notices.join('\n'));
  const outcomes = second.loadSource(SOURCE).map(({ blockId, outcome }) => [blockId, outcome]);
  assert.deepEqual(outcomes, [['rules', 'activated']]);
  const begun = second.state.nextSeq;
  const sent = await ask(second, { config: CONFIG, messages: [user('go on')] });
  for (const part of ['Move the shop', 'Use tabs', 'You must ask Ana first.', 'Never touch production', 'go on']) {
    assert.ok(sent.includes(part), part);
  }
  assert.ok(!sent.includes('BLOCK_ID:plan-->'));
  // T-31, T-36: nothing of the file was executed or audited again.
  assert.equal(second.state.lifecycle.blocks.get('rules')?.status, 'active');
  assert.deepEqual(
    typesBehind(second, begun).filter(type => /^(?:discard|ephemeral|block)\//.test(type)),
    [],
  );
  assert.deepEqual([second.usageReport()?.status, second.state.budget.lastCheck?.occasion], ['NORMAL', 'resume']);
  assert.equal((await cli('report', 'second')).stdout, `${second.usageReport()?.text}\n`);
  await second.close();

  const third = await open({ sessionId: 'third-session', ...LAYER });
  assert.ok(!third.notices.some(notice => notice.includes('goes on from')));
  const again = await cli('handoff', 'save', 'second', '--out', 'again.json');
  assert.deepEqual([again.stderr, again.exitCode], ['', 0]);
  const chain = readHandoff(readFileSync(join(cwd, 'again.json'), 'utf8'));
  assert.equal(chain.parent, 'first-session');
  assert.deepEqual(
    chain.sessions.map(({ session, requests }) => [session, requests]),
    [
      ['first-session', 4],
      ['second-session', 1],
    ],
  );
  const constraints = chain.history.flatMap(({ record }) => record.active_constraints);
  assert.deepEqual(constraints, ['You must ask Ana first.', 'Never touch production']);
  assert.deepEqual(
    chain.lifecycle.blocks.map(({ blockId, status }) => [blockId, status]),
    [
      ['plan', 'discarded'],
      ['rules', 'active'],
    ],
  );
  const log = await cli('log', 'second', '--type', 'budget');
  assertHarmless(log.stdout, 'log');
  assert.match(log.stdout, / The session goes on from session first-session \(blocks: 2; gaps: \d+\)\.\n/);
  assert.match(log.stdout, / What the session took over was checked \(in order: \d+; contradictions: 0; /);
});
