import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { PrefixError, PrefixInterruptedError } from '../../../protocol/request/sessionPrefix.ts';
import { assistant, definition, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { checkedSession, typesOf } from './sessionKit.ts';

test('seed 2: the prefix is composed once, in the order of its contributors, with the blocks as its last message', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  let compositions = 0;
  session.contributePrefix(seed => {
    compositions++;
    assert.deepEqual(seed, []);
    assert.ok(Object.isFrozen(seed));
    return [...seed, user('one')];
  });
  session.contributePrefix(async () => [user('two'), assistant('three')]);
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  const first = await checked.turn([user('a')]);
  const second = await checked.turn([user('a'), assistant('b'), user('c')]);
  const prefix = [user('one'), user('two'), assistant('three'), user(definition('plan'))];
  assert.deepEqual(first.messages.slice(0, 4), prefix);
  assert.deepEqual(second.messages.slice(0, 4), prefix);
  assert.equal(compositions, 1);
  await checked.close();
});

test('seed 2: what a contributor keeps and changes later has no effect', async t => {
  const checked = await checkedSession(t);
  const kept: { role: string; content: string }[] = [{ role: 'user', content: 'one' }];
  checked.session.contributePrefix(() => kept);
  await checked.request([user('a')]);
  (kept[0] as { content: string }).content = 'two';
  kept.push({ role: 'user', content: 'three' });
  const second = await checked.request([user('a')]);
  assert.deepEqual(second.messages, [{ role: 'user', content: 'one' }, user('a')]);
  assert.equal((await checked.logged('request/header-delta')).length, 0);
  await checked.close();
});

test('seed 2: with no contribution there is no messagePrefix in the header', async t => {
  const checked = await checkedSession(t);
  checked.session.contributePrefix(seed => seed);
  await checked.request([user('a')]);
  const [header] = await checked.logged('request/header');
  assert.deepEqual(Object.keys(header?.header ?? {}), ['config']);
  await checked.close();
});

test('seed 2: nothing can be contributed after the first request', async t => {
  const checked = await checkedSession(t);
  await checked.request([user('a')]);
  assert.throws(() => checked.session.contributePrefix(() => []), PrefixError);
  await checked.close();
});

test('request-log 9: an interruption while the prefix is composed drops it: no step, no header; the next request composes afresh', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  const controller = new AbortController();
  let compositions = 0;
  session.contributePrefix((_, signal) => {
    compositions++;
    if (compositions === 1) {
      controller.abort(new Error('escape was pressed'));
      return signal?.aborted ? [user('half')] : [];
    }
    return [user('whole')];
  });
  const before = session.state.nextSeq;
  await assert.rejects(checked.request([user('a')], { signal: controller.signal }), (error: unknown) => {
    assert.ok(error instanceof PrefixInterruptedError);
    assert.equal((error.cause as Error).message, 'escape was pressed');
    return true;
  });
  assert.equal(session.state.nextSeq, before);
  const sealed = await checked.request([user('a')]);
  assert.deepEqual([sealed.requestSequence, sealed.messages], [1, [user('whole'), user('a')]]);
  await checked.close();
});

test('request-log 9: a signal that was aborted before gives no request and asks nobody', async t => {
  const checked = await checkedSession(t);
  let asked = 0;
  checked.session.contributePrefix(seed => {
    asked++;
    return seed;
  });
  await assert.rejects(checked.request([user('a')], { signal: AbortSignal.abort() }));
  assert.equal(asked, 0);
  await checked.request([user('a')]);
  await assert.rejects(checked.request([user('a')], { signal: AbortSignal.abort(new Error('stop')) }), /stop/);
  assert.equal(checked.session.state.requests.length, 1);
  await checked.close();
});

test('request-log 9: a contributor that throws, or gives what JSON cannot hold, fails its request only', async t => {
  const checked = await checkedSession(t);
  const answers: (() => readonly JsonObject[])[] = [
    () => {
      throw new Error('no catalogue');
    },
    () => [{ role: 'user', content: Number.NaN }],
    () => [{ role: 'user', content: undefined } as never],
    () => 'no list' as never,
    () => [user('good')],
  ];
  checked.session.contributePrefix(() => (answers.shift() ?? (() => []))());
  await assert.rejects(checked.request([user('a')]), /contributor 1 of the session prefix failed: no catalogue/);
  await assert.rejects(checked.request([user('a')]), PrefixError);
  await assert.rejects(checked.request([user('a')]), PrefixError);
  await assert.rejects(checked.request([user('a')]), /gave no list of messages/);
  const sealed = await checked.request([user('a')]);
  assert.deepEqual(sealed.messages, [user('good'), user('a')]);
  const { events } = await checked.close();
  assert.equal(typesOf(events).filter(type => type === 'step/start').length, 1);
});

test('request-log 9: a session that is closed while its prefix is composed sends nothing, and does not wait for it', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  let release = (): void => {};
  const composing = new Promise<void>(started => {
    session.contributePrefix(async seed => {
      started();
      await new Promise<void>(resolve => {
        release = resolve;
      });
      return seed;
    });
  });
  const building = session.buildRequest({ messages: [user('a')], config: { model: 'm' } });
  await composing;
  await checked.close();
  release();
  await assert.rejects(building, { name: 'SessionClosedError' });
  assert.equal(typesOf((await checked.file()).events).includes('step/start'), false);
});
