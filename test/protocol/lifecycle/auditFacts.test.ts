import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LifecycleEventType } from '../../../protocol/lifecycle/lifecycleEvents.ts';
import { assistant, definition, discardLine, EPHEMERAL, Run, user } from './lifecycleKit.ts';

/** What V1 says that an attempt records. */
function factsOf(run: Run, type: LifecycleEventType): readonly unknown[] {
  return run.audits(type).map(({ blockId, source, trigger, requestSequence, time }) => ({
    blockId,
    source,
    trigger,
    requestSequence,
    time,
  }));
}

const timeOf = (run: Run, type: LifecycleEventType): number | undefined =>
  run.events.find(event => event.type === type)?.time;

test('seed 1: an activation attempt that fails records block ID, source, trigger, request sequence and timestamp as well', () => {
  const run = new Run();
  run.load('user.md', definition('rules'));
  run.request(user('hi'));
  run.load('repository.md', definition('rules', 'others'));
  run.request(user('hi'));
  run.load('page', definition('page'), 'web');
  const common = { trigger: 'load' };
  assert.deepEqual(factsOf(run, 'block/conflict'), [
    { ...common, blockId: 'rules', source: 'repository.md', requestSequence: 2, time: timeOf(run, 'block/conflict') },
  ]);
  assert.deepEqual(factsOf(run, 'block/denied'), [
    { ...common, blockId: 'page', source: 'page', requestSequence: 3, time: timeOf(run, 'block/denied') },
  ]);
});

test('seed 1: a discard attempt in a message records block ID, source, trigger, request sequence and timestamp', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules'));
  run.request(user('hi'));
  run.request(user('hi'), assistant('yes'), user(discardLine('rules')));
  assert.deepEqual(factsOf(run, 'discard/denied'), [
    { blockId: 'rules', source: 'user', trigger: 'message', requestSequence: 2, time: timeOf(run, 'discard/denied') },
  ]);
});

test('seed 1: what was recorded of an attempt is in the state that a resumed session and a watcher fold', () => {
  const run = new Run();
  run.load('AGENTS.md', `# x\n${definition('rules')}`);
  run.control(discardLine('rules'), 'plugin', 'phases');
  for (const { state } of [run, run.resumed()]) {
    const block = state.blocks.get('rules');
    assert.equal(block?.activated.source, 'AGENTS.md');
    assert.equal(block.activated.requestSequence, 1);
    assert.equal(block.status, 'discarded');
  }
});

test('seed 1: a consume-once replacement records unit, source, trigger, request sequence and timestamp', () => {
  const run = new Run();
  run.request(user(EPHEMERAL));
  run.request(user(EPHEMERAL), assistant('seen'));
  const [audit] = run.audits('ephemeral/consumed');
  assert.equal(audit?.['source'], 'user');
  assert.equal(audit?.['trigger'], 'assistant-response');
  assert.equal(audit?.['requestSequence'], 2);
  assert.equal(audit?.time, timeOf(run, 'ephemeral/consumed'));
  assert.equal(audit?.['unit'], run.audits('ephemeral/admitted')[0]?.['unit'], 'the unit that was let in');
});
