import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BudgetLimitError } from '../../../adapter/budget/budgetLimitError.ts';
import { usageReport } from '../../../protocol/budget/usageReport.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, call, definition, EPHEMERAL, result, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { type Checked, foldOf, homeOf } from '../session/sessionKit.ts';
import { budgetSession, CONFIG, words } from './budgetLayerKit.ts';

type Act =
  | { readonly does: 'say' | 'tools'; readonly length: number; readonly times: number }
  | { readonly does: 'must' | 'forget' }
  | { readonly does: 'undo'; readonly drop: number }
  | { readonly does: 'request'; readonly outcome: 'completed' | 'failed' | 'aborted'; readonly error: boolean }
  | { readonly does: 'header'; readonly length: number }
  | { readonly does: 'block' | 'discard' | 'restart' | 'inject' | 'update' | 'rebase' };

const length = fc.integer({ min: 1, max: 40 });
const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ does: fc.constantFrom('say', 'tools'), length, times: fc.integer({ min: 1, max: 12 }) }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('must', 'forget') }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('undo'), drop: fc.integer({ min: 1, max: 30 }) }) },
    {
      weight: 5,
      arbitrary: fc.record({
        does: fc.constant('request'),
        outcome: fc.constantFrom('completed', 'completed', 'completed', 'failed', 'aborted'),
        error: fc.boolean(),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('header'), length }) },
    {
      weight: 2,
      arbitrary: fc.record({ does: fc.constantFrom('block', 'discard', 'restart', 'inject', 'update', 'rebase') }),
    },
  ),
  { maxLength: 40 },
) as fc.Arbitrary<readonly Act[]>;

const PERSON = { source: 'a person', class: 'user' } as const;
const SETTINGS = { window: 600, task: 'Port the parser.', constraints: [{ id: 'a', text: 'Never push.' }] } as const;

/** A host with its session. Everything that is said is another text. */
class Host {
  messages: JsonObject[] = [];
  system = 'be brief';
  #serial = 0;
  #hasBlocks = false;
  #checked: Checked;
  readonly #open: () => Promise<Checked>;

  constructor(checked: Checked, open: () => Promise<Checked>) {
    this.#checked = checked;
    this.#open = open;
  }

  async take(act: Act): Promise<void> {
    const { session } = this.#checked;
    const name = `w${this.#serial++}x`;
    switch (act.does) {
      case 'say':
        for (let time = 0; time < act.times; time++) {
          this.messages.push(
            user(words(act.length, `${name}${time}q`)),
            assistant(words(act.length, `${name}${time}a`)),
          );
        }
        return;
      case 'tools':
        for (let time = 0; time < act.times; time++) {
          this.messages.push(call(`${name}${time}`), result(`${name}${time}`, words(act.length, `${name}${time}r`)));
        }
        return;
      case 'must':
        this.messages.push(user(`You must always keep ${name}.`), assistant('Noted.'));
        return;
      case 'forget':
        this.messages.push(user(`${EPHEMERAL} ${name}`));
        return;
      case 'undo':
        this.messages.splice(Math.max(0, this.messages.length - act.drop));
        return;
      case 'header':
        this.system = words(act.length, name);
        return;
      case 'block':
        this.#hasBlocks = true;
        return this.#load();
      case 'discard':
        session.discard('plan', { source: 'editor', class: 'editor', trigger: 'watcher' });
        return;
      case 'inject':
        session.inject(user(`injected ${name}`), 'plugin');
        return;
      case 'update':
        session.updateTier1('a', `Never push ${name}.`, PERSON);
        return;
      case 'rebase':
        session.rebasePrefix(PERSON);
        return;
      case 'restart':
        await this.#checked.close();
        this.#checked = await this.#open();
        if (this.#hasBlocks) {
          // As hosts do: a log without content has the blocks' texts from here.
          this.#load();
        }
        return;
      case 'request':
        return this.#request(act.outcome, act.error);
    }
  }

  #load(): void {
    const text = definition('rules') + definition('plan');
    this.#checked.session.loadSource({ source: '/AGENTS.md', class: 'context-file', text });
  }

  async #request(outcome: 'completed' | 'failed' | 'aborted', error: boolean): Promise<void> {
    const { session } = this.#checked;
    const messages = [...this.messages, user(`and now ${this.#serial++}`)];
    const before = session.state.requests.length;
    try {
      const sealed = await this.#checked.request(messages, { config: CONFIG, system: this.system });
      this.messages = messages;
      session.response(sealed.requestSequence, { outcome, ...(error && { error: 'prompt is too long' }) });
      if (outcome === 'completed') {
        this.messages.push(assistant(`done ${this.#serial++}`));
      }
    } catch (reason) {
      assert.ok(reason instanceof BudgetLimitError, String(reason));
      assert.equal(session.state.requests.length, before, 'I4: nothing was sealed');
      // A person begins anew with less.
      this.messages = [];
    }
    this.#check();
  }

  #check(): void {
    const { budget, requests } = this.#checked.session.state;
    const measured = budget.measures.get(budget.measures.length - 1);
    assert.ok(measured);
    const { tiers, host, unattributed, total, limits, gate, requestSequence } = measured;
    const rows = Object.values(tiers).reduce((sum, { tokens }) => sum + tokens, host.tokens + unattributed.tokens);
    assert.equal(rows, total.tokens, 'rows add up');
    if (gate === 'sent') {
      assert.ok(total.tokens <= limits.hard, 'I4');
      assert.equal(total.tokens, requests.get(requestSequence - 1)?.sealed.sizes?.total.tokens, 'one number');
    }
    assert.ok(usageReport({ budget }), 'T-39');
  }

  async close(): Promise<void> {
    const { events } = await this.#checked.close();
    for (const { type, data } of events) {
      if (type === 'budget/edit') {
        const { actor, cause } = data as { actor: string; cause: string };
        assert.ok(actor !== '' && cause !== '', 'I9');
      }
    }
    assert.ok(foldOf(events).budget);
  }
}

for (const content of ['full', 'hashes'] as const) {
  test(`law: with the layer on, the log alone gives every request and every number (content: ${content})`, async t => {
    await fc.assert(
      fc.asyncProperty(acts, async steps => {
        const folder = homeOf(t);
        const open = () => budgetSession(t, SETTINGS, { folder, sessionId: 's', config: { content } });
        const host = new Host(await open(), open);
        for (const step of steps) {
          await host.take(step);
        }
        await host.close();
      }),
      { numRuns: 40 },
    );
  });
}
