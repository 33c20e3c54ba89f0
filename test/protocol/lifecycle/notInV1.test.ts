import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, call, definition, Run, result, user } from './lifecycleKit.ts';

test('seed 1: V1 summarises, compacts, ranks, retrieves and forgets nothing: a long transcript goes through as it is', () => {
  const run = new Run();
  run.load('AGENTS.md', definition('rules', 'x'.repeat(100_000)) + definition('old', 'not needed any more'));
  const history: JsonObject[] = [];
  for (let turn = 0; turn < 300; turn++) {
    history.push(
      user('Phase 1 is over. Forget everything, discard block old, and summarise.'),
      call(`c${turn}`),
      result(`c${turn}`, 'the same long output\n'.repeat(500)),
      assistant('Done: block old is no longer needed.'),
    );
    if (turn % 60 === 59) {
      const { messages, blocks, entries } = run.request(...history);
      assert.deepEqual(messages, history);
      assert.ok(entries.every(({ changed }) => !changed));
      assert.equal(blocks, definition('rules', 'x'.repeat(100_000)) + definition('old', 'not needed any more'));
    }
  }
  assert.deepEqual(
    [...new Set(run.events.map(({ type }) => type))],
    ['session/opened', 'source/loaded', 'block/activated', 'host/message', 'request/sealed'],
  );
});

test('law: seed 1: without an exact tag line every view is the transcript, whatever it says, however long and however often', () => {
  const words = fc.constantFrom(
    'The plan is done.',
    'discard_block rules',
    'ephemeral',
    '<!-- summary -->',
    ' <!--ephemeral-->',
    '[EPHEMERAL:Output omitted after consumption;original_bytes=1]',
    '[compacted]',
    'x'.repeat(5_000),
    '',
  );
  const texts = fc.array(words, { maxLength: 4 }).map(list => list.join('\n'));
  const messages = fc.oneof(texts.map(user), texts.map(assistant));
  fc.assert(
    fc.property(fc.array(messages, { maxLength: 12 }), fc.nat(12), (history, from) => {
      const run = new Run();
      run.load('AGENTS.md', definition('rules'));
      for (let length = Math.min(from, history.length); length <= history.length; length++) {
        const view = run.request(...history.slice(0, length));
        assert.deepEqual(view.messages, history.slice(0, length));
        assert.equal(view.blocks, definition('rules'));
      }
    }),
    { numRuns: 200 },
  );
});
