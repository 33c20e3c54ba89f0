import type { BudgetEvent } from '../../../protocol/budget/budgetEvents.ts';
import type { NewEvent } from '../../../protocol/log/sessionEvents.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import { LoggedRun } from '../../cli/budgetLog.ts';
import { exact, wordsIn } from '../../protocol/budget/budgetKit.ts';
import { Numbers, turnOf } from '../../protocol/budget/longSession.ts';
import { definition, discardLine } from '../../protocol/lifecycle/lifecycleKit.ts';

/** A run whose provider says what it took from its cache: all of the request before, but for what a pass changed. */
class CachedRun extends LoggedRun {
  #passes = 0;
  #before = 0;

  override append(event: NewEvent | BudgetEvent): void {
    super.append(event.type === 'step/end' ? { ...event, data: { ...event.data, usage: this.#usage() } } : event);
    if (event.type === 'step/start' && event.data.requestSequence === 1) {
      super.append({ type: 'request/header', data: { header: { config: { model: 'test' } }, reason: 'initial' } });
    }
  }

  #usage() {
    const { budget } = this.state;
    const input = budget.measures.get(budget.measures.length - 1)?.total.tokens ?? 0;
    const cacheRead = Math.min(input, budget.passes.length > this.#passes ? 23_000 : this.#before);
    this.#passes = budget.passes.length;
    this.#before = input;
    return { input, cacheRead, output: 300 };
  }
}

/** The log of a simulated session of so many requests with about so many new tokens each, in a window of 200,000. */
export function longBudgetLog(requests: number, tokens: number): readonly LogEvent[] {
  const source = 'config.json';
  const run = new CachedRun({
    limits: { window: { tokens: 200_000, source }, outputReserve: { tokens: 16_000, source } },
  });
  run.anchors = true;
  run.copies = false;
  run.setTier1({
    objective: 'Move the shop to Postgres',
    constraints: [{ id: 'green', text: 'Keep all tests green' }],
  });
  const blocks = ['planning', 'house-rules', 'schema', 'release'];
  run.lifecycle.loadSource({
    source: 'AGENTS.md',
    class: 'context-file',
    text: blocks.map(id => definition(id, `Rules of ${id}.`)).join('\n'),
  });
  const counted = new WeakMap<JsonObject, number>();
  const tokensOf = (message: JsonObject) => {
    const known = counted.get(message) ?? wordsIn(message);
    counted.set(message, known);
    return exact(known);
  };
  const numbers = new Numbers(20_261_130);
  const messages: JsonObject[] = [];
  for (let request = 1; request <= requests; request++) {
    if (request % Math.ceil(requests / 3.5) === 0) {
      const gone = blocks.shift() ?? '';
      run.lifecycle.control({ source: 'deploy', class: 'host-workflow', text: discardLine(gone) });
    }
    run.beside = {
      host: { system: exact(9_000), tools: exact(14_000), prefix: exact(0) },
      blocks: blocks.map(id => ({ id, amount: exact(4_000) })),
      tokensOf,
    };
    const turn = turnOf(request, tokens + 30, numbers);
    messages.push(...turn.messages.slice(0, -1));
    run.request(messages);
    run.answer();
    messages.push(...turn.messages.slice(-1));
  }
  return run.events;
}
