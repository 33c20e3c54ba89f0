import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, call, definition, discardLine, policyOf, Run, resultBlock, results } from './lifecycleKit.ts';

const contextFiles = { class: 'context-file', pattern: '*', may: ['define'] } as const;

/** A result of a tool that the host names. */
const resultOf = (toolName: string, id: string, text: string): JsonObject =>
  results({ ...resultBlock(id, text), toolName });

test('seed 1: an ordinary tool result discards only where a rule names its very tool', () => {
  const run = new Run({
    policy: policyOf(contextFiles, { class: 'tool-result', pattern: 'tool:phase', may: ['discard'] }),
  });
  run.load('AGENTS.md', definition('rules') + definition('style'));
  const history = [call('a'), resultOf('bash', 'a', discardLine('rules'))];
  assert.equal(run.request(...history).blocks, definition('rules') + definition('style'), 'another tool may not');
  history.push(call('b'), resultOf('phase', 'b', discardLine('rules')));
  assert.equal(run.request(...history).blocks, definition('style'));
  assert.deepEqual(
    run.audits('discard/denied').map(({ source }) => source),
    ['tool:bash'],
  );
  assert.deepEqual(
    run.audits('block/discarded').map(({ source, rule }) => [source, rule]),
    [['tool:phase', 'rule 2: tool-result "tool:phase" may discard']],
  );
});

test('seed 1: assistant text discards only where a rule names that source', () => {
  for (const [pattern, blocks] of [
    ['*', definition('rules')],
    ['assistant', undefined],
  ] as const) {
    const run = new Run({ policy: policyOf(contextFiles, { class: 'assistant', pattern, may: ['discard'] }) });
    run.load('AGENTS.md', definition('rules'));
    assert.equal(run.request(assistant(discardLine('rules'))).blocks, blocks, pattern);
  }
});

for (const sourceClass of ['repository-file', 'web'] as const) {
  test(`seed 1: a source of class ${sourceClass} defines and discards only where a rule names that source`, () => {
    const load = (pattern: string): Run => {
      const run = new Run({
        policy: policyOf(contextFiles, { class: sourceClass, pattern, may: ['define', 'discard'] }),
      });
      run.load('AGENTS.md', definition('rules'));
      run.load('docs/phases.md', `${definition('phase')}${discardLine('rules')}\n`, sourceClass);
      return run;
    };
    for (const wide of ['*', 'docs/*', 'docs/other.md', 'phases.md']) {
      const run = load(wide);
      assert.equal(run.session.blocksText(), definition('rules'), wide);
      assert.deepEqual([run.audits('block/denied').length, run.audits('discard/denied').length], [1, 1], wide);
    }
    assert.equal(load('docs/phases.md').session.blocksText(), definition('phase'));
  });
}
