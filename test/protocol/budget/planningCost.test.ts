import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlanningMemo } from '../../../protocol/budget/memo/planningMemo.ts';
import { newWork, type PlanningWork } from '../../../protocol/budget/memo/planningWork.ts';
import { appendedIn, placeAppended, type ToAppend } from '../../../protocol/request/appended.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, BudgetRun, user } from './budgetKit.ts';
import { Numbers, turnOf } from './longSession.ts';
import { Counter } from './planningSessions.ts';

const REQUESTS = 400;

/** One request: what it cost, and how many of its entries no request had before. */
interface Cost extends PlanningWork {
  readonly request: number;
  readonly fresh: number;
  readonly length: number;
  readonly edits: number;
}

/** A session with anchors, updates, appended messages, documents and compressions, whose counter is one request late. */
function session(): { readonly run: BudgetRun; readonly costs: readonly Cost[] } {
  const run = new BudgetRun({ limits: { window: { tokens: 40_000, source: 'the test' } } });
  run.anchors = true;
  run.copies = false;
  run.setTier1({ objective: 'Move the shop', constraints: [{ id: 'a', text: 'Use tabs' }] });
  const work = newWork();
  const memo = new PlanningMemo(work);
  const counter = new Counter();
  const numbers = new Numbers(7);
  const messages: JsonObject[] = [];
  const costs: Cost[] = [];
  let appended: readonly ToAppend[] = [];
  let before = new Set<unknown>();
  for (let request = 1; request <= REQUESTS; request++) {
    const turn = turnOf(request, 300, numbers);
    messages.push(...turn.messages.slice(0, -1));
    counter.catchUp();
    // A provider's answers change how counts are read, and no count.
    counter.rate = 1 + (request % 7) / 100;
    if (request % 60 === 0) {
      run.update('a', `Use ${request}`);
    }
    if (request % 40 === 0) {
      appended = [...appended, { message: Object.freeze(user(`Look at ${request}`)), key: `in${request}` }];
    }
    const view = run.viewOf(messages);
    if (request % 25 === 0) {
      const { keys = [] } = view.entries.at(-1) ?? {};
      const document = `part${request}.ts`;
      const data = { document, units: keys, messages: messages.length, requestSequence: request };
      run.append({ type: 'budget/document', data });
    }
    const entries = placeAppended(view.entries, appended);
    const known = { ...work };
    const made = run.send({
      ...view,
      entries,
      memo,
      counts: counter,
      tokensOf: message => counter.read(counter.of(message)),
    });
    costs.push({
      request,
      fresh: entries.filter(entry => !before.has(entry)).length,
      length: entries.length,
      edits: made.events.filter(({ type }) => type === 'budget/edit').length,
      grouped: work.grouped - known.grouped,
      compared: work.compared - known.compared,
      tiered: work.tiered - known.tiered,
      measured: work.measured - known.measured,
    });
    appended = appendedIn(entries);
    before = new Set(entries);
    run.answer();
    messages.push(...turn.messages.slice(-1));
  }
  return { run, costs };
}

test('a request costs what is new in it, however long the session is', t => {
  const { run, costs } = session();
  const passes = new Set(run.all('budget/pass').map(({ requestSequence }) => requestSequence));
  // A pass changes the view from its start on; then the log has its edits, and then the counter has their messages.
  const isQuiet = ({ request }: Cost) => [0, 1, 2].every(later => !passes.has(request - later));
  const quiet = costs.filter(isQuiet);
  assert.ok(passes.size > 5 && quiet.length > REQUESTS / 2);
  assert.ok(costs.some(({ edits }) => edits > 0) && (costs.at(-1)?.length ?? 0) > 2000);
  for (const cost of quiet) {
    const { request, fresh, grouped, compared, tiered, measured, edits } = cost;
    const isBounded =
      grouped <= 3 * (fresh + edits + 4) &&
      compared <= fresh + edits + 2 &&
      measured <= 2 * (fresh + edits + 4) + 12 &&
      tiered <= (1 + edits) * (60 + fresh);
    assert.ok(isBounded, `request ${request}: ${JSON.stringify(cost)}`);
  }
  t.diagnostic(JSON.stringify(quiet.at(-1)));
});

/** An emergency that takes one short message after the other: what it costs, and the edits that take them. */
function archived(turns: number) {
  const work = newWork();
  const run = new BudgetRun({ limits: { window: { tokens: 400, source: 'the test' } } });
  run.copies = false;
  run.beside = { memo: new PlanningMemo(work) };
  const messages = Array.from({ length: turns }, (_, turn) => [user(`q${turn}`), assistant(`a${turn}`)]).flat();
  const made = run.request([...messages, user('go on')]);
  assert.equal(made.gate, 'sent');
  return { cost: work.compared + work.grouped + work.tiered, run, edits: run.all('budget/edit') };
}

test('T-23 an emergency that archives a long history costs what the history is long, and archives no more than it must', () => {
  const [short, long] = [archived(300), archived(1200)];
  assert.ok(long.edits.length > 4 * short.edits.length);
  assert.ok(long.cost < 5 * short.cost, `${long.cost} after ${short.cost}`);
  const hard = 360;
  for (const { run, edits } of [short, long]) {
    assert.ok(run.last('budget/measured').total.tokens <= hard);
    assert.ok((edits.at(-1)?.before.tokens ?? 0) > hard, 'the last one was needed');
  }
});
