import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSession } from '../../../adapter/openSession.ts';
import type { SessionOptions } from '../../../adapter/sessionTypes.ts';
import { applyRetention } from '../../../local/retention.ts';
import { homeOf } from './sessionKit.ts';

const block = (id: string, text: string) => `<!--BLOCK_ID:${id}-->\n${text}\n<!--/BLOCK_ID:${id}-->\n`;
const messages = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }];
const request = { messages, config: { model: 'm' } };
const quiet = { announce: false, countTokens: false } as const;

function options(folder: string, more: Partial<SessionOptions> = {}): SessionOptions {
  return { agent: 'test', sessionId: 'one', folder, config: quiet, ...more };
}

function writeConfig(folder: string, config: object): void {
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config), { mode: 0o600 });
}

test('DESIGN, Trust: config.json sets policy and content of a session, and what openSession is given overrides it', async t => {
  const folder = homeOf(t);
  writeConfig(folder, { content: 'hashes', policy: { rules: [] } });
  const session = await openSession(options(folder));
  assert.deepEqual(session.state.opened?.policy, { rules: [] });
  assert.equal(session.state.opened?.content, 'hashes');
  await session.close();
  const rules = [{ class: 'plugin', pattern: '*', may: ['discard'] }] as const;
  const second = await openSession(options(folder, { policy: { rules }, config: { ...quiet, content: 'full' } }));
  assert.deepEqual(second.state.opened?.policy, { rules });
  assert.equal(second.state.opened?.content, 'full');
  await second.close();
});

test('DESIGN, Trust: sources of config.json load before everything that an agent brings', async t => {
  const folder = homeOf(t);
  mkdirSync(folder, { recursive: true });
  const mine = join(folder, 'mine.md');
  writeFileSync(mine, `\uFEFF${block('rules', 'mine')}`);
  writeConfig(folder, { sources: [mine, join(folder, 'gone.md')] });
  const session = await openSession(options(folder));
  const outcomes = session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: block('rules', 'theirs') });
  assert.deepEqual(outcomes, [{ blockId: 'rules', outcome: 'conflict' }]);
  const sealed = await session.buildRequest(request);
  assert.match(JSON.stringify(sealed.messages[0]), /mine/);
  assert.doesNotMatch(JSON.stringify(sealed.messages), /theirs/);
  assert.equal(session.notices.filter(sentence => sentence.includes('gone.md')).length, 1);
  await session.close();
});

test('a config.json that cannot be read is said, and nothing is allowed until it is mended', async t => {
  const folder = homeOf(t);
  writeFileSync(join(folder, 'config.json'), '{', { mode: 0o600 });
  const session = await openSession(options(folder));
  assert.match(session.notices.join('\n'), /config\.json cannot be used/);
  const outcomes = session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: block('a', 'text') });
  assert.deepEqual(outcomes, [{ blockId: 'a', outcome: 'denied' }]);
  await session.close();
});

test('DESIGN, The log: after retention removed its log, a session that goes on still knows what was discarded', async t => {
  const folder = homeOf(t);
  const source = {
    source: 'AGENTS.md',
    class: 'context-file',
    text: block('a', 'first') + block('b', 'second'),
  } as const;
  const session = await openSession(options(folder));
  session.loadSource(source);
  await session.buildRequest(request);
  session.control({ source: 'flow', class: 'host-workflow', text: '<!--DISCARD_BLOCK:a-->' });
  await session.close();
  const { removed } = await applyRetention(join(folder, 'sessions'), { days: 0, bytes: 0 }, Date.now() + 86_400_000);
  assert.equal(removed.length, 1);
  const again = await openSession(options(folder));
  assert.equal(again.state.opened?.reason, 'resumed');
  again.loadSource(source);
  const sealed = await again.buildRequest(request);
  assert.match(JSON.stringify(sealed.messages), /second/);
  assert.doesNotMatch(JSON.stringify(sealed.messages), /first/);
  await again.close();
});

test('DESIGN, The log: a resume without any record says that earlier discards are unknown', async t => {
  const folder = homeOf(t);
  const session = await openSession(options(folder, { hasHistory: true }));
  assert.equal(session.state.opened?.earlierUnknown, true);
  await session.close();
  const damaged = homeOf(t);
  const first = await openSession(options(damaged));
  await first.close();
  await applyRetention(join(damaged, 'sessions'), { days: 0, bytes: 0 }, Date.now() + 86_400_000);
  const summary = join(
    damaged,
    'sessions',
    'summaries',
    `${first.logFile.split('/').at(-1)?.replace('.jsonl', '.json')}`,
  );
  writeFileSync(summary, readFileSync(summary, 'utf8').slice(0, 20));
  const again = await openSession(options(damaged));
  assert.equal(again.state.opened?.earlierUnknown, true);
  assert.match(again.notices.join('\n'), /Earlier discards of this session are unknown/);
  await again.close();
});

test('DESIGN, Trust: a setting that a program leaves undefined overrides nothing of config.json', async t => {
  const folder = homeOf(t);
  writeConfig(folder, { content: 'hashes' });
  const unset = { ...quiet, content: undefined } as unknown as typeof quiet;
  const session = await openSession(options(folder, { config: unset }));
  assert.equal(session.state.opened?.content, 'hashes');
  await session.close();
});

test('a program turns the budget layer on with one word, and what it writes wrong there is named and opens no session', async t => {
  const folder = homeOf(t);
  const budget = { enabled: true, window: 6000, ...({ task: undefined } as object) };
  const session = await openSession(options(folder, { config: { announce: false, budget } }));
  assert.equal(session.setTier1({ constraints: [] }, { class: 'host-workflow', source: 'test' }), true);
  await session.buildRequest(request);
  assert.match(session.usageReport()?.text ?? '', / \/ 6000 \(/);
  await session.close();
  const wrong: readonly (readonly [unknown, string])[] = [
    [true, "'budget' must be an object with enabled, "],
    [{ enabeld: true }, "'budget.enabeld' is unknown there; it may have enabled, "],
    [
      { enabled: true, window: '200k' },
      "'budget.window' must be a whole number of tokens from 1. Mend the config that ",
    ],
    [{ enabled: true, window: Number.NaN }, "'budget.window' must be a whole number of tokens from 1. "],
  ];
  for (const [budget, said] of wrong) {
    const given = { announce: false, budget } as NonNullable<SessionOptions['config']>;
    await assert.rejects(openSession(options(folder, { sessionId: 'two', config: given })), (error: Error) => {
      assert.equal(error.name, 'SessionConfigError');
      assert.ok(error.message.startsWith(`The session was not opened, because ${said}`), error.message);
      return true;
    });
  }
});
