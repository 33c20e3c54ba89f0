import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BudgetNotices } from '../../../client/budget/budgetNotices.ts';
import { renderMessage } from '../../../protocol/lifecycle/text.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import { HEADER } from '../../adapter/host/hostKit.ts';
import { logOf } from '../../protocol/log/sessions.ts';
import { measured } from './measured.ts';

function notices() {
  const budget = new BudgetNotices();
  const session = { key: 'one', header: HEADER };
  return (...events: readonly NewEvent[]) =>
    budget.events(session, logOf(events)).map(({ severity, message }) => `${severity}: ${renderMessage(message)}`);
}

const blocked = (tokens = 950) => measured(4, tokens, { gate: 'blocked', flags: ['over-limit'] });
const contradiction: NewEvent = {
  type: 'budget/contradiction',
  data: { check: 'quotes', original: 'a', derived: 'b', requestSequence: 4 },
};

test('DESIGN, Trust: a request that was blocked is told of once, however often the agent tries it again', () => {
  const tell = notices();
  const told = 'error: Request 4 of test (session-1) is above its limit of 900 tokens, so it was not sent.';
  assert.deepEqual(tell(measured(3, 400), blocked()), [told]);
  assert.deepEqual(tell(blocked(), blocked()), []);
  assert.deepEqual(tell(measured(4, 500)), []);
  assert.deepEqual(tell(blocked(), blocked()), [told]);
});

test('one that was sent above its limit is a warning, and one that only may be above it is said so', () => {
  assert.deepEqual(notices()(measured(4, 950, { gate: 'warned', flags: ['over-limit'] })), [
    'warning: Request 4 of test (session-1) is above its limit of 900 tokens; it was sent all the same.',
  ]);
  assert.deepEqual(notices()(blocked(800)), [
    'error: Request 4 of test (session-1) may be above its limit of 900 tokens, so it was not sent.',
  ]);
});

test('DESIGN, Trust: a contradiction is told of, several at a time in one sentence', () => {
  const tell = notices();
  assert.deepEqual(tell(contradiction), [
    'warning: A summary of test (session-1) contradicts what was said first; the original counts.',
  ]);
  assert.deepEqual(tell(contradiction, contradiction), [
    'warning: Summaries of test (session-1) contradict what was said first (2 times); the original counts.',
  ]);
  assert.deepEqual(tell(measured(5, 400)), []);
});
