import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetStatus } from '../../../client/budget/budgetStatus.ts';
import { statusText } from '../../../client/session/statusText.ts';
import { sessionRows } from '../../../client/views/sessionRows.ts';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { drawingOf, request, rowNamed, sessionOf, sessionsOf, wording } from '../views/kit.ts';
import { measured, measuredRequests, pass } from './measured.ts';

function statusOf(...events: readonly NewEvent[]): string {
  const { state } = sessionOf(events);
  const report = usageReport(state);
  assert.ok(report);
  const { level, reason } = budgetStatus(report, state);
  return reason ? `${level}: ${renderMessage(reason)}` : level;
}

test('issue 6: the status is a warning from the trigger on and an error above the limit, with the reason in words', () => {
  assert.equal(statusOf(measured(1, 700)), 'normal');
  assert.equal(
    statusOf(pass(1, 1), measured(1, 701)),
    'warning: 70% of the window: history is compressed when it grows',
  );
  assert.equal(
    statusOf(measured(1, 860, { flags: ['pressure', 'near-limit'] })),
    'warning: 86% of the window: the limit is near',
  );
  assert.equal(
    statusOf(measured(1, 950, { flags: ['over-limit'], gate: 'blocked' })),
    'error: 95% of the window: above the limit, so request 1 was not sent',
  );
  assert.equal(
    statusOf(measured(1, 950, { flags: ['over-limit'], gate: 'warned' })),
    'error: 95% of the window: above the limit, and sent all the same',
  );
});

test('a request that only may be above its limit says so: its numbers alone would not', () => {
  assert.equal(
    statusOf(measured(1, 850, { flags: ['over-limit'], gate: 'blocked' })),
    'error: 85% of the window: maybe above the limit, so request 1 was not sent',
  );
  assert.equal(
    statusOf(measured(1, 850, { flags: ['over-limit'], gate: 'warned' })),
    'error: 85% of the window: maybe above the limit, and sent all the same',
  );
});

test('once it is within its limits again the status is normal', () => {
  assert.equal(statusOf(measured(1, 950, { flags: ['over-limit'], gate: 'blocked' }), measured(1, 500)), 'normal');
});

test('the status bar has the reason in place of the tokens, and the level for its colour', () => {
  const barOf = (...events: readonly NewEvent[]) => statusText(sessionsOf(sessionOf(events)), wording);
  const near = barOf(measured(1, 860, { flags: ['near-limit'] }), ...request(1, 2));
  assert.equal(near?.budget, 'warning');
  assert.equal(near?.label, '0 blocks active, 86% of the window: the limit is near');
  assert.match(
    near?.tooltip ?? '',
    /\nBudget: 86% of the window: the limit is near\. Window: 1,000 tokens, never compressed\.$/,
  );
  const normal = barOf(...measuredRequests([300]));
  assert.equal(normal?.budget, 'normal');
  assert.equal(normal?.label, '0 blocks active, ≈1,100 tokens');
  assert.match(normal?.spoken ?? '', / Budget: 30% of the window of 1,000, never compressed\.$/);
  assert.equal(barOf(...request(1, 1))?.budget, undefined);
});

test('the session view has a row that says how full the window is, and opens the budget', () => {
  const rowsOf = (...events: readonly NewEvent[]) => sessionRows(sessionsOf(sessionOf(events)), drawingOf('session'));
  const row = rowNamed(rowsOf(pass(1, 1), pass(2, 1), measured(1, 610)), 'Budget');
  assert.equal(row.description, '61% of 1,000 · compressed 2 times');
  assert.equal(row.spoken, 'Budget: 61% of 1,000 · compressed 2 times.');
  assert.deepEqual(row.command?.command, 'contextLifecycle.showBudget');
  assert.deepEqual(row.command?.arguments, [{ session: 'key' }]);
  const full = rowNamed(rowsOf(measured(1, 950, { flags: ['over-limit'], gate: 'blocked' })), 'Budget');
  assert.equal(full.icon, 'error');
  assert.match(full.spoken ?? '', /95% of the window: above the limit, so request 1 was not sent\.$/);
  assert.throws(() => rowNamed(rowsOf(...request(1, 1)), 'Budget'));
});
