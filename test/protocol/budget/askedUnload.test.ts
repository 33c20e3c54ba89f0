import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unloadAsked } from '../../../protocol/budget/askedUnload.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { definition, EPHEMERAL } from '../lifecycle/lifecycleKit.ts';
import { BudgetRun, exact, talk, user, WINDOW, words } from './budgetKit.ts';

function loaded(first: JsonObject): { readonly run: BudgetRun; readonly messages: readonly JsonObject[] } {
  const run = new BudgetRun();
  const messages = [user('begin now'), first, user('and go on')];
  const units = run.viewOf(messages).entries[1]?.keys ?? [];
  run.append({ type: 'budget/document', data: { document: 'schema.sql', units, messages: 2, requestSequence: 1 } });
  return { run, messages };
}

const ask = (run: BudgetRun, messages: readonly JsonObject[], name = 'schema.sql') => {
  const events = unloadAsked(name, 'a-person', run.viewOf(messages), run.state, WINDOW);
  events.forEach(event => run.append(event));
  return events.map(({ type, data }) => (type === 'budget/edit-refused' ? data.reason : type));
};

test('a person unloads a document, however new it is, and the report says that something left the view', () => {
  const { run, messages } = loaded(user(words(40)));
  assert.deepEqual(ask(run, messages), ['budget/edit']);
  const { cause, actor, document, before, after } = run.last('budget/edit');
  assert.deepEqual([cause, actor, document, before.tokens - after.tokens], ['asked', 'a-person', 'schema.sql', 40]);
  const made = run.request(messages);
  assert.deepEqual(
    made.entries.map(({ message }) => message),
    [messages[0], messages[2]],
  );
  assert.deepEqual([run.last('budget/measured').edited, run.last('budget/measured').tiers.tier2], [true, exact(0)]);
  assert.deepEqual(ask(run, messages), ['unknown']);
});

test('C2 an active block is never unloaded; that is refused and audited', () => {
  const run = new BudgetRun();
  run.lifecycle.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  assert.deepEqual(ask(run, talk(4, 3), 'plan'), ['active-block']);
  const { kind, document, actor } = run.last('budget/edit-refused');
  assert.deepEqual([kind, document, actor, run.state.budget.refused], ['unload', 'plan', 'a-person', 1]);
  assert.equal(run.state.lifecycle.blocks.get('plan')?.status, 'active');
});

test('what no answer has consumed, what is pinned and what is not there stays', () => {
  const ephemeral = loaded(user(EPHEMERAL));
  assert.deepEqual(ask(ephemeral.run, ephemeral.messages), ['unconsumed']);
  const pinned = loaded(user(words(9)));
  const [, entry] = pinned.run.viewOf(pinned.messages).entries;
  pinned.run.beside = { pinned: new Set(entry?.keys) };
  assert.deepEqual(ask(pinned.run, pinned.messages), ['tier-1']);
  assert.deepEqual(ask(pinned.run, pinned.messages, 'other.sql'), ['unknown']);
});
