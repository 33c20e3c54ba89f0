import assert from 'node:assert/strict';
import { test } from 'node:test';
import { user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { budgetSession, talk, words } from './budgetLayerKit.ts';

/** Of another vocabulary than the counter's: its numbers are estimates until a provider has counted. */
const CONFIG = { model: 'claude-x' };

test('T-44 a quarter of head-room is for a tokenizer of which nothing is known; once a provider has counted it is a tenth', async t => {
  const checked = await budgetSession(t);
  const { session } = checked;
  // 750 words: with a quarter they may be above the limit of 900, so what is old is compressed; with a tenth they are not.
  const messages = [...talk(20, 10), user(words(550, 'q'))];
  const first = await checked.request(talk(3, 10), { config: CONFIG });
  session.response(first.requestSequence, { outcome: 'completed', usage: { input: 30 } });
  // The header is another one: no provider has counted such a request, but how it counts is known.
  await checked.request([...talk(4, 10), ...messages.slice(4)], { config: CONFIG, system: 'be brief' });
  const report = session.usageReport();
  assert.equal(report?.total.origin, 'estimated');
  assert.ok((report?.total.tokens ?? 0) > 740 && (report?.total.tokens ?? 0) < 815);
  assert.ok(!report?.flags.includes('over-limit'));
  const unknown = await budgetSession(t);
  await assert.rejects(
    unknown.session.buildRequest({ messages, config: CONFIG, system: 'be brief' }),
    /may be too low/,
  );
});
