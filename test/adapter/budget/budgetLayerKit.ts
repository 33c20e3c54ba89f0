import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { SessionOptions } from '../../../adapter/sessionTypes.ts';
import type { TokenCounter } from '../../../adapter/tokens/tokenCounter.ts';
import { type BudgetSettings, DEFAULT_BUDGET } from '../../../local/budgetSettings.ts';
import type { Amount } from '../../../protocol/log/amounts.ts';
import type { JsonObject } from '../../../protocol/request/json.ts';
import { assistant, user } from '../../protocol/lifecycle/lifecycleKit.ts';
import { type Checked, checkedSession } from '../session/sessionKit.ts';

/** A model whose vocabulary the counter has, so that its numbers are exact. */
export const CONFIG: JsonObject = { model: 'gpt-5' };

/** A word is a token (tiers 4). */
export const WORDS: TokenCounter = {
  count: async texts => texts.map(wordsOf),
  estimate: wordsOf,
  close: async () => {},
};

function wordsOf(text: string): Amount {
  return { tokens: text.split(/\s+/).filter(Boolean).length, origin: 'exact' };
}

/** The layer on, with a window of 1,000 words. */
export function layerOn(settings: Partial<BudgetSettings> = {}): BudgetSettings {
  return { ...DEFAULT_BUDGET, enabled: true, window: 1000, ...settings };
}

/** A session with the layer on, whose log is checked against each of its requests. */
export function budgetSession(
  t: TestContext,
  settings: Partial<BudgetSettings> = {},
  options: Partial<SessionOptions> = {},
): Promise<Checked> {
  const { config, ...others } = options;
  return checkedSession(t, {
    counter: WORDS,
    ...others,
    config: { countTokens: true, ...config, budget: layerOn(settings) },
  });
}

export function words(count: number, name: string): string {
  return Array.from({ length: count }, (_, index) => `${name}${index}`).join(' ');
}

/** A conversation of so many messages, each of so many words. */
export function talk(messages: number, each: number, name = 'm'): readonly JsonObject[] {
  return Array.from({ length: messages }, (_, index) =>
    index % 2 === 0 ? user(words(each, `${name}${index}q`)) : assistant(words(each, `${name}${index}a`)),
  );
}

/** All requests of a conversation, one after each question, each answered. */
export async function converse(checked: Checked, messages: readonly JsonObject[]): Promise<void> {
  for (let length = 1; length <= messages.length; length += 2) {
    await checked.turn(messages.slice(0, length), { config: CONFIG });
  }
  assert.ok(checked.sealed.length > 0);
}
