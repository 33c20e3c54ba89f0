import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionLimits } from '../../../adapter/budget/sessionLimits.ts';
import { DEFAULT_BUDGET } from '../../../local/budgetSettings.ts';

test('limits: a person’s settings count before what the agent says, and that before what is known of the model', () => {
  const given = { window: 300_000, inputLimit: 250_000, outputReserve: 20_000 };
  const config = { model: 'claude-opus-5', max_tokens: 32_000 };
  assert.deepEqual(sessionLimits(config, DEFAULT_BUDGET, 'pi'), {
    model: 'claude-opus-5',
    window: { tokens: 200_000, source: 'what is known of claude-opus-5' },
    outputReserve: { tokens: 32_000, source: 'the request' },
  });
  assert.deepEqual(sessionLimits(config, DEFAULT_BUDGET, 'pi', given), {
    model: 'claude-opus-5',
    window: { tokens: 300_000, source: 'pi' },
    inputLimit: { tokens: 250_000, source: 'pi' },
    outputReserve: { tokens: 20_000, source: 'pi' },
  });
  const models = [
    { model: 'gpt-*', window: 1 },
    { model: 'claude-*-5', window: 1_000_000, outputReserve: 64_000 },
    { model: '*', window: 2 },
  ];
  assert.deepEqual(sessionLimits(config, { ...DEFAULT_BUDGET, window: 7, models }, 'pi', given), {
    model: 'claude-opus-5',
    window: { tokens: 1_000_000, source: 'config.json' },
    inputLimit: { tokens: 250_000, source: 'pi' },
    outputReserve: { tokens: 64_000, source: 'config.json' },
  });
});

test('limits: what is known of a model has its own input limit; what nobody knows is assumed, and says so', () => {
  assert.deepEqual(sessionLimits({ model: 'openai/GPT-5-mini' }, DEFAULT_BUDGET, 'x'), {
    model: 'openai/GPT-5-mini',
    window: { tokens: 400_000, source: 'what is known of openai/GPT-5-mini' },
    inputLimit: { tokens: 272_000, source: 'what is known of openai/GPT-5-mini' },
  });
  const unknown = (config: object) => sessionLimits({ ...config }, DEFAULT_BUDGET, 'x').window;
  assert.deepEqual(unknown({ model: 'llama' }), {
    tokens: 200_000,
    source: 'assumed, because nobody says what "llama" takes',
  });
  assert.ok(unknown({ model: 'x'.repeat(9_999) }).source.length < 200, 'a name stands in each request’s numbers');
  assert.deepEqual(unknown({}), { tokens: 200_000, source: 'assumed, because nobody says what the model takes' });
  // A window that somebody sets has nothing to do with the input limit of the one that is known.
  assert.equal(sessionLimits({ model: 'gpt-5' }, { ...DEFAULT_BUDGET, window: 9 }, 'x').inputLimit, undefined);
});

test('limits: what a request keeps for its answer is read as each API names it, and is no reserve where it leaves nothing', () => {
  const reserve = (config: object, window = 100_000) =>
    sessionLimits({ ...config }, { ...DEFAULT_BUDGET, window }, 'x').outputReserve?.tokens;
  assert.equal(reserve({ max_tokens: 5 }), 5);
  assert.equal(reserve({ max_completion_tokens: 6 }), 6);
  assert.equal(reserve({ max_output_tokens: 7 }), 7);
  assert.equal(reserve({ maxOutputTokens: 8 }), 8);
  assert.equal(reserve({ generationConfig: { maxOutputTokens: 9 } }), 9);
  assert.equal(reserve({ max_tokens: 5000 }, 5000), undefined);
  assert.equal(reserve({ max_tokens: 0 }), undefined);
  assert.equal(reserve({ max_tokens: '12' }), undefined);
  assert.equal(reserve({ generationConfig: null }), undefined);
});
