import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definition, discardLine, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { type Checked, checkedSession, dataOf, homeOf } from './sessionKit.ts';

/** What the last seal says of changes, with the types of the events that caused them. */
async function changesOf(checked: Checked): Promise<Readonly<Record<string, readonly string[]>>> {
  const { events } = await checked.file();
  const changes = dataOf(events, 'request/sealed').at(-1)?.changes ?? [];
  return Object.fromEntries(changes.map(({ part, causes }) => [part, causes.map(seq => events[seq]?.type ?? '')]));
}

const PLAN = { source: 'AGENTS.md', class: 'context-file', text: definition('plan') } as const;

test('seed 2: a resume recomposes with attributable drift: the seal names each part that drifted, and the resume as its cause', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, sessionId: 's' });
  first.session.contributePrefix(() => [user('catalogue 1')]);
  await first.turn([user('a')], { system: 'one', tools: [{ name: 'bash' }] });
  await first.close();
  const second = await checkedSession(t, { folder, sessionId: 's' });
  second.session.contributePrefix(() => [user('catalogue 2')]);
  await second.turn([user('a')], { system: 'two', tools: [{ name: 'bash' }] });
  assert.deepEqual(await changesOf(second), { system: ['request/header'], prefix: ['request/header'] });
  await second.turn([user('a')], { system: 'two', tools: [{ name: 'bash' }] });
  assert.deepEqual(await changesOf(second), {});
  await second.close();
});

test('seed 2: a resume whose blocks changed meanwhile names the block’s event beside the resume', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, sessionId: 's' });
  await first.turn([user('a')]);
  await first.close();
  const second = await checkedSession(t, { folder, sessionId: 's' });
  second.session.loadSource(PLAN);
  await second.turn([user('a')]);
  assert.deepEqual(await changesOf(second), { prefix: ['block/activated', 'request/header'] });
  await second.close();
});

test('seed 2: a resume in which nothing drifted names no change', async t => {
  const folder = homeOf(t);
  const first = await checkedSession(t, { folder, sessionId: 's' });
  first.session.contributePrefix(() => [user('catalogue')]);
  first.session.loadSource(PLAN);
  const before = await first.turn([user('a')], { system: 'one' });
  await first.close();
  const second = await checkedSession(t, { folder, sessionId: 's' });
  second.session.contributePrefix(() => [user('catalogue')]);
  second.session.loadSource(PLAN);
  const after = await second.turn([user('a')], { system: 'one' });
  assert.equal(after.hash, before.hash);
  assert.deepEqual(await changesOf(second), {});
  await second.close();
});

test('seed 2: a fallback snapshot names every part that changed with the order of the tools, and the blocks’ own events', async t => {
  const checked = await checkedSession(t);
  const [bash, read] = [{ name: 'bash' }, { name: 'read' }];
  checked.session.loadSource(PLAN);
  await checked.request([user('a')], { system: 'one', tools: [bash, read] });
  checked.session.control({ source: 'p', class: 'plugin', text: discardLine('plan') });
  await checked.request([user('a')], { system: 'two', tools: [read, bash] });
  assert.deepEqual(await changesOf(checked), {
    system: ['request/header'],
    tools: ['request/header'],
    prefix: ['block/discarded'],
  });
  await checked.close();
});

test('seed 2: the drift of a resume is named in a log of hashes too', async t => {
  const folder = homeOf(t);
  const config = { content: 'hashes' } as const;
  const first = await checkedSession(t, { folder, sessionId: 's', config });
  first.session.contributePrefix(() => [user('catalogue 1')]);
  await first.turn([user('a')], { system: 'one' });
  await first.close();
  const second = await checkedSession(t, { folder, sessionId: 's', config });
  second.session.contributePrefix(() => [user('catalogue 2')]);
  await second.turn([user('a')], { system: 'one' });
  assert.deepEqual(await changesOf(second), { prefix: ['request/header'] });
  await second.close();
});
