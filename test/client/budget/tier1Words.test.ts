import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  idFor,
  idProblem,
  lineProblem,
  rebasePriceText,
  rebaseText,
  tier1Refusal,
  updateText,
} from '../../../client/budget/tier1Words.ts';
import { request, sessionOf, wording } from '../views/kit.ts';

test('each answer of a session is a sentence of its own', () => {
  const updates = (['updated', 'unchanged', 'denied', 'off'] as const).map(outcome => updateText(outcome, wording));
  const rebases = (['rebased', 'unchanged', 'denied', 'off'] as const).map(outcome => rebaseText(outcome, wording));
  // A layer that is off is said in the same words.
  assert.equal(new Set([...updates, ...rebases]).size, 7);
  assert.equal(updates[0], 'The model is told with the next request; the prefix stays as it is.');
});

test('the first tier of a session that is not live is not even asked for', () => {
  assert.equal(tier1Refusal(sessionOf([]), wording), undefined);
  assert.equal(
    tier1Refusal(sessionOf([], { link: { kind: 'past' } }), wording),
    'This session is not connected, so its task and its constraints cannot be changed.',
  );
});

test('a rebase says what is sent anew: all that stands behind system prompt and tools', () => {
  const { state } = sessionOf(request(1, 1));
  assert.match(
    rebasePriceText(state, wording),
    /cache once: ~881 tokens are sent anew, as the last request has them\.$/,
  );
  assert.match(rebasePriceText(sessionOf([]).state, wording), /cache once: all messages are sent anew\.$/);
});

test('the ID of a new constraint is made of its words, and is no other ID', () => {
  assert.equal(idFor('Keep all tests green, always.', []), 'keep-all-tests');
  assert.equal(idFor('Keep all tests green', ['keep-all-tests', 'keep-all-tests-2']), 'keep-all-tests-3');
  assert.equal(idFor('objective', []), 'objective-2');
  assert.equal(idFor('必须先备份数据库', []), '必须先备份数据库');
  assert.equal(idFor('…', []), 'constraint');
});

test('an ID that is empty, taken or too long is refused in words', () => {
  assert.equal(idProblem('green', ['red'], wording), undefined);
  assert.match(idProblem(' ', [], wording) ?? '', /needs an ID/);
  for (const taken of ['red', 'objective', 'identity', 'outputFormat', ' red ']) {
    assert.match(idProblem(taken, ['red'], wording) ?? '', /this ID already/, taken);
  }
  assert.match(idProblem('x'.repeat(81), [], wording) ?? '', /80 characters at most/);
  assert.match(lineProblem('x'.repeat(10_001), wording) ?? '', /too long/);
  assert.equal(lineProblem('x'.repeat(10_000), wording), undefined);
});
