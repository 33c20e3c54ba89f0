import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSha256 } from '../../../adapter/hashing.ts';
import { CrossCheckError } from '../../../adapter/requestErrors.ts';
import type { IncrementalSha256 } from '../../../protocol/request/hashing.ts';
import { user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { checkedSession } from './sessionKit.ts';

/** The hash of a text in which a word is missing: what a builder seals that forgets something. */
function without(word: string, hash: IncrementalSha256 = startSha256()): IncrementalSha256 {
  return {
    update: piece => hash.update(piece.replaceAll(word, '')),
    copy: () => without(word, hash.copy()),
    digest: () => hash.digest(),
  };
}

const INPUT = { messages: [user('hello')], system: 'be kind', config: { model: 'm' } };

for (const [part, word] of [
  ['the prefix', 'opener'],
  ['the history', 'hello'],
  ['the system', 'be kind'],
] as const) {
  test(`seed 2: the cross-check expects the header’s framing around the boundary derivation: a seal without ${part} is not sent`, async t => {
    const { session } = await checkedSession(t, { config: { crossCheck: true } }, { startHash: () => without(word) });
    session.contributePrefix(() => [user('opener')]);
    await assert.rejects(session.buildRequest(INPUT), (error: unknown) => {
      assert.ok(error instanceof CrossCheckError);
      assert.match(error.message, /^Request 1 was not sent, because the session log does not rebuild it\./);
      return true;
    });
    await session.close();
  });
}

test('seed 2: the cross-check passes a request that the log rebuilds, and is off where the setting says so', async t => {
  const checked = await checkedSession(t, { config: { crossCheck: true } }, { startHash: () => without('nowhere') });
  checked.session.contributePrefix(() => [user('opener')]);
  assert.deepEqual((await checked.request(INPUT.messages)).messages, [user('opener'), user('hello')]);
  await checked.close();
  const off = await checkedSession(t, { config: { crossCheck: false } }, { startHash: () => without('hello') });
  assert.deepEqual((await off.session.buildRequest(INPUT)).messages, [user('hello')]);
  await off.session.close();
});
