import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIERS } from '../../../protocol/budget/limits.ts';
import { budgetSession, CONFIG, talk, words } from './budgetLayerKit.ts';

const PERSON = { source: 'a person', class: 'user' } as const;

test('T-39 what a provider counts beyond the parts is the row unattributed, and the rows add up to the sealed total', async t => {
  const checked = await budgetSession(t);
  const { session } = checked;
  await checked.request(talk(11, 13), { config: { model: 'claude-x' }, system: words(50, 's') });
  session.response(1, { outcome: 'completed', usage: { input: 250, output: 1 } });
  // Messages of the host's that were not there when the provider counted, and a prefix that it did not see.
  await checked.request(talk(13, 13), { config: CONFIG, system: words(50, 's') });
  session.response(2, { outcome: 'completed', usage: { input: 260, output: 1 } });
  await checked.request(talk(15, 13), { config: CONFIG, system: words(50, 's') });
  const measured = (await checked.logged('budget/measured')).at(-1);
  const sizes = (await checked.logged('request/sealed')).at(-1)?.sizes;
  assert.ok(measured);
  assert.deepEqual(measured.total, sizes?.total);
  assert.equal(measured.unattributed.tokens, 41, 'of 260 that the provider counted, 219 are words');
  const rows = TIERS.reduce((sum, tier) => sum + measured.tiers[tier].tokens, measured.host.tokens);
  assert.equal(rows + measured.unattributed.tokens, measured.total.tokens);
  await checked.close();
});

test('C5: an emergency writes pending updates of the first tier into the prefix, which is lost for the cache anyway', async t => {
  const constraints = [{ id: 'push', text: 'Never push.' }];
  const checked = await budgetSession(t, { task: 'Port it.', constraints });
  const { session } = checked;
  await checked.turn(talk(21, 13), { config: CONFIG });
  session.updateTier1('push', 'Push to a branch.', PERSON);
  await checked.turn(talk(23, 13), { config: CONFIG });
  assert.match(JSON.stringify(checked.sealed.at(-1)?.messages[0]), /Never push/, 'the prefix stays');
  await checked.request(talk(59, 13), { config: CONFIG, system: words(550, 's') });
  const sets = await checked.logged('budget/tier1-set');
  assert.deepEqual(
    sets.map(({ reason }) => reason),
    ['set', 'emergency'],
  );
  const [prefix] = checked.sealed.at(-1)?.messages ?? [];
  assert.match(JSON.stringify(prefix), /Push to a branch/);
  assert.doesNotMatch(JSON.stringify(prefix), /Never push/);
  await checked.close();
});

test('an emergency that is enough is not undone by the prefix that it writes anew', async t => {
  const constraints = [{ id: 'push', text: 'Never push.' }];
  const checked = await budgetSession(t, { task: 'Port it.', constraints });
  const { session } = checked;
  // Its numbers are anchored to the provider's, as long as the prefix stays.
  const header = { config: { model: 'claude-x' }, system: words(550, 's') };
  await checked.request(talk(5, 13), header);
  session.response(1, { outcome: 'completed', usage: { input: 635, output: 1 } });
  session.updateTier1('push', 'Push to a branch.', PERSON);
  await checked.request(talk(59, 13), header);
  const pass = (await checked.logged('budget/pass')).at(-1);
  assert.deepEqual([pass?.kind, pass?.outcome], ['emergency', 'enough']);
  assert.ok((session.usageReport()?.total.tokens ?? 901) <= 900);
  await checked.close();
});
