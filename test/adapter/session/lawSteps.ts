import fc from 'fast-check';
import type { Outcome } from '../../../adapter/index.ts';
import { DEFAULT_POLICY } from '../../../protocol/lifecycle/defaultPolicy.ts';
import type { Policy, SourceClass } from '../../../protocol/lifecycle/policy.ts';
import { definition, discardLine, policyOf } from '../../protocol/lifecycle/lifecycleKit.ts';

/** One thing that happens to a session. */
export type Step =
  | { readonly does: 'load'; readonly class: SourceClass; readonly source: string; readonly text: string }
  | { readonly does: 'control'; readonly class: SourceClass; readonly text: string }
  | { readonly does: 'discard'; readonly id: string }
  | { readonly does: 'say'; readonly text: string }
  | { readonly does: 'tools'; readonly texts: readonly string[]; readonly sameIds: boolean }
  | { readonly does: 'turn'; readonly outcome: Outcome | 'unknown'; readonly text: string; readonly kept: boolean }
  | { readonly does: 'compact'; readonly keep: number; readonly text: string }
  | { readonly does: 'undo'; readonly drop: number }
  | { readonly does: 'header'; readonly system: string; readonly tools: readonly string[]; readonly model: string }
  | { readonly does: 'inject'; readonly channel: 'inject' | 'tool-context' | 'prompt-context' }
  | { readonly does: 'resume' | 'crash' | 'fork' | 'request' | 'refuse' };

const ids = fc.constantFrom('a', 'b', 'c');
const sourceTexts = fc
  .array(
    fc.oneof(
      ids.map(id => definition(id)),
      ids.map(id => definition(id, `other ${discardLine('a')}`)),
      ids.map(id => `${discardLine(id)}\n`),
      fc.constantFrom('words\n', '<!--BLOCK_ID:a-->\n', '\r\n'),
    ),
    { maxLength: 4 },
  )
  .map(list => list.join(''));
const texts = fc
  .array(
    fc.constantFrom('', 'hello', 'é😀', '\ud800', '__proto__', '<!--ephemeral-->', discardLine('a'), discardLine('b')),
    { maxLength: 3 },
  )
  .map(list => list.join('\n'));
const maybeEphemeral = fc.oneof(
  texts,
  texts.map(text => `${text}\n<!--ephemeral-->`),
);

export const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('load' as const),
    class: fc.constantFrom<SourceClass>('context-file', 'context-file', 'repository-file', 'plugin'),
    source: fc.constantFrom('u.md', 'r.md'),
    text: sourceTexts,
  }),
  fc.record({
    does: fc.constant('control' as const),
    class: fc.constantFrom<SourceClass>('plugin', 'host-workflow', 'web'),
    text: texts,
  }),
  fc.record({ does: fc.constant('discard' as const), id: ids }),
  fc.record({ does: fc.constant('say' as const), text: maybeEphemeral }),
  fc.record({
    does: fc.constant('tools' as const),
    texts: fc.array(maybeEphemeral, { minLength: 1, maxLength: 3 }),
    sameIds: fc.boolean(),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('turn' as const),
      outcome: fc.constantFrom<Outcome | 'unknown'>('completed', 'completed', 'failed', 'aborted', 'unknown'),
      text: texts,
      kept: fc.boolean(),
    }),
  },
  fc.record({ does: fc.constant('compact' as const), keep: fc.nat(4), text: texts }),
  fc.record({ does: fc.constant('undo' as const), drop: fc.nat(3) }),
  fc.record({
    does: fc.constant('header' as const),
    system: fc.constantFrom('', 'one', 'one\ntwo', 'two\n'),
    tools: fc.shuffledSubarray(['bash', 'read', 'edit']),
    model: fc.constantFrom('m', 'n'),
  }),
  fc.record({
    does: fc.constant('inject' as const),
    channel: fc.constantFrom('inject' as const, 'tool-context' as const, 'prompt-context' as const),
  }),
  fc.record({
    does: fc.constantFrom('resume' as const, 'crash' as const, 'fork' as const, 'request' as const, 'refuse' as const),
  }),
);

export const policies = fc.constantFrom<Policy>(
  DEFAULT_POLICY,
  policyOf(
    { class: 'context-file', pattern: 'u.md', may: ['define', 'discard'] },
    { class: 'repository-file', pattern: 'r.md', may: ['define', 'discard'] },
    { class: 'plugin', pattern: '*', may: ['define', 'discard'] },
    { class: 'user', pattern: 'us*r', may: ['discard', 'ephemeral'] },
    { class: 'tool-result', pattern: 'tool', may: ['discard', 'ephemeral'] },
    { class: 'assistant', pattern: '*', may: ['discard', 'ephemeral'] },
  ),
);
