import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assistant, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { checkedSession } from './sessionKit.ts';

test('DESIGN flow 2: a receipt with the hash that was sealed matches, any other is a mismatch', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  const one = await checked.turn([user('a')]);
  session.receipt(1, one.hash);
  await checked.turn([user('a'), assistant('b'), user('c')]);
  session.receipt(2, one.hash);
  assert.deepEqual(await checked.logged('request/receipt'), [
    { requestSequence: 1, result: 'matched', sha256: one.hash },
    { requestSequence: 2, result: 'mismatch', sha256: one.hash },
  ]);
  const results = session.state.requests.toArray().map(({ receipt }) => receipt?.result);
  assert.deepEqual(results, ['matched', 'mismatch']);
  await checked.close();
});

test('DESIGN flow 2: an agent that sees only parts reports what it found, or that it sees nothing', async t => {
  const checked = await checkedSession(t);
  await checked.turn([user('a')]);
  await checked.turn([user('a'), assistant('b'), user('c')]);
  checked.session.receipt(1, { result: 'quoted', evidence: "block 'plan' is quoted in message 3" });
  checked.session.receipt(2, { result: 'not-reported' });
  assert.deepEqual(await checked.logged('request/receipt'), [
    { requestSequence: 1, result: 'quoted', evidence: "block 'plan' is quoted in message 3" },
    { requestSequence: 2, result: 'not-reported' },
  ]);
  await checked.close();
});

test('DESIGN flow 2: a mismatch stays, whatever is reported later', async t => {
  const checked = await checkedSession(t);
  const { hash } = await checked.turn([user('a')]);
  checked.session.receipt(1, { result: 'mismatch', evidence: 'a message is missing' });
  checked.session.receipt(1, hash);
  assert.equal(checked.session.state.requests.get(0)?.receipt?.result, 'mismatch');
  await checked.close();
});

test('DESIGN flow 2: a receipt of a request that is not there is refused with a sentence, and not logged', async t => {
  const checked = await checkedSession(t);
  await checked.turn([user('a')]);
  for (const requestSequence of [0, 2, -1, 1.5, Number.NaN]) {
    assert.throws(() => checked.session.receipt(requestSequence, 'a'.repeat(64)), {
      name: 'RangeError',
      message: `There is no request ${requestSequence} in this session, so there can be no receipt of it.`,
    });
  }
  assert.deepEqual(await checked.logged('request/receipt'), []);
  await checked.close();
});

test('DESIGN, The log: what no reader of a log would take is refused before it is logged', async t => {
  const checked = await checkedSession(t);
  const { hash } = await checked.request([user('a')]);
  const before = checked.session.state.nextSeq;
  const sentence = (what: RegExp) => ({ name: 'UnloggableEventError', message: what });
  assert.throws(() => checked.session.receipt(1, hash.toUpperCase()), sentence(/its sha256 is not a SHA-256/));
  assert.throws(() => checked.session.receipt(1, { result: 'perhaps' as never }), sentence(/its result is not/));
  assert.throws(() => checked.session.response(1, { outcome: 'done' as never }), sentence(/its outcome is not/));
  assert.throws(() => checked.session.inject(user('x'), 3 as never), sentence(/its source is not text/));
  const source = { source: 'x', class: 'stranger' as never, text: 'y' };
  assert.throws(() => checked.session.loadSource(source), sentence(/its class is not/));
  assert.equal(checked.session.state.nextSeq, before);
  checked.session.response(1, { outcome: 'completed' });
  await checked.turn([user('a'), assistant('b'), user('c')]);
  await checked.close();
});

test('issue 3.3: numbers of a provider that are none are left out, and the answer is logged all the same', async t => {
  const checked = await checkedSession(t);
  await checked.request([user('a')]);
  const usage = { input: 12, output: Number.NaN, cacheRead: null, cacheWrite: -1, other: 'x' } as never;
  checked.session.response(1, { outcome: 'completed', usage });
  await checked.request([user('a'), assistant('b'), user('c')]);
  checked.session.response(2, { outcome: 'completed', usage: { input: '3' } as never });
  const steps = await checked.logged('step/end');
  assert.deepEqual(
    steps.map(step => step.usage),
    [{ input: 12 }, undefined],
  );
  await checked.close();
});

test('request-log 2.5: an answer that failed or was aborted ends its turn', async t => {
  const checked = await checkedSession(t);
  await checked.request([user('a')]);
  checked.session.response(1, { outcome: 'failed' });
  await checked.request([user('a')]);
  checked.session.response(2, { outcome: 'aborted' });
  assert.deepEqual(
    (await checked.logged('turn/end')).map(({ reason }) => (reason as { kind: string }).kind),
    ['error', 'aborted'],
  );
  await checked.close();
});

test('request-log 2.5: how a request ended that is not open any more changes nothing', async t => {
  const checked = await checkedSession(t);
  await checked.turn([user('a')]);
  const { nextSeq } = checked.session.state;
  checked.session.response(1, { outcome: 'failed' });
  checked.session.response(7, { outcome: 'completed' });
  assert.equal(checked.session.state.nextSeq, nextSeq);
  await checked.close();
});
