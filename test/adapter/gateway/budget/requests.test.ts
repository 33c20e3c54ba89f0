import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BudgetSettings, DEFAULT_BUDGET } from '../../../../local/budgetSettings.ts';
import type { JsonObject } from '../../../../protocol/request/json.ts';
import type { Answer } from '../../../scriptedModel/answer.ts';
import { layerOn, WORDS, words } from '../../budget/budgetLayerKit.ts';
import { ANTHROPIC, DIALECTS, type Dialect, GEMINI, RESPONSES, type Said } from '../session/dialects.ts';
import { GatewayHouse } from '../session/gatewayHouse.ts';
import { messagesOf } from './wellFormed.ts';

type Options = Parameters<typeof GatewayHouse.open>[2];

/** A gateway with the layer on, whose window is 1,000 words. */
function budgetHouse(
  t: Parameters<typeof GatewayHouse.open>[0],
  script: readonly Answer[],
  settings: Partial<BudgetSettings> = {},
  options: Options = {},
): Promise<GatewayHouse> {
  const config = { announce: false, countTokens: true, budget: layerOn(settings) };
  return GatewayHouse.open(t, script, { counter: WORDS, ...options, config });
}

/** A conversation of so many messages; each has so many words, and names its place. */
const talk = (messages: number, each: number): readonly Said[] =>
  Array.from({ length: messages }, (_, at) =>
    at % 2 === 0 ? { user: words(each, `m${at}q`) } : { says: words(each, `m${at}a`) },
  );

const TOO_LONG: Readonly<Record<Dialect['name'], string>> = {
  'anthropic-messages': 'prompt is too long: 663 tokens > 500 maximum',
  'openai-responses': 'This model’s maximum context length is 500 tokens, however you requested 663.',
  'openai-chat': 'This model’s maximum context length is 500 tokens, however you requested 663.',
  gemini: 'The input token count (663) exceeds the maximum number of tokens allowed (500).',
};

for (const dialect of DIALECTS) {
  test(`T-27 over ${dialect.name}: a request that the provider refuses for its length is planned with what that taught, and sent once more`, async t => {
    const refusal = { status: 400, said: TOO_LONG[dialect.name] };
    const house = await budgetHouse(t, [refusal, { text: 'done' }, refusal, refusal]);
    const said = talk(51, 12);
    const asked = await house.ask(dialect, said);
    assert.equal(asked.status, 200, asked.text);
    assert.match(asked.text, /done|"do"/);
    const [first = '', second = ''] = house.bodies;
    assert.deepEqual(JSON.parse(first), dialect.body(said));
    assert.ok(second.length < first.length);
    assert.deepEqual(messagesOf(second).slice(-20), messagesOf(first).slice(-20));
    const [learned] = await house.logged('budget/limit-learned');
    assert.equal(learned?.tokens, 500);
    assert.deepEqual(
      (await house.logged('step/end')).map(({ outcome }) => outcome),
      ['failed', 'completed'],
    );
    // Refused whatever is made of it: the provider's own answer goes on.
    const last = await house.ask(dialect, talk(53, 12));
    assert.equal(last.status, 400);
    assert.ok(last.text.includes(JSON.stringify(refusal.said).slice(1, -1)));
    await house.gateway.close();
    await house.checkLog();
    assert.match(
      house.notices[0] ?? '',
      /^The provider refused a request for its length, so the limit is 500 tokens now \(.+\)\.$/,
    );
  });

  test(`a request of ${dialect.name} above its limit is held back in the API’s own words, also where others are passed on`, async t => {
    const house = await budgetHouse(t, [{ text: 'must not be asked' }], {}, { onFailure: 'pass' });
    const asked = await house.ask(dialect, [{ user: words(950, 'w') }]);
    assert.equal(asked.status, 400);
    const { error } = JSON.parse(asked.text) as { error: { message: string } };
    const isClaude = dialect === ANTHROPIC;
    assert.match(
      error.message,
      isClaude ? /^Context Lifecycle: Prompt is too long\. Request 1 / : /^Context Lifecycle: Request 1 /,
    );
    assert.match(error.message, /was not sent, because it takes ~\d+ tokens and the limit is 900 /);
    assert.deepEqual(house.bodies, []);
    assert.equal(house.notices.length, 1);
    const [measured] = await house.logged('budget/measured');
    assert.equal(measured?.gate, 'blocked');
    assert.equal((await house.logged('budget/reset-requested')).length, 1);
    assert.deepEqual(await house.logged('request/sealed'), []);
  });

  test(`tiers 7.2 over ${dialect.name}: with "overLimit": "warn" such a request is sent`, async t => {
    const house = await budgetHouse(t, [{ text: 'done' }], { overLimit: 'warn' });
    const said: readonly Said[] = [{ user: words(950, 'w') }];
    assert.equal((await house.ask(dialect, said)).status, 200);
    assert.deepEqual(JSON.parse(house.lastBody()), dialect.body(said));
    assert.equal((await house.logged('budget/measured'))[0]?.gate, 'warned');
    assert.match(
      house.notices.join('\n'),
      /^Request 1 takes ~\d+ of 1,000 tokens, .* the limit of 900.* is sent all the same\.$/,
    );
  });

  test(`a request of ${dialect.name} beside the conversation is none of its history: no edit of it is shown there, and none is lost`, async t => {
    const house = await budgetHouse(
      t,
      Array.from({ length: 4 }, () => ({ text: 'done' })),
    );
    await house.ask(dialect, talk(63, 12));
    const compressed = messagesOf(house.lastBody());
    assert.ok(compressed.length < 63);
    const aside = JSON.stringify(dialect.body([{ user: 'Which topic?' }]));
    await house.send(dialect, aside);
    assert.equal(house.lastBody(), aside, 'byte for byte');
    await house.ask(dialect, [...talk(63, 12), { says: 'done' }, { user: 'Go on.' }]);
    assert.deepEqual(messagesOf(house.lastBody()).slice(0, compressed.length), compressed);
    await house.gateway.close();
    await house.checkLog();
    assert.equal((await house.logged('budget/pass')).length, 1);
  });

  test(`T-51 a request of ${dialect.name} that is passed on as it came is said to be edited nowhere`, async t => {
    const house = await budgetHouse(t, [{ text: 'one' }, { text: 'two' }], {}, { onFailure: 'pass' });
    await house.ask(dialect, talk(3, 12));
    // A result without its call: no request is made of it.
    const broken = JSON.stringify(dialect.body([...talk(63, 12), { result: 'nobody', text: 'x' }]));
    await house.send(dialect, broken);
    assert.equal(house.lastBody(), broken);
    assert.match(house.notices.join(), /sent on as it came/);
    await house.gateway.close();
    assert.deepEqual(
      (await house.logged('budget/measured')).map(({ requestSequence, edited }) => [requestSequence, edited]),
      [[1, false]],
    );
    assert.equal((await house.logged('request/sealed')).length, 1);
  });
}

test('what an agent tells of itself and of the project before the first answer stays, whatever goes', async t => {
  const contexts: readonly (readonly [Dialect, string])[] = [
    [ANTHROPIC, '<system-reminder>\nInstructions: be nice.\n</system-reminder>'],
    [RESPONSES, '# AGENTS.md instructions for /project\n\nBe nice.'],
    [RESPONSES, '<environment_context>\n  <cwd>/project</cwd>\n</environment_context>'],
    [GEMINI, '<session_context>\nInstructions: be nice.\n</session_context>'],
  ];
  for (const [dialect, context] of contexts) {
    const house = await budgetHouse(t, [{ text: 'done' }]);
    const said: readonly Said[] = [{ user: context }, ...talk(63, 13)];
    await house.ask(dialect, said);
    const [first] = messagesOf(house.lastBody());
    assert.deepEqual(first, messagesOf(JSON.stringify(dialect.body(said)))[0]);
    assert.ok(messagesOf(house.lastBody()).length < 64, 'others went');
  }
});

const RESERVE: Readonly<Record<Dialect['name'], JsonObject>> = {
  'anthropic-messages': { max_tokens: 300 },
  'openai-responses': { max_output_tokens: 300 },
  'openai-chat': { max_completion_tokens: 300 },
  gemini: { generationConfig: { maxOutputTokens: 300 } },
};

test('what a request keeps free for its answer, and whose window counts, is read of each API', async t => {
  for (const dialect of DIALECTS) {
    const house = await budgetHouse(t, [{ text: 'done' }]);
    await house.ask(dialect, [{ user: 'go' }], { more: RESERVE[dialect.name] });
    const [{ limits } = assert.fail()] = await house.logged('budget/measured');
    assert.deepEqual([limits.outputReserve?.tokens, limits.hard, limits.binds], [300, 700, 'output-reserve']);
  }
});

test('the large window of Claude’s models is that of the request that asks for it; Gemini’s model is named by its path', async t => {
  const house = await GatewayHouse.open(
    t,
    Array.from({ length: 5 }, () => ({ text: 'done' })),
    {
      counter: WORDS,
      config: {
        announce: false,
        countTokens: true,
        budget: { ...DEFAULT_BUDGET, enabled: true, models: [{ model: 'gemini-mine', window: 77_000 }] },
      },
    },
  );
  const ask = (dialect: Dialect, session: string, more: JsonObject = {}, headers = {}) =>
    house.ask(dialect, [{ user: 'go' }], { session, more, headers });
  await ask(ANTHROPIC, 'plain');
  await ask(ANTHROPIC, 'beta', {}, { 'anthropic-beta': 'claude-code-20250219,context-1m-2025-08-07' });
  await ask(ANTHROPIC, 'named', { model: 'claude-sonnet-4-5[1m]' });
  await ask(GEMINI, 'path');
  const mine = { ...GEMINI, path: '/v1beta/models/gemini-mine:streamGenerateContent?alt=sse' };
  await ask(mine, 'mine');
  const windows = [];
  for (const session of ['plain', 'beta', 'named', 'path', 'mine']) {
    windows.push((await house.logged('budget/measured', session))[0]?.limits.window);
  }
  assert.deepEqual(windows, [
    { tokens: 200_000, source: 'what is known of claude-sonnet-4-5' },
    { tokens: 1_000_000, source: 'claude-code' },
    { tokens: 1_000_000, source: 'claude-code' },
    { tokens: 1_048_576, source: 'what is known of gemini-2.5-flash' },
    { tokens: 77_000, source: 'config.json' },
  ]);
});
