import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type UsageReport, usageReport } from '../../protocol/budget/usageReport.ts';
import { initialState, reduce } from '../../protocol/log/reduce.ts';
import { BudgetRun, exact, talk, user, words } from '../protocol/budget/budgetKit.ts';
import { simulate } from '../protocol/budget/simulation.ts';
import { writeLog } from './budgetLog.ts';
import { assertHarmless } from './hostile.ts';
import { ask, homeOf, INPUT, text } from './sessionKit.ts';

const ASSUMED = { limits: { window: { tokens: 1000, source: 'assumed, because nobody says what m takes' } } };

function runOf(): BudgetRun {
  const run = new BudgetRun({ limits: { window: { tokens: 1_000_000, source: 'the model' } } });
  run.beside = {
    tier1: exact(1923),
    host: { system: exact(20_000), tools: exact(5_000), prefix: exact(0) },
    blocks: [{ id: 'plan', amount: exact(125_000) }],
  };
  run.request(talk(20, 100));
  return run;
}

test('T-37 report prints exactly the lines of seed 3, and nothing else, by id, beginning and path', async t => {
  const { cli, home } = homeOf(t);
  const path = writeLog(home, 'budget-session', runOf().events);
  const stdout = [
    'Context Usage Report:',
    '  TIER 1: 1923 / 50000 (4%)',
    '  TIER 2: 125000 / 250000 (50%)',
    '  TIER 3: 0 / 300000 (0%)',
    '  TIER 4: 2000 / 300000 (1%)',
    '  Total:  153923 / 1000000 (15%)',
    '  Status: NORMAL',
    '  Compressions performed: 0',
    '  Last coherence check: never',
    '',
  ].join('\n');
  for (const name of ['budget-session', 'budg', path]) {
    assert.deepEqual(await cli('report', name), { stdout, stderr: '', exitCode: 0 });
  }
});

test('T-38 a tier above its share, recent messages above theirs and a window that nobody gave are told on standard error', async t => {
  const { cli, home } = homeOf(t);
  const large = new BudgetRun();
  large.beside = { tier1: exact(1923) };
  large.request([]);
  writeLog(home, 'far-over', large.events);
  const far = await cli('report', 'far-over');
  assert.match(far.stdout, /^Context Usage Report:\n {2}TIER 1: 1923 \/ 50 \(3846%\)\n/);
  assert.equal(far.stderr, 'context-lifecycle: Tier 1 takes 1,923 tokens, more than its share of 50.\n');
  const run = new BudgetRun(ASSUMED);
  run.beside = { tier1: exact(60) };
  run.request(talk(40, 12));
  writeLog(home, 'over', run.events);
  const { stderr, exitCode } = await cli('report', 'over');
  assert.equal(
    stderr,
    [
      'Tier 1 takes 60 tokens, more than its share of 50.',
      'The last 50 messages take more than tier 4 may (300 tokens), so the oldest of them count as tier 3.',
      'The window of 1,000 tokens is assumed, because nobody says what m takes. If you know it, set "budget": {"window": …} in config.json.',
      '',
    ]
      .map(line => (line ? `context-lifecycle: ${line}` : line))
      .join('\n'),
  );
  assert.equal(exitCode, 0);
});

test('T-39 --json has the rows of the fold at the same event, with host, origins, limits, flags, session and seq', async t => {
  const { cli, home } = homeOf(t);
  const run = new BudgetRun();
  run.anchors = true;
  run.setTier1({ objective: 'x', constraints: [] });
  run.beside = { host: { system: exact(120), tools: exact(0), prefix: exact(0) } };
  for (const length of [20, 40, 60, 90]) {
    run.request(talk(length, 5));
    run.answer();
  }
  writeLog(home, 'json-session', run.events);
  const { stdout, stderr, exitCode } = await cli('report', 'json-session', '--json');
  assert.deepEqual([stderr, exitCode], ['', 0]);
  const last = run.events.length - 1;
  const expected = { session: 'json-session', seq: last, ...usageReport(run.state) };
  assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(expected)));
  const { tiers, host, unattributed, total, limits } = JSON.parse(stdout) as UsageReport;
  const rows = [...Object.values(tiers), host, unattributed];
  assert.equal(
    rows.reduce((sum, { tokens }) => sum + tokens, 0),
    total.tokens,
  );
  assert.deepEqual([host.tokens, host.origin, limits.binds, limits.hard], [120, 'exact', 'window', 900]);
});

test('--at tells what held when a request was sent, and the last one where it was not sent', async t => {
  const { cli, home } = homeOf(t);
  const run = new BudgetRun();
  run.request(talk(4, 10));
  run.answer();
  run.request(talk(20, 10));
  run.answer();
  run.request([user(words(950))]);
  writeLog(home, 'three', run.events);
  const reports: string[] = [];
  for (const number of ['1', '2', '3']) {
    const { stdout, stderr, exitCode } = await cli('report', 'three', '--at', number);
    assert.deepEqual([stderr.replace(/^.*Tier.*|.*The last 50.*$/gm, '').trim(), exitCode], ['', 0]);
    reports.push(stdout);
  }
  const sealed = run.events.findIndex(({ type }) => type === 'request/sealed');
  const first = run.events.slice(0, sealed + 1).reduce(reduce, initialState);
  assert.equal(reports[0], `${usageReport(first)?.text}\n`);
  assert.match(reports[1] ?? '', /Total: {2}200 \/ 1000 \(20%\)\n {2}Status: NORMAL/);
  assert.match(reports[2] ?? '', /Total: {2}950 \/ 1000 \(95%\)\n {2}Status: CRITICAL/);
  const none = await cli('report', 'three', '--at', '4');
  assert.equal(none.stderr, 'context-lifecycle: three: There is no request "4": it has the requests 1 to 2.\n');
  assert.deepEqual([none.stdout, none.exitCode], ['', 2]);
});

test('a request that may be above the limit, because its number is an estimate, is critical, and why is said', async t => {
  const { cli, home } = homeOf(t);
  const run = new BudgetRun();
  run.beside = { host: { system: { tokens: 850, origin: 'estimated' }, tools: exact(0), prefix: exact(0) } };
  run.request([user('go on')]);
  writeLog(home, 'estimate', run.events);
  const { stdout, stderr, exitCode } = await cli('report', 'estimate');
  assert.match(stdout, /Total: {2}852 \/ 1000 \(85%\)\n {2}Status: CRITICAL/);
  assert.equal(
    stderr,
    'context-lifecycle: Request 1 takes ~852 tokens, an estimate that may be too low: it may be above the limit of 900, so it counts as above it.\n',
  );
  assert.equal(exitCode, 0);
});

test('report of a session without the layer says how to turn it on, and exits with 2', async t => {
  const { cli, open } = homeOf(t);
  const session = await open({ sessionId: 'plain-one' });
  await ask(session, { ...INPUT, messages: [text('user', 'a')] });
  const { stdout, stderr, exitCode } = await cli('report', 'plain-one');
  assert.equal(stdout, '');
  assert.match(
    stderr,
    /^context-lifecycle: plain-on: The budget layer measured nothing in this session, because it was/,
  );
  assert.match(stderr, /"budget": \{"enabled": true\} into config\.json/);
  assert.equal(exitCode, 2);
  const missing = await cli('report', 'nobody');
  assert.equal(missing.exitCode, 2);
  assert.match(missing.stderr, /No session has this id; there is plain-on/);
});

test('requests that were sent with the layer off again are named', async t => {
  const { cli, home } = homeOf(t);
  const run = new BudgetRun();
  run.request(talk(4, 10));
  run.answer();
  const measured = run.events.length;
  run.request(talk(6, 10));
  const later = run.events.slice(measured).filter(({ type }) => !type.startsWith('budget/'));
  const events = [...run.events.slice(0, measured), ...later].map((event, seq) => ({ ...event, seq }));
  const renumbered = events.map(event => {
    const stepStart = events.findLastIndex(({ type, seq }) => type === 'step/start' && seq < event.seq);
    return event.type === 'request/sealed' ? { ...event, data: { ...(event.data as object), stepStart } } : event;
  });
  writeLog(home, 'off-again', renumbered);
  const { stdout, stderr } = await cli('report', 'off-agai');
  assert.match(stdout, /Total: {2}40 \/ 1000/);
  assert.match(
    stderr,
    /^context-lifecycle: The numbers are those of request 1: later ones, up to request 2, were not measured, because /,
  );
});

test('what a log names is harmless on a terminal', async t => {
  const { cli, home } = homeOf(t);
  const hostile = 'assumed\u001b[2J\n::error::x \u202e##[group]';
  const run = new BudgetRun({ limits: { window: { tokens: 1000, source: hostile } } });
  run.beside = { tier1: exact(60) };
  run.request(talk(4, 10));
  const path = writeLog(home, `ho\u001b[31mstile`, run.events);
  for (const flags of [[], ['--json']]) {
    const { stdout, stderr } = await cli('report', path, ...flags);
    assertHarmless(stdout, 'stdout');
    assertHarmless(stderr, 'stderr');
    assert.match(stderr, /assumed\\u\{1b\}/);
  }
});

test('T-40 the report of a session of 1,000 requests and 1,000,000 tokens is that of its fold, and leaves the log as it is', async t => {
  const { cli, home } = homeOf(t);
  const { run, handedOver } = simulate(200_000, 1000);
  assert.ok(handedOver >= 1_000_000);
  writeLog(home, 'million-tokens', run.events);
  const { stdout, stderr, exitCode } = await cli('report', 'million');
  assert.equal(stdout, `${usageReport(run.state)?.text}\n`);
  assert.match(stdout, /Status: COMPRESSED\n {2}Compressions performed: [1-9]\d*\n {2}Last coherence check: 20/);
  assert.deepEqual([stderr, exitCode], ['', 0]);
  const middle = JSON.parse((await cli('report', 'million', '--json', '--at', '500')).stdout);
  assert.equal(middle.requestSequence, 500);
  t.diagnostic(stdout);
});
