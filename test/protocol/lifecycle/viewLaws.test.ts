import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEFAULT_POLICY } from '../../../protocol/lifecycle/defaultPolicy.ts';
import type { Policy, SourceClass } from '../../../protocol/lifecycle/policy.ts';
import type { Json, JsonObject } from '../../../protocol/request/json.ts';
import { isDeepFrozen } from '../request/vectorFile.ts';
import {
  assistant,
  call,
  definition,
  discardLine,
  policyOf,
  Run,
  resultBlock,
  results,
  textBlock,
  user,
} from './lifecycleKit.ts';
import { type Model, modelControl, modelDiscard, modelLoad, modelView, newModel } from './lifecycleModel.ts';

type Outcome = 'completed' | 'failed' | 'aborted';

type Step =
  | { readonly does: 'load'; readonly class: SourceClass; readonly source: string; readonly text: string }
  | { readonly does: 'control'; readonly class: SourceClass; readonly text: string }
  | { readonly does: 'discard'; readonly id: string }
  | { readonly does: 'say'; readonly texts: readonly string[]; readonly asString: boolean }
  | { readonly does: 'tools'; readonly texts: readonly string[]; readonly sameIds: boolean }
  | {
      readonly does: 'turn';
      readonly outcome: Outcome;
      readonly text: string;
      readonly kept: boolean;
      readonly dies: boolean;
    }
  | { readonly does: 'compact'; readonly keep: number; readonly text: string }
  | { readonly does: 'undo'; readonly drop: number }
  | { readonly does: 'reshape' | 'resume' | 'fork' | 'swap' | 'view' };

const ids = fc.constantFrom('a', 'b', 'c');
const pieces = fc.oneof(
  ids.map(id => definition(id)),
  fc
    .tuple(ids, fc.constantFrom('other', `${discardLine('a')}\n<!--ephemeral-->`))
    .map(([id, body]) => definition(id, body)),
  ids.map(id => `${discardLine(id)}\n`),
  ids.map(id => `<!--BLOCK_ID:${id}-->\r\n`),
  ids.map(id => `<!--/BLOCK_ID:${id}-->`),
  fc.constantFrom('words\n', '\n', '\r\n', 'é😀', '<!-- DISCARD_BLOCK:a -->\n', ' <!--ephemeral-->\n'),
);
const sourceTexts = fc.array(pieces, { maxLength: 5 }).map(list => list.join(''));
const lines = fc.constantFrom(
  '',
  'hello',
  'é😀',
  '<!--ephemeral-->',
  discardLine('a'),
  discardLine('b'),
  '<!-- ephemeral -->',
);
const texts = fc
  .array(lines, { maxLength: 3 })
  .chain(list => fc.constantFrom('\n', '\r\n', '\r').map(end => list.join(end)));
const ephemeralTexts = fc.oneof(
  texts,
  texts.map(text => `${text}\n<!--ephemeral-->`),
);

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: fc.constant('load' as const),
    class: fc.constantFrom<SourceClass>('context-file', 'context-file', 'repository-file', 'plugin', 'summary'),
    source: fc.constantFrom('u.md', 'r.md'),
    text: sourceTexts,
  }),
  fc.record({
    does: fc.constant('control' as const),
    class: fc.constantFrom<SourceClass>('plugin', 'host-workflow', 'web', 'context-file', 'handoff'),
    text: texts,
  }),
  fc.record({ does: fc.constant('discard' as const), id: ids }),
  fc.record({
    does: fc.constant('say' as const),
    texts: fc.array(ephemeralTexts, { minLength: 1, maxLength: 2 }),
    asString: fc.boolean(),
  }),
  fc.record({
    does: fc.constant('tools' as const),
    texts: fc.array(ephemeralTexts, { minLength: 1, maxLength: 3 }),
    sameIds: fc.boolean(),
  }),
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('turn' as const),
      outcome: fc.constantFrom<Outcome>('completed', 'completed', 'failed', 'aborted'),
      text: lines,
      kept: fc.boolean(),
      dies: fc.boolean(),
    }),
  },
  fc.record({ does: fc.constant('compact' as const), keep: fc.nat(4), text: texts }),
  fc.record({ does: fc.constant('undo' as const), drop: fc.nat(3) }),
  fc.record({
    does: fc.constantFrom('reshape' as const, 'resume' as const, 'fork' as const, 'swap' as const, 'view' as const),
  }),
);

const policies = fc.constantFrom<Policy>(
  DEFAULT_POLICY,
  policyOf(
    { class: 'context-file', pattern: 'u.md', may: ['define', 'discard'] },
    { class: 'context-file', pattern: '*', may: ['define', 'discard'] },
    { class: 'repository-file', pattern: 'r.md', may: ['define', 'discard'] },
    { class: 'plugin', pattern: '*', may: ['define', 'discard'] },
    { class: 'user', pattern: 'us*r', may: ['discard', 'ephemeral'] },
    { class: 'tool-result', pattern: 'tool', may: ['discard', 'ephemeral'] },
    { class: 'assistant', pattern: '*', may: ['discard', 'ephemeral'] },
    { class: 'summary', pattern: '*', may: ['define', 'discard'] },
  ),
  policyOf(
    { class: 'user', pattern: '*', may: [] },
    { class: 'user', pattern: 'user', may: ['discard', 'ephemeral'] },
    { class: 'context-file', pattern: '*.md', may: ['define'] },
    { class: 'tool-result', pattern: '*', may: ['discard', 'ephemeral'] },
  ),
);

/** A host with its session and, beside it, the model of both. */
interface Branch {
  run: Run;
  readonly model: Model;
}

const BLOCK_AUDITS = new Set([
  'block/activated',
  'block/conflict',
  'block/denied',
  'block/discarded',
  'discard/repeated',
  'discard/unknown',
  'discard/denied',
]);

class Interleaving {
  #branches: Branch[];
  /** Answers and most calls have words of their own, as those of a model do. */
  #serial = 0;

  constructor(policy: Policy) {
    this.#branches = [{ run: new Run({ policy }), model: newModel(policy.rules) }];
  }

  take(step: Step): void {
    const branch = this.#branches[0] as Branch;
    const { run, model } = branch;
    switch (step.does) {
      case 'load':
        run.load(step.source, step.text, step.class);
        return modelLoad(model, step.class, step.source, step.text);
      case 'control':
        run.control(step.text, step.class, 'x');
        return modelControl(model, step.class, 'x', step.text);
      case 'discard':
        run.session.discard(step.id, { source: 'editor', class: 'editor', trigger: 'watcher' });
        return modelDiscard(model, step.id);
      case 'say':
        return this.#say({ role: 'user', content: step.asString ? (step.texts[0] ?? '') : step.texts.map(textBlock) });
      case 'tools': {
        const calls = step.texts.map((_, place) => (step.sameIds ? `c${place}` : `c${place}-${this.#serial++}`));
        this.#say(call(...calls));
        return this.#say(results(...step.texts.map((text, place) => resultBlock(calls[place] ?? '', text))));
      }
      case 'turn':
        return this.#turn(branch, step);
      case 'compact':
        model.transcript = [
          { message: { role: 'user', content: step.text }, failed: false },
          ...model.transcript.slice(Math.max(0, model.transcript.length - step.keep)),
        ];
        return;
      case 'undo':
        model.transcript = model.transcript.slice(0, Math.max(0, model.transcript.length - step.drop));
        return;
      case 'reshape':
        model.transcript = model.transcript.map(({ message, failed }) => ({ message: reshaped(message), failed }));
        return;
      case 'resume':
        branch.run = run.resumed();
        return;
      case 'fork':
        this.#branches.push({ run: run.resumed(), model: structuredClone(model) });
        return;
      case 'swap':
        this.#branches = [...this.#branches.slice(1), branch];
        return;
      case 'view':
        return this.view();
    }
  }

  view(): void {
    const { run, model } = this.#branches[0] as Branch;
    const shown = run.request(...model.transcript.map(({ message }) => message));
    const expected = modelView(model);
    assert.equal(JSON.stringify(shown.messages), JSON.stringify(expected.messages));
    assert.equal(shown.blocks, expected.blocks);
    for (const [host, entry] of shown.entries.entries()) {
      assert.ok(isDeepFrozen(entry.message));
      assert.equal(entry.host, host);
      assert.equal(entry.changed, JSON.stringify(entry.message) !== JSON.stringify(model.transcript[host]?.message));
    }
    const audits = run.events
      .filter(({ type }) => BLOCK_AUDITS.has(type))
      .map(({ type, data }) => {
        const { blockId, line = '-' } = data as JsonObject;
        return `${type} ${blockId as string} ${line as number}`;
      });
    assert.deepEqual(audits, model.audits);
    assert.equal(run.audits('ephemeral/admitted').length, model.admitted.length);
    assert.equal(run.audits('ephemeral/consumed').length, model.consumed.length);
  }

  /** A request with its answer; after one that failed the host asks again at once, perhaps after it died. */
  #turn(branch: Branch, { outcome, text, kept, dies }: Step & { readonly does: 'turn' }): void {
    if (branch.model.transcript.length === 0) {
      // Nobody asks without a question.
      this.#say(user('question'));
    }
    this.view();
    branch.run.ended(outcome);
    const failed = outcome !== 'completed';
    if (kept || !failed) {
      branch.model.transcript.push({ message: assistant(`answer ${this.#serial++}\n${text}`), failed });
    }
    if (dies) {
      branch.run = branch.run.resumed();
    }
    if (failed) {
      this.view();
    }
  }

  #say(message: JsonObject): void {
    this.#branches[0]?.model.transcript.push({ message, failed: false });
  }
}

/** The same words in another JSON shape. */
function reshaped({ content = null, role = null }: JsonObject): JsonObject {
  const blocks = content as readonly JsonObject[];
  const isOneText = typeof content !== 'string' && blocks.length === 1 && blocks[0]?.['type'] === 'text';
  const shape: Json =
    typeof content === 'string' ? [textBlock(content)] : isOneText ? (blocks[0]?.['text'] ?? '') : content;
  return { role, content: shape, again: true };
}

test('law: the view of any interleaving of loads, discards, messages, compactions, forks and resumes is that of a slow, obvious model', () => {
  fc.assert(
    fc.property(policies, fc.array(steps, { maxLength: 25 }), (policy, list) => {
      const interleaving = new Interleaving(policy);
      for (const step of list) {
        interleaving.take(step);
      }
      interleaving.view();
    }),
    { numRuns: 2000 },
  );
});
