import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoTime } from '../../../protocol/budget/isoTime.ts';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import { initialState, reduce } from '../../../protocol/log/reduce.ts';
import { stateFromJson, stateToJson } from '../../../protocol/log/stateJson.ts';
import { BudgetRun, exact, talk, user, WINDOW, words } from './budgetKit.ts';

test('T-37 the report has exactly the lines of seed 3', () => {
  const run = new BudgetRun({ limits: { window: { tokens: 1_000_000, source: 'the model' } } });
  run.beside = {
    tier1: exact(1923),
    host: { system: exact(20_000), tools: exact(5_000), prefix: exact(0) },
    blocks: [{ id: 'plan', amount: exact(125_000) }],
  };
  run.request(talk(20, 100));
  assert.equal(
    usageReport(run.state)?.text,
    [
      'Context Usage Report:',
      '  TIER 1: 1923 / 50000 (4%)',
      '  TIER 2: 125000 / 250000 (50%)',
      '  TIER 3: 0 / 300000 (0%)',
      '  TIER 4: 2000 / 300000 (1%)',
      '  Total:  153923 / 1000000 (15%)',
      '  Status: NORMAL',
      '  Compressions performed: 0',
      '  Last coherence check: never',
    ].join('\n'),
  );
});

test('T-38 a tier above its share is told as it is, with a flag', () => {
  const run = new BudgetRun();
  run.beside = { tier1: exact(1923) };
  run.request([]);
  const report = usageReport(run.state);
  assert.match(report?.text ?? '', /TIER 1: 1923 \/ 50 \(3846%\)/);
  assert.ok(report?.flags.includes('tier1-over-max'));
});

test('percentages are rounded half up', () => {
  const percent = (tokens: number) => {
    const run = new BudgetRun();
    run.beside = { tier1: exact(tokens) };
    run.request([]);
    return usageReport(run.state)?.total.percent;
  };
  assert.deepEqual([percent(4), percent(5), percent(14), percent(15)], [0, 1, 1, 2]);
});

test('T-39 the report is the same for everyone at the same event: folded at once, in pieces, or from a snapshot', () => {
  const run = new BudgetRun();
  run.anchors = true;
  run.setTier1({ objective: 'x', constraints: [] });
  run.beside = { host: { system: exact(120), tools: exact(0), prefix: exact(0) } };
  for (const length of [20, 60, 90, 110]) {
    run.request(talk(length, 7));
    run.answer();
  }
  for (let seq = 1; seq <= run.events.length; seq++) {
    const folded = run.events.slice(0, seq).reduce(reduce, initialState);
    const copy = stateFromJson(JSON.parse(JSON.stringify(stateToJson(folded))));
    assert.deepEqual(usageReport(copy), usageReport(folded));
  }
  const report = usageReport(run.state);
  const measured = run.last('budget/measured');
  assert.deepEqual(
    [report?.total.tokens, report?.tiers.tier3.tokens, report?.host.tokens],
    [measured.total.tokens, measured.tiers.tier3.tokens, 120],
  );
  const sum = Object.values(report?.tiers ?? {}).reduce((all, { tokens }) => all + tokens, 0);
  assert.equal(sum + 120 + (report?.unattributed.tokens ?? 0), report?.total.tokens);
});

test('T-40 a report changes no state and no byte of a request', () => {
  const [quiet, asked] = [new BudgetRun(), new BudgetRun()];
  for (const length of [40, 90, 120]) {
    quiet.request(talk(length, 9));
    usageReport(asked.state);
    asked.request(talk(length, 9));
    const before = JSON.stringify(stateToJson(asked.state));
    usageReport(asked.state);
    assert.equal(JSON.stringify(stateToJson(asked.state)), before);
  }
  assert.equal(JSON.stringify(asked.events), JSON.stringify(quiet.events));
});

test('the status: compressed while an edit shows, critical above the limit or while a reset is asked for', () => {
  const run = new BudgetRun();
  const status = () => usageReport(run.state)?.status;
  assert.equal(usageReport(run.state), undefined);
  run.beside = { host: { system: exact(750), tools: exact(0), prefix: exact(0) } };
  run.request([user('hi there')]);
  assert.deepEqual([status(), usageReport(run.state)?.flags], ['NORMAL', ['pressure']]);
  run.beside = { host: { system: exact(100), tools: exact(0), prefix: exact(0) } };
  run.request([...talk(44, 9), ...talk(50, 6, 'r')]);
  assert.equal(status(), 'COMPRESSED');
  run.request(talk(4, 6, 'r'));
  assert.equal(status(), 'NORMAL');
  run.request([user(words(950))]);
  assert.equal(status(), 'CRITICAL');
  run.request(talk(4, 6, 'r'));
  assert.equal(status(), 'NORMAL');
});

test('the last check is told in ISO 8601', () => {
  const run = new BudgetRun(WINDOW);
  run.anchors = true;
  run.setTier1({ objective: 'x', constraints: [] });
  run.interact(101);
  const report = usageReport(run.state);
  const { time = 0 } = run.state.budget.lastCheck ?? {};
  assert.equal(report?.lastCheck, new Date(time).toISOString().replace('.000', ''));
  assert.match(report?.text ?? '', /Last coherence check: 2026-01-01T00:\d\d:\d\dZ$/);
});

test('times are those of the calendar', () => {
  for (const time of [
    0, -1, 951_782_399_999, 951_782_400_000, 1_709_208_000_000, 4_102_444_800_000, -62_135_596_800_000,
  ]) {
    assert.equal(isoTime(time), new Date(time).toISOString().replace(/\.\d+Z/, 'Z'));
  }
});
