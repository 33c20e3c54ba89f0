import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateToJson } from '../../../protocol/log/stateJson.ts';
import { assistant, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { Recorder } from '../host/watcherKit.ts';
import { watchedSession } from '../session/watchKit.ts';
import { budgetSession, CONFIG, converse, layerOn, talk, WORDS, words } from './budgetLayerKit.ts';

test('tiers 5: what a compression would cost is told before one is due, over the wire too, and changes nothing', async t => {
  const budget = layerOn({ window: 2000 });
  const { checked, announcement } = await watchedSession(t, { counter: WORDS, config: { countTokens: true, budget } });
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  assert.equal(checked.session.budget.whatIfCompressed(), undefined, 'before the first request');
  await converse(checked, talk(81, 13));
  const before = stateToJson(checked.session.state);
  const whatIf = checked.session.budget.whatIfCompressed();
  assert.ok(whatIf);
  assert.equal(whatIf.before.tokens, 81 * 13);
  assert.ok(whatIf.after.tokens < whatIf.before.tokens);
  assert.equal(whatIf.price?.divergence?.part, 'messages');
  assert.equal(whatIf.before.tokens - whatIf.after.tokens, whatIf.historyBefore.tokens - whatIf.historyAfter.tokens);
  assert.deepEqual(await watcher.connection.whatIfCompressed(), whatIf);
  assert.deepEqual(stateToJson(checked.session.state), before);
});

test('DESIGN, flow 2: who asks at every request what a compression would cost changes no byte of those that are compressed', async t => {
  const asked: (number | undefined)[] = [];
  const shown: string[] = [];
  for (const asks of [false, true]) {
    const { checked, announcement } = await watchedSession(t, {
      counter: WORDS,
      config: { countTokens: true, budget: layerOn() },
    });
    const watcher = new Recorder(t, announcement);
    await watcher.connected();
    const messages = talk(121, 13);
    for (let length = 1; length <= messages.length; length += 2) {
      await checked.turn(messages.slice(0, length), { config: CONFIG });
      if (asks) {
        asked.push((await watcher.connection.whatIfCompressed())?.price?.freed.tokens);
      }
    }
    assert.ok(checked.session.state.budget.compressions > 1);
    // Summaries say when their messages came, so the hashes differ.
    shown.push(
      JSON.stringify(checked.sealed.map(({ messages: sent }) => sent)).replaceAll(
        /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g,
        'then',
      ),
    );
  }
  assert.ok(asked.some(freed => freed !== undefined && freed > 0));
  assert.equal(shown[1], shown[0]);
});

test('a pinned message is tier 1, and no compression takes it', async t => {
  const checked = await budgetSession(t);
  const messages = [user(words(20, 'pin')), ...talk(70, 13).slice(1)];
  for (let length = 1; length <= messages.length; length += 2) {
    await checked.turn(messages.slice(0, length), { config: CONFIG, pinned: [0] });
  }
  assert.ok(checked.session.state.budget.compressions > 0);
  assert.equal(checked.session.usageReport()?.tiers.tier1.tokens, 20);
  assert.deepEqual(checked.sealed.at(-1)?.messages[0], messages[0]);
});

test('a document that a person unloads leaves with the next request; why one cannot is in the log', async t => {
  const checked = await budgetSession(t);
  const { session } = checked;
  const messages = [user('read it'), assistant('yes'), user(words(100, 'schema')), assistant('read'), user('go on')];
  const documents = [{ document: 'schema.sql', messages: [2] }];
  await checked.turn(messages, { config: CONFIG, documents });
  assert.equal(session.unloadDocument('schema.sql', 'a person'), true);
  session.unloadDocument('other.sql', 'a person');
  const { messages: shown } = await checked.turn(messages, { config: CONFIG, documents });
  assert.ok(!JSON.stringify(shown).includes('schema0'));
  assert.deepEqual(
    (await checked.logged('budget/edit')).map(({ kind, cause, actor }) => [kind, cause, actor]),
    [['unload', 'asked', 'a person']],
  );
  assert.deepEqual(
    (await checked.logged('budget/edit-refused')).map(({ document, reason }) => [document, reason]),
    [['other.sql', 'unknown']],
  );
  const off = await budgetSession(t, { enabled: false });
  assert.equal(off.session.unloadDocument('schema.sql', 'a person'), false);
});

test('a document that was used in a way no message tells counts as referred to', async t => {
  const checked = await budgetSession(t);
  const documents = [{ document: 'schema.sql', messages: [0], touched: true }];
  await checked.turn(talk(3, 2), { config: CONFIG, documents });
  await checked.turn(talk(5, 2), { config: CONFIG, documents });
  assert.deepEqual(
    (await checked.logged('budget/document-touched')).map(({ messages }) => messages),
    [5],
  );
  assert.equal(checked.session.state.budget.documents.get('schema.sql')?.messages, 5);
});
