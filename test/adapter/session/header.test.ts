import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../protocol/request/json.ts';
import type { LogEvent } from '../../../protocol/request/logEvent.ts';
import {
  assistant,
  call,
  definition,
  discardLine,
  EPHEMERAL,
  result,
  user,
} from '../../protocol/lifecycle/lifecycleKit.ts';
import { type Checked, checkedSession, homeOf } from './sessionKit.ts';

/** The header events of the file since an event, with the data of deltas and the reasons of whole headers. */
async function headersFrom(checked: Checked, seq = 0): Promise<readonly Json[]> {
  const { events } = await checked.file();
  return events.slice(seq).flatMap(({ type, data }: LogEvent): Json[] => {
    if (type === 'request/header') {
      return [(data as { reason: string }).reason];
    }
    return type === 'request/header-delta' ? [data] : [];
  });
}

/** What the last seal says of changes, with the types of the events that caused them. */
async function changesOf(checked: Checked): Promise<Readonly<Record<string, readonly string[]>>> {
  const { events } = await checked.file();
  const last = events.findLast(({ type }) => type === 'request/sealed');
  assert.ok(last);
  const { changes } = last.data as unknown as { changes: readonly { part: string; causes: readonly number[] }[] };
  return Object.fromEntries(changes.map(({ part, causes }) => [part, causes.map(seq => events[seq]?.type ?? '')]));
}

test('request-log 7: the first request of a log writes its whole header, and then there is silence while it stays', async t => {
  const checked = await checkedSession(t);
  const more = { system: 'be kind', tools: [{ name: 'bash' }] };
  await checked.turn([user('a')], more);
  await checked.turn([user('a'), assistant('b'), user('c')], more);
  await checked.turn([user('a'), assistant('b'), user('c'), assistant('d'), user('e')], more);
  assert.deepEqual(await headersFrom(checked), ['initial']);
  assert.deepEqual(await changesOf(checked), {});
  await checked.close();
});

test('request-log 7: a change of system, tools or config is a delta, which is named as the cause of the change', async t => {
  const checked = await checkedSession(t);
  const tools = [{ name: 'bash' }, { name: 'read' }];
  await checked.request([user('a')], { system: 'one\ntwo', tools });
  await checked.request([user('a')], { system: 'one\n2', tools });
  assert.deepEqual(await changesOf(checked), { system: ['request/header-delta'] });
  await checked.request([user('a')], { system: 'one\n2', tools: [...tools, { name: 'edit' }] });
  assert.deepEqual(await changesOf(checked), { tools: ['request/header-delta'] });
  await checked.request([user('a')], { system: 'one\n2', tools: [...tools, { name: 'edit' }], config: { model: 'n' } });
  assert.deepEqual(await changesOf(checked), { config: ['request/header-delta'] });
  await checked.request([user('a')], { config: { model: 'n' } });
  assert.deepEqual(await changesOf(checked), { system: ['request/header-delta'], tools: ['request/header-delta'] });
  assert.deepEqual(await headersFrom(checked), [
    'initial',
    { system: { keepStart: 1, keepEnd: 0, insert: ['2'] } },
    { tools: { added: [{ name: 'edit' }], removed: [], changed: [] } },
    { config: { model: 'n' } },
    {
      system: { keepStart: 0, keepEnd: 0, insert: [] },
      tools: { added: [], removed: ['bash', 'read', 'edit'], changed: [] },
    },
  ]);
  await checked.close();
});

test('request-log 7: tools in another order are a fallback snapshot', async t => {
  const checked = await checkedSession(t);
  await checked.request([user('a')], { tools: [{ name: 'bash' }, { name: 'read' }] });
  await checked.request([user('a')], { tools: [{ name: 'read' }, { name: 'bash' }] });
  assert.deepEqual(await headersFrom(checked), ['initial', 'fallback']);
  assert.deepEqual(await changesOf(checked), { tools: ['request/header'] });
  await checked.close();
});

test('request-log 3.2: a config in another order is no change, and is sealed as it was logged', async t => {
  const checked = await checkedSession(t);
  const one = await checked.request([user('a')], { config: { model: 'm', deep: { x: 1, y: [1, 2] } } });
  const two = await checked.request([user('a')], { config: { deep: { y: [1, 2], x: 1 }, model: 'm' } });
  assert.equal(one.hash, two.hash);
  assert.equal(one.config, two.config);
  assert.deepEqual(await headersFrom(checked), ['initial']);
  await checked.close();
});

test('request-log 3.1: an empty system and an empty list of tools are no parts of the request', async t => {
  const checked = await checkedSession(t);
  const one = await checked.request([user('a')], { system: '', tools: [] });
  const two = await checked.request([user('a')]);
  assert.equal(one.hash, two.hash);
  assert.deepEqual(await headersFrom(checked), ['initial']);
  await checked.close();
});

test('DESIGN flow 2: a system may be any JSON, and its change replaces it', async t => {
  const checked = await checkedSession(t);
  await checked.request([user('a')], { system: [{ type: 'text', text: 'one' }] });
  await checked.request([user('a')], { system: [{ type: 'text', text: 'two' }] });
  assert.deepEqual(await headersFrom(checked), ['initial', { system: { replace: [{ type: 'text', text: 'two' }] } }]);
  await checked.close();
});

test('DESIGN flow 2: prefix drift is attributable: an activation or a discard is the cause of the new prefix', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  await checked.request([user('a')]);
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') + definition('rules') });
  await checked.request([user('a')]);
  assert.deepEqual(await changesOf(checked), { prefix: ['block/activated', 'block/activated'] });
  session.control({ source: 'p', class: 'plugin', text: discardLine('plan') });
  const sealed = await checked.request([user('a')]);
  assert.deepEqual(await changesOf(checked), { prefix: ['block/discarded'] });
  assert.deepEqual(sealed.messages, [user(definition('rules')), user('a')]);
  session.control({ source: 'p', class: 'plugin', text: discardLine('rules') });
  assert.deepEqual((await checked.request([user('a')])).messages, [user('a')]);
  assert.deepEqual((await headersFrom(checked)).at(-1), { messagePrefix: [] });
  await checked.close();
});

test('DESIGN flow 2: a discard that was denied, or repeated, is no cause of anything', async t => {
  const checked = await checkedSession(t);
  const { session } = checked;
  session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  await checked.request([user('a')]);
  session.control({ source: 'web', class: 'web', text: discardLine('plan') });
  const sealed = await checked.request([user('a')]);
  assert.deepEqual([sealed.messages.length, await changesOf(checked)], [2, {}]);
  await checked.close();
});

test('seed 2: a tombstone is a change of messages, and its cause is that the unit was consumed', async t => {
  const checked = await checkedSession(t);
  const history = [user('a'), call('c1'), result('c1', EPHEMERAL)];
  await checked.turn(history);
  await checked.request([...history, assistant('b'), user('c')]);
  assert.deepEqual(await changesOf(checked), { messages: ['ephemeral/consumed'] });
  await checked.close();
});

test('seed 2: what the host rewrote or compacted is a change of messages, and its causes are the replacements', async t => {
  const checked = await checkedSession(t);
  await checked.request([user('a'), assistant('b'), user('c')]);
  const shorter = await checked.request([user('summary of a and b'), user('c')]);
  assert.deepEqual(await changesOf(checked), { messages: ['host/message'] });
  assert.deepEqual(shorter.messages, [user('summary of a and b'), user('c')]);
  await checked.request([user('c')]);
  assert.deepEqual(await changesOf(checked), { messages: ['host/message'] });
  await checked.close();
});

test('request-log 7: a resumed session writes its whole header, also when nothing changed, and the request is the same', async t => {
  const folder = homeOf(t);
  const more = { system: 'be kind', tools: [{ name: 'bash' }] };
  const first = await checkedSession(t, { folder, sessionId: 's' });
  const one = await first.turn([user('a')], more);
  const { events } = await first.close();
  const second = await checkedSession(t, { folder, sessionId: 's' });
  const two = await second.request([user('a')], more);
  assert.equal(two.hash, one.hash);
  assert.deepEqual(await headersFrom(second, events.length), ['resume']);
  assert.deepEqual(await changesOf(second), {});
  await second.close();
});

test('request-log 9: a resumed session composes its prefix again, and drift is the difference between two snapshots', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, sessionId: 's' });
  first.session.contributePrefix(() => [user('catalogue 1')]);
  await first.turn([user('a')]);
  const { events } = await first.close();
  const second = await checkedSession(t, { folder, sessionId: 's' });
  second.session.contributePrefix(() => [user('catalogue 2')]);
  assert.deepEqual((await second.request([user('a')])).messages, [user('catalogue 2'), user('a')]);
  assert.deepEqual(await headersFrom(second, events.length), ['resume']);
  await second.close();
});
