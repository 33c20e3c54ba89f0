import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UnitStories } from '../../adapter/budget/unitStories.ts';
import { type HandoffFile, readHandoff } from '../../protocol/budget/handoff/handoffFile.ts';
import { saveHandoff } from '../../protocol/budget/handoff/saveHandoff.ts';
import { scanDeclarations } from '../../protocol/lifecycle/scan.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { assistant, call, result, sha256, talk, user, words } from '../protocol/budget/budgetKit.ts';
import { definition, discardLine, EPHEMERAL } from '../protocol/lifecycle/lifecycleKit.ts';
import { LoggedRun, openedWith, writeLog } from './budgetLog.ts';
import { assertHarmless } from './hostile.ts';
import { homeOf, threeRequests } from './sessionKit.ts';

type Place = ReturnType<typeof homeOf>;

/** Saves the session of a run, and reads what came of it. */
async function savedBy({ cli, home, cwd }: Place, run: LoggedRun, ...flags: readonly string[]): Promise<HandoffFile> {
  writeLog(home, 'saved-session', run.events);
  const { stderr, exitCode } = await cli('handoff', 'save', 'saved-session', '--out', 'file.json', ...flags);
  assert.deepEqual([stderr, exitCode], ['', 0]);
  return readHandoff(readFileSync(join(cwd, 'file.json'), 'utf8'));
}

/** A session that was compressed, with a first tier, an update, a failed tool, and talk behind all of it. */
function longRun(): { readonly run: LoggedRun; readonly messages: readonly JsonObject[] } {
  const run = new LoggedRun();
  run.anchors = true;
  run.setTier1({ objective: 'Move the shop', constraints: [{ id: 'tabs', text: 'Use tabs' }] });
  run.update('tabs', 'Use spaces');
  const start = [
    user('You must ask first. Please build it'),
    call('c1'),
    result('c1', `It failed\n${words(30)}\nexit code 1`),
  ];
  const messages = [...start, ...talk(100, 9), user('Never touch production')];
  for (const length of [2, 40, 80, messages.length]) {
    run.request(messages.slice(0, length + 1));
    run.answer();
  }
  assert.ok(run.state.budget.compressions > 0);
  return { run, messages };
}

test('seed 3, rule 6: a session is saved from its log alone as it would be saved while it runs', async t => {
  const { run, messages } = longRun();
  const file = await savedBy(homeOf(t), run);
  const stories = new UnitStories();
  run.events.forEach(event => stories.remember(event));
  const view = { ...run.viewOf(messages), timeOf: (unit: string) => stories.timeOf(unit) };
  const live = saveHandoff({
    session: 'saved-session',
    created: file.created,
    view,
    fold: run.state,
    contents: run.contents,
    events: run.events,
  });
  const { gaps, ...rest } = file;
  assert.deepEqual(rest, JSON.parse(JSON.stringify({ ...live, gaps: undefined })));
  assert.deepEqual(gaps, [
    'What the model answered last is not known: the log of session "saved-session" ends before it.',
  ]);
  assert.equal(file.tier1?.objective, 'Move the shop');
  assert.deepEqual(file.tier1?.overrides, [{ old: 'Use tabs', now: 'Use spaces' }]);
  const constraints = file.history.flatMap(({ record }) => record.active_constraints);
  assert.deepEqual(constraints, ['You must ask first.', 'Never touch production']);
  assert.match(file.history.at(-1)?.record.period ?? '', /^2026-01-01T00:\d\d:\d\dZ - 2026/);
});

test('T-31 a tag that somebody quoted stands in no line of the file by itself', async t => {
  const run = new LoggedRun();
  run.request([user(`You must obey this:\n${discardLine('x')}\nNever forget ${discardLine('x')}`), assistant('yes')]);
  const place = homeOf(t);
  const file = await savedBy(place, run);
  assert.ok(JSON.stringify(file).includes('DISCARD_BLOCK:x'));
  assert.deepEqual(scanDeclarations(readFileSync(join(place.cwd, 'file.json'), 'utf8')), []);
});

test('T-32 T-36 what was discarded and what was consumed is saved, with who did it', async t => {
  const run = new LoggedRun();
  run.lifecycle.loadSource({
    source: 'AGENTS.md',
    class: 'context-file',
    text: definition('plan') + definition('rules'),
  });
  run.lifecycle.control({ source: 'a-plugin', class: 'plugin', text: discardLine('plan') });
  run.request([call('c1'), result('c1', EPHEMERAL), assistant('read'), user('go on')]);
  const { lifecycle, documents } = await savedBy(homeOf(t), run);
  assert.deepEqual(
    lifecycle.blocks.map(({ blockId, status, discarded }) => [blockId, status, discarded?.source]),
    [
      ['plan', 'discarded', 'a-plugin'],
      ['rules', 'active', undefined],
    ],
  );
  assert.deepEqual(
    lifecycle.consumed.map(({ unit }) => unit),
    ['id:c1'],
  );
  assert.deepEqual(
    documents.map(({ document }) => document),
    ['AGENTS.md'],
  );
});

test('T-34 of eleven errors in a log the last ten are saved', async t => {
  const run = new LoggedRun();
  const messages = Array.from({ length: 11 }, (_, index) => [
    call(`c${index}`),
    result(`c${index}`, `error number ${index}\nexit code 2`),
  ]).flat();
  run.request([user('go on'), ...messages]);
  const { error_history: errors, omitted_results: results } = await savedBy(homeOf(t), run);
  assert.deepEqual(
    errors,
    Array.from({ length: 10 }, (_, index) => `error number ${index + 1}`),
  );
  assert.equal(results.length, 11);
});

test('a session that went on from another one is saved with the chain of both', async t => {
  const run = new LoggedRun();
  const chain = [{ session: 'first', requests: 3, turns: 2, compressions: 1 }];
  const from = {
    action: 'resumed',
    from: 'first',
    sha256: sha256(''),
    blocks: [],
    gaps: [],
    requestSequence: 1,
  } as const;
  run.append({ type: 'budget/handoff', data: { ...from, sessions: chain } });
  run.request([user('go on')]);
  run.answer();
  const { parent, sessions } = await savedBy(homeOf(t), run);
  assert.equal(parent, 'first');
  assert.deepEqual(sessions, [...chain, { session: 'saved-session', requests: 1, turns: 0, compressions: 0 }]);
});

test('the host’s own state and what waits are handed on', async t => {
  const place = homeOf(t, { 'state.json': '{"step":4}', 'wrong.json': '[1]' });
  const run = new LoggedRun();
  run.request([user('go on')]);
  const flags = ['--task-state', 'state.json', '--pending', 'confirm the push', '--pending', 'tell Ana'];
  const file = await savedBy(place, run, ...flags);
  assert.deepEqual([file.task_state, file.pending_actions], [{ step: 4 }, ['confirm the push', 'tell Ana']]);
  for (const [name, reason] of [
    ['wrong.json', 'It holds no JSON object.'],
    ['gone.json', 'There is no such file or folder.'],
  ] as const) {
    const { stderr, exitCode } = await place.cli('handoff', 'save', 'saved-session', '--task-state', name);
    assert.ok(stderr.includes(reason), stderr);
    assert.equal(exitCode, 2);
  }
});

test('a session that had no layer is saved too, by the beginning of its id, into a file that its owner alone can read', async t => {
  const { cli, cwd, open } = homeOf(t);
  const session = await open({ sessionId: '0123456789abcdef' });
  await threeRequests(session);
  const before = readFileSync(session.logFile);
  const { stdout, stderr, exitCode } = await cli('handoff', 'save', '0123');
  assert.deepEqual([stderr, exitCode], ['', 0]);
  assert.match(
    stdout,
    /^Session 01234567 is saved in handoff-01234567\.json \(no task; summaries of the whole history: \d+; blocks: 2 \(discarded: 1\); results of tools, which are not saved: 1\)\.\n/,
  );
  const path = join(cwd, 'handoff-01234567.json');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const file = readHandoff(readFileSync(path, 'utf8'));
  assert.deepEqual([file.session, file.tier1, file.lifecycle.consumed.length], ['0123456789abcdef', undefined, 1]);
  assert.deepEqual(readFileSync(session.logFile), before);
});

test('a file that is there is not written over, unless --force says so', async t => {
  const { cli, cwd, home } = homeOf(t, { 'mine.json': 'mine' });
  const run = new LoggedRun();
  run.request([user('go on')]);
  writeLog(home, 'saved-session', run.events);
  const kept = await cli('handoff', 'save', 'saved', '--out', 'mine.json');
  assert.equal(
    kept.stderr,
    'context-lifecycle: mine.json: It is there already. Name another file with --out, or write over it with --force.\n',
  );
  assert.deepEqual([kept.stdout, kept.exitCode, readFileSync(join(cwd, 'mine.json'), 'utf8')], ['', 2, 'mine']);
  const forced = await cli('handoff', 'save', 'saved', '--out', 'mine.json', '--force');
  assert.deepEqual([forced.stderr, forced.exitCode], ['', 0]);
  assert.equal(readHandoff(readFileSync(join(cwd, 'mine.json'), 'utf8')).session, 'saved-session');
  assert.equal(statSync(join(cwd, 'mine.json')).mode & 0o777, 0o600);
  const nowhere = await cli('handoff', 'save', 'saved', '--out', 'no/such/folder.json');
  assert.match(nowhere.stderr, /no\/such\/folder\.json: There is no such file or folder\.\n$/);
  assert.equal(nowhere.exitCode, 2);
  assert.deepEqual(readdirSync(cwd), ['mine.json']);
  const shown = await cli('handoff', 'save', 'saved', '--out', '-');
  assert.equal(readHandoff(shown.stdout).session, 'saved-session');
});

test('a log that holds hashes, one of another program’s messages and an empty one cannot be saved, and why is said', async t => {
  const { cli, cwd, home } = homeOf(t);
  writeLog(home, 'hashes-1', [openedWith({ content: 'hashes' })]);
  writeLog(home, 'foreign-1', [openedWith({ format: 'x\u001b[2J' })]);
  writeLog(home, 'empty-1', []);
  for (const [name, reason] of [
    ['hashes-1', /hashes-1: This log holds hashes in place of content, so the session cannot be saved\. Set "content"/],
    ['foreign-1', /foreign-: Its messages are of the form "x\\u001b\[2J", which this program does not read\. /],
    ['empty-1', /empty-1: Nothing happened in this session, so there is nothing to save\./],
  ] as const) {
    const { stdout, stderr, exitCode } = await cli('handoff', 'save', name);
    assert.match(stderr, reason);
    assertHarmless(stderr, name);
    assert.deepEqual([stdout, exitCode], ['', 2]);
  }
  assert.deepEqual(readdirSync(cwd), []);
});

test('a log that ends early is saved as far as it goes, and the exit code says it', async t => {
  const { cli, cwd, home } = homeOf(t);
  const run = new LoggedRun();
  run.request([user('You must go on')]);
  const path = writeLog(home, 'saved-session', run.events);
  writeFileSync(path, `${readFileSync(path, 'utf8')}garbage\n`);
  const { stderr, exitCode } = await cli('handoff', 'save', 'saved', '--out', 'file.json');
  assert.match(stderr, /The log can be used up to #\d+; what follows cannot: /);
  assert.equal(exitCode, 2);
  assert.equal(readHandoff(readFileSync(join(cwd, 'file.json'), 'utf8')).history.length, 1);
});

test('names in a log are harmless on a terminal', async t => {
  const { cli, home } = homeOf(t);
  const hostile = 'a\u001b[2J\n::error::x \u202e##[group]';
  const run = new LoggedRun();
  run.request([user('go on')]);
  run.answer();
  const path = writeLog(home, hostile, run.events);
  const { stdout, stderr } = await cli('handoff', 'save', path);
  assert.match(stdout, /ends before it/);
  assertHarmless(stdout + stderr, 'save');
});
