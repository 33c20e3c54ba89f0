import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardedMeter } from '../../../adapter/guardedMeter.ts';
import type { RequestMeter } from '../../../adapter/requestMeter.ts';
import type { TokenCounter } from '../../../adapter/tokens/tokenCounter.ts';
import { assistant, definition, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { checkedSession } from './sessionKit.ts';

const sane: TokenCounter = {
  count: async texts => texts.map(() => ({ tokens: 1, origin: 'exact' as const })),
  estimate: () => ({ tokens: 1, origin: 'exact' }),
  close: async () => {},
};

const broken: Readonly<Record<string, Partial<TokenCounter>>> = {
  'rejects when it counts': { count: () => Promise.reject(new Error('no vocabulary')) },
  'throws when it counts': {
    count: () => {
      throw new Error('no vocabulary');
    },
  },
  'throws when it estimates': {
    estimate: () => {
      throw new Error('no vocabulary');
    },
  },
  'gives no numbers': { estimate: () => ({ tokens: Number.NaN, origin: 'exact' }) },
  'gives numbers without end': { estimate: () => ({ tokens: Number.POSITIVE_INFINITY, origin: 'estimated' }) },
  'gives more tokens than can be added up': {
    estimate: () => ({ tokens: Number.MAX_SAFE_INTEGER, origin: 'estimated' }),
  },
  'gives nothing at all': { estimate: () => undefined as never, count: async () => undefined as never },
};

for (const [what, faults] of Object.entries(broken)) {
  test(`issue 3.3: a token counter that ${what} costs the numbers, and no request`, async t => {
    const counter = { ...sane, ...faults };
    const checked = await checkedSession(t, { counter, config: { countTokens: true } });
    checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
    await checked.turn([user('a')]);
    const sealed = await checked.turn([user('a'), assistant('b'), user('c')]);
    assert.equal(sealed.requestSequence, 2);
    checked.session.whatIf('plan');
    await checked.turn([user('a'), assistant('b'), user('c')]);
    const problems = await checked.logged('session/problem');
    assert.equal(problems.length, 1, 'it is said once');
    assert.match(
      problems[0]?.sentence ?? '',
      /^Tokens are not counted any more, because what counts them has failed: /,
    );
    await checked.close();
  });
}

test('issue 3.3: a token counter that never answers is waited for once, and that is said once', async () => {
  let asked = 0;
  const deaf: RequestMeter = {
    prepare() {
      asked++;
      return new Promise(() => {});
    },
    counts: () => undefined,
    measure: () => ({}),
    whatIf: () => undefined,
    answered: () => undefined,
    problem: () => undefined,
  };
  const meter = guardedMeter(deaf, 1);
  const input = { messages: [user('a')], config: {} };
  await meter.prepare(input, () => []);
  await meter.prepare(input, () => []);
  assert.equal(asked, 2, 'it may still count for the requests after this one');
  assert.match(meter.problem() ?? '', /^Tokens are estimated where they are not counted yet: /);
  assert.equal(meter.problem(), undefined);
});

test('issue 3.3: a sane token counter gives sizes that add up, and a price for what a discard would cost', async t => {
  const checked = await checkedSession(t, { counter: sane, config: { countTokens: true } });
  checked.session.loadSource({ source: 'AGENTS.md', class: 'context-file', text: definition('plan') });
  assert.equal(checked.session.whatIf('plan'), undefined, 'nothing was sent yet');
  await checked.turn([user('a')], { system: 'be kind' });
  const [sealed] = await checked.logged('request/sealed');
  const { sizes } = sealed ?? {};
  assert.ok(sizes);
  const parts = [sizes.system, sizes.tools, sizes.prefix, sizes.messages, sizes.unattributed];
  assert.equal(
    sizes.total.tokens,
    parts.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  assert.ok(checked.session.whatIf('plan'));
  assert.equal(checked.session.whatIf('nobody'), undefined);
  assert.deepEqual(await checked.logged('session/problem'), []);
  await checked.close();
});
