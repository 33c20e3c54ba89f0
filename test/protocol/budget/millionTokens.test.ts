import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { pairingFault } from '../../../protocol/request/pairing.ts';
import { sameJson } from '../../../protocol/request/sameJson.ts';
import { BudgetRun, exact, textOf, wordsIn } from './budgetKit.ts';
import { Numbers, turnOf } from './longSession.ts';

const WINDOW = 200_000;
const REQUESTS = 1000;
const TOKENS = 1_000_000;

test('a session of 1,000 requests and 1,000,000 tokens stays within its limit, and keeps every constraint word for word', t => {
  const run = new BudgetRun({
    limits: { window: { tokens: WINDOW, source: 'the test' }, outputReserve: { tokens: 16_000, source: 'the test' } },
  });
  run.anchors = true;
  run.copies = false;
  run.setTier1({
    objective: 'Move the shop to Postgres',
    constraints: [{ id: 'green', text: 'Keep all tests green' }],
  });
  run.beside = { host: { system: exact(9_000), tools: exact(14_000), prefix: exact(0) } };
  const counted = new WeakMap<JsonObject, number>();
  run.beside = {
    ...run.beside,
    tokensOf: message => {
      const known = counted.get(message) ?? wordsIn(message);
      counted.set(message, known);
      return exact(known);
    },
  };
  const numbers = new Numbers(20_261_130);
  const messages: JsonObject[] = [];
  const constraints: string[] = [];
  let handedOver = 0;
  let peak = 0;
  let lost = 0;
  let stable = 0;
  let before: readonly JsonObject[] = [];
  for (let request = 1; request <= REQUESTS; request++) {
    const turn = turnOf(request, (TOKENS / REQUESTS) * 1.03, numbers);
    const next = turn.messages.slice(0, -1);
    messages.push(...next);
    constraints.push(...turn.constraints);
    handedOver += turn.messages.reduce((sum, message) => sum + wordsIn(message), 0);
    const made = run.request(messages);
    const { total, limits } = run.last('budget/measured');
    assert.equal(made.gate, 'sent', `request ${request}`);
    assert.ok(total.tokens <= limits.hard, `request ${request}: ${total.tokens}`);
    peak = Math.max(peak, total.tokens);
    const shown = made.entries.map(({ message }) => message);
    stable += before.every((message, place) => sameJson(message, shown[place] ?? null, 'ordered')) ? 1 : 0;
    before = shown;
    if (request % 50 === 0 || request === REQUESTS) {
      assert.equal(pairingFault(made.entries), undefined);
      const text = textOf(made.entries);
      lost += constraints.filter(constraint => !text.includes(constraint)).length;
    }
    run.answer();
    messages.push(...turn.messages.slice(-1));
  }
  assert.ok(handedOver >= TOKENS, `${handedOver} tokens`);
  assert.equal(lost, 0);
  assert.ok(constraints.length > 80, `${constraints.length} constraints`);
  const { compressions, contradictions } = run.state.budget;
  assert.ok(compressions > 3);
  assert.equal(contradictions, 0);
  // Every pass breaks the cache once; all other requests begin with the one before.
  assert.ok(stable >= REQUESTS - run.all('budget/pass').filter(({ edits }) => edits > 0).length);
  t.diagnostic(
    [
      `peak ${((peak / WINDOW) * 100).toFixed(1)} % of the window`,
      `compressions ${compressions}`,
      `constraints kept ${constraints.length} of ${constraints.length}`,
      `requests that begin with the one before ${stable} of ${REQUESTS}`,
      `checks ${run.all('budget/checked').length}`,
      `tokens handed over ${handedOver}`,
    ].join(', '),
  );
});
