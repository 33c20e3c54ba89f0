import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceSentences } from '../../../adapter/agents/sessionSummary.ts';
import { sourceKey } from '../../../protocol/lifecycle/lifecycleState.ts';
import { initialState } from '../../../protocol/log/reduce.ts';
import type { SessionState } from '../../../protocol/log/sessionState.ts';

const source = { source: 'AGENTS.md', class: 'context-file', text: '' } as const;

/** A state in which the source was loaded with these problems, in the lines 1, 2 and so on. */
function loadedWith(...codes: readonly string[]): SessionState {
  const problems = codes.map((code, index) => ({ code, line: index + 1 }));
  const facts = { source: 'AGENTS.md', class: 'context-file', sha256: '0'.repeat(64), bytes: 0 } as const;
  const loaded = { ...facts, blocks: [], problems, seq: 1, time: 0 };
  const sources = new Map([[sourceKey('context-file', 'AGENTS.md'), { loaded }]]);
  return { ...initialState, lifecycle: { ...initialState.lifecycle, sources } };
}

test('a person is told of blocks that are not active because they are invalid, and of no other problem', () => {
  assert.deepEqual(sourceSentences(source, [], loadedWith('malformed-tag', 'unclosed-block')), [
    'Not every block of AGENTS.md is valid: unclosed-block in line 2.',
  ]);
  const many = loadedWith('nested-block', 'nested-block', 'mismatched-block-end', 'nested-block', 'unclosed-block');
  assert.deepEqual(sourceSentences(source, [], many), [
    'Not every block of AGENTS.md is valid: nested-block in line 1, nested-block in line 2, mismatched-block-end in line 3, 2 more.',
  ]);
  assert.deepEqual(sourceSentences(source, [], loadedWith('malformed-tag')), []);
  assert.deepEqual(sourceSentences(source, [], initialState), []);
});
