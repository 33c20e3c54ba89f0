import assert from 'node:assert/strict';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { pairingFault } from '../../../protocol/request/pairing.ts';
import { sameJson } from '../../../protocol/request/sameJson.ts';
import { BudgetRun, exact, textOf, wordsIn } from './budgetKit.ts';
import { Numbers, turnOf } from './longSession.ts';

/** What a simulated session came to. */
export interface Simulated {
  readonly run: BudgetRun;
  readonly handedOver: number;
  /** Of the largest request. */
  readonly peak: number;
  readonly constraints: number;
  /** Requests that begin with the one before. */
  readonly stable: number;
}

/** A session of turns with about 1,000 words each, of which every request must be sent within its limit and lose no constraint. */
export function simulate(window: number, requests: number): Simulated {
  const limits = {
    window: { tokens: window, source: 'the test' },
    outputReserve: { tokens: 16_000, source: 'the test' },
  };
  const run = new BudgetRun({ limits });
  run.anchors = true;
  run.copies = false;
  run.setTier1({
    objective: 'Move the shop to Postgres',
    constraints: [{ id: 'green', text: 'Keep all tests green' }],
  });
  const counted = new WeakMap<JsonObject, number>();
  run.beside = {
    host: { system: exact(9_000), tools: exact(14_000), prefix: exact(0) },
    tokensOf: message => {
      const known = counted.get(message) ?? wordsIn(message);
      counted.set(message, known);
      return exact(known);
    },
  };
  const numbers = new Numbers(20_261_130);
  const messages: JsonObject[] = [];
  const constraints: string[] = [];
  let [handedOver, peak, stable] = [0, 0, 0];
  let before: readonly JsonObject[] = [];
  for (let request = 1; request <= requests; request++) {
    const turn = turnOf(request, 1030, numbers);
    messages.push(...turn.messages.slice(0, -1));
    constraints.push(...turn.constraints);
    handedOver += turn.messages.reduce((sum, message) => sum + wordsIn(message), 0);
    const made = run.request(messages);
    const { total, limits: inForce } = run.last('budget/measured');
    assert.ok(made.gate === 'sent' && total.tokens <= inForce.hard, `request ${request}: ${total.tokens}`);
    peak = Math.max(peak, total.tokens);
    const shown = made.entries.map(({ message }) => message);
    stable += before.every((message, place) => sameJson(message, shown[place] ?? null, 'ordered')) ? 1 : 0;
    before = shown;
    if (request % 50 === 0 || request === requests) {
      assert.equal(pairingFault(made.entries), undefined);
      const text = textOf(made.entries);
      assert.deepEqual(
        constraints.filter(constraint => !text.includes(constraint)),
        [],
        `request ${request}`,
      );
    }
    run.answer();
    messages.push(...turn.messages.slice(-1));
  }
  return { run, handedOver, peak, constraints: constraints.length, stable };
}
