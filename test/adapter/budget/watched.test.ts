import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { FoundAnnouncement } from '../../../local/announcements.ts';
import type { SessionConnection } from '../../../local/sessionConnection.ts';
import { DEFAULT_POLICY } from '../../../protocol/lifecycle/defaultPolicy.ts';
import { Recorder } from '../host/watcherKit.ts';
import { watchedSession } from '../session/watchKit.ts';
import { CONFIG, layerOn, talk, WORDS } from './budgetLayerKit.ts';

const SETTINGS = layerOn({
  window: 10_000,
  task: 'Port the parser.',
  constraints: [{ id: 'no-push', text: 'Never push.' }],
});

async function connectedTo(t: TestContext, announcement: FoundAnnouncement): Promise<SessionConnection> {
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  return watcher.connection;
}

test('T-29, T-30 a watcher reads and changes the first tier, and the log says which one did', async t => {
  const { checked, announcement } = await watchedSession(t, {
    counter: WORDS,
    config: { countTokens: true, budget: SETTINGS },
  });
  const watcher = new Recorder(t, announcement);
  await watcher.connected();
  const { connection } = watcher;
  assert.deepEqual(await connection.tier1(), {
    budget: true,
    objective: 'Port the parser.',
    constraints: [{ id: 'no-push', text: 'Never push.' }],
  });
  await checked.turn(talk(1, 3), { config: CONFIG });
  assert.equal(await connection.updateTier1('no-push', 'Push to a branch.'), 'updated');
  assert.equal(await connection.updateTier1('no-push', 'Push to a branch.'), 'unchanged');
  assert.equal(await connection.updateTier1('objective'), 'updated');
  assert.deepEqual(await connection.tier1(), {
    budget: true,
    constraints: [{ id: 'no-push', text: 'Push to a branch.' }],
  });
  assert.equal(await connection.rebasePrefix(), 'rebased');
  assert.equal(await connection.rebasePrefix(), 'unchanged');
  const updates = await checked.logged('budget/tier1-updated');
  assert.ok(updates.every(({ class: name, source }) => name === 'editor' && source.startsWith('editor#')));
  // What watchers are told holds none of the texts.
  assert.ok(!JSON.stringify(watcher.events).includes('Push to a branch'));
});

test('a policy that refuses an editor’s discards refuses its changes of the first tier, and that is audited', async t => {
  const rules = DEFAULT_POLICY.rules.filter(rule => rule.class !== 'editor');
  const { checked, announcement } = await watchedSession(t, {
    policy: { rules },
    counter: WORDS,
    config: { countTokens: true, budget: SETTINGS },
  });
  const connection = await connectedTo(t, announcement);
  assert.equal(await connection.updateTier1('no-push', 'Push.'), 'denied');
  assert.equal(await connection.rebasePrefix(), 'denied');
  const denied = await checked.logged('budget/tier1-denied');
  assert.deepEqual(
    denied.map(({ id }) => id),
    ['no-push', 'all'],
  );
  assert.deepEqual(checked.session.budget.tier1?.constraints, SETTINGS.constraints);
});

test('where the layer is off, a watcher is told so', async t => {
  const { announcement } = await watchedSession(t);
  const connection = await connectedTo(t, announcement);
  assert.deepEqual(await connection.tier1(), { budget: false, constraints: [] });
  assert.equal(await connection.updateTier1('a', 'b'), 'off');
  assert.equal(await connection.rebasePrefix(), 'off');
});

test('T-40 asking for the report, over the wire too, changes no byte of a request', async t => {
  const hashes: string[][] = [];
  for (const asks of [false, true]) {
    const { checked, announcement } = await watchedSession(t, {
      counter: WORDS,
      config: { countTokens: true, budget: SETTINGS },
    });
    const connection = await connectedTo(t, announcement);
    for (let length = 1; length < 20; length += 2) {
      await checked.turn(talk(length, 3), { config: CONFIG });
      if (asks) {
        checked.session.usageReport();
        await connection.tier1();
      }
    }
    hashes.push(checked.sealed.map(({ hash }) => hash));
  }
  assert.deepEqual(hashes[0], hashes[1]);
});
