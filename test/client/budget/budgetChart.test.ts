import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { budgetChart, MOST_POINTS, PARTS } from '../../../client/budget/budgetChart.ts';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { budgetActs, budgetSession } from '../../protocol/budget/budgetSessions.ts';
import { activated, discarded, request, sessionOf } from '../views/kit.ts';
import { measured, measuredRequests, pass } from './measured.ts';

const chartOf = (...events: readonly NewEvent[]) => budgetChart(sessionOf(events).state);

test('issue 6: the parts of every point add up to its total, and the last point is the report (T-39)', () => {
  fc.assert(
    fc.property(budgetActs, acts => {
      const { state } = budgetSession(acts).run;
      const { points, report } = budgetChart(state);
      for (const { parts, total } of points) {
        assert.equal(
          PARTS.reduce((sum, part) => sum + parts[part].tokens, 0),
          total.tokens,
        );
      }
      assert.deepEqual(report, usageReport(state));
      const last = points.at(-1);
      assert.deepEqual(last?.total.tokens, report?.total.tokens);
      assert.deepEqual(last?.parts.tier3.tokens, report?.tiers.tier3.tokens);
      assert.equal(
        points.reduce((sum, { marks }) => sum + marks.compressions + marks.emergencies, 0),
        state.budget.compressions,
      );
    }),
    { numRuns: 30 },
  );
});

test('a compression, a cut and a discard stand at the first request that was measured after them', () => {
  const { points } = chartOf(
    activated('plan'),
    measured(1, 400),
    ...request(1, 3),
    pass(1, 2),
    measured(2, 500),
    ...request(2, 11),
    discarded('plan', 3),
    pass(2, 3, { edits: 0 }),
    pass(3, 3, { kind: 'emergency' }),
    measured(3, 450),
    ...request(3, 21),
  );
  assert.deepEqual(
    points.map(({ marks }) => [marks.compressions, marks.emergencies, marks.discards, marks.pass?.after.tokens]),
    [
      [0, 0, 0, undefined],
      [1, 0, 0, 500],
      // The second pass found nothing to change.
      [0, 1, 1, 500],
    ],
  );
});

test('a request that was blocked is a point of its own, beside the one that was sent in its place', () => {
  const { points } = chartOf(
    measured(1, 950, { gate: 'blocked', flags: ['over-limit'] }),
    measured(1, 600),
    ...request(1, 3),
  );
  assert.deepEqual(
    points.map(point => [point.request, point.gate, point.marks.blocked]),
    [
      [1, 'blocked', 1],
      [1, 'sent', 0],
    ],
  );
});

test('the share of the cache is absent where the provider did not say it', () => {
  const answered = (usage: object) =>
    request(1, 2).map(event => (event.type === 'step/end' ? { ...event, data: { ...event.data, usage } } : event));
  const cacheOf = (usage: object) => chartOf(measured(1, 400), ...answered(usage)).points[0]?.cache;
  assert.deepEqual(cacheOf({ input: 400, cacheRead: 300 }), { read: 300, input: 400 });
  assert.deepEqual(cacheOf({ input: 400, cacheRead: 0 }), { read: 0, input: 400 });
  assert.equal(cacheOf({ input: 400 }), undefined);
  assert.equal(cacheOf({ cacheRead: 300 }), undefined);
  assert.equal(cacheOf({ input: 0, cacheRead: 0 }), undefined);
});

test('10,000 requests are 1,000 points: the largest of each ten, with the marks of all of them', () => {
  const totals = Array.from({ length: 10_000 }, (_, index) => 200 + (index % 37));
  totals[5_005] = 690;
  const events = measuredRequests(totals);
  const marked = events.flatMap(event =>
    event.type === 'budget/measured' && event.data.requestSequence % 1_234 === 0
      ? [pass(event.data.requestSequence / 1_234, event.data.requestSequence), event]
      : [event],
  );
  const { points, eachOf } = budgetChart(sessionOf(marked.filter(({ type }) => type.startsWith('budget/'))).state);
  assert.deepEqual([points.length, eachOf], [MOST_POINTS, 10]);
  assert.deepEqual([points[0]?.first, points[0]?.last, points.at(-1)?.last], [1, 10, 10_000]);
  const peak = points[500];
  assert.deepEqual([peak?.request, peak?.first, peak?.last, peak?.total.tokens], [5_006, 5_001, 5_010, 690]);
  assert.equal(
    points.reduce((sum, { marks }) => sum + marks.compressions, 0),
    8,
  );
});

test('one request is one point', () => {
  const { points, eachOf } = chartOf(...measuredRequests([300]));
  assert.deepEqual([points.length, eachOf], [1, 1]);
  assert.deepEqual([points[0]?.window, points[0]?.trigger, points[0]?.hard], [1000, 700, 900]);
});

test('a log says whether the layer is on, once a request was sent', () => {
  assert.deepEqual(chartOf(), { layer: 'unknown', points: [], eachOf: 1 });
  assert.equal(chartOf(...request(1, 1)).layer, 'off');
  assert.equal(chartOf(...measuredRequests([300])).layer, 'on');
});

test('requests behind the last measured one are told: the layer was off for them', () => {
  const { unmeasured, report } = chartOf(...measuredRequests([300]), ...request(2, 8), ...request(3, 14));
  assert.deepEqual(unmeasured, { first: 2, last: 3 });
  assert.equal(report?.requestSequence, 1);
});
