import type { BudgetSettings } from '../../local/budgetSettings.ts';
import type { Sourced } from '../../protocol/budget/budgetEvents.ts';
import type { KnownLimits } from '../../protocol/budget/limits.ts';
import { matchesPattern } from '../../protocol/lifecycle/sourcePattern.ts';
import type { JsonObject } from '../../protocol/request/json.ts';
import { modelOf } from '../tokens/modelOf.ts';
import { knownWindow } from './modelWindows.ts';

/** What an agent knows of its model, in tokens. */
export interface GivenLimits {
  readonly window?: number;
  /** What the provider lets in. */
  readonly inputLimit?: number;
  /** What the request keeps free for its answer. */
  readonly outputReserve?: number;
}

/** Members of the agents' and the APIs' configs that say how long an answer may be. */
const OUTPUT_MEMBERS = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'maxOutputTokens',
  'maxTokens',
] as const;

/**
 * tiers 2: window, input limit and output reserve of a request, each with who said it. A person's settings count before what
 * the agent says, and that before what is known of the model. A reserve that leaves nothing of the window is no reserve: the
 * provider refuses it, or takes less.
 */
export function sessionLimits(
  config: JsonObject,
  settings: Pick<BudgetSettings, 'window' | 'models'>,
  agent: string,
  given: GivenLimits = {},
): KnownLimits {
  const model = modelOf(config);
  const set = settings.models.find(({ model: pattern }) => matchesPattern(pattern, model));
  const known = knownWindow(model);
  const bySettings = (tokens: number | undefined) => sourced(tokens, 'config.json');
  const byAgent = (tokens: number | undefined) => sourced(tokens, agent);
  const window = bySettings(set?.window ?? settings.window) ?? byAgent(given.window) ?? known.window;
  const isKnownWindow = window === known.window;
  const inputLimit =
    bySettings(set?.inputLimit) ?? byAgent(given.inputLimit) ?? (isKnownWindow ? known.inputLimit : undefined);
  const reserve =
    bySettings(set?.outputReserve) ?? byAgent(given.outputReserve) ?? sourced(outputOf(config), 'the request');
  return {
    window,
    ...(model !== '' && { model }),
    ...(inputLimit && { inputLimit }),
    ...(reserve && reserve.tokens < window.tokens && { outputReserve: reserve }),
  };
}

function sourced(tokens: number | undefined, source: string): Sourced | undefined {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? { tokens, source } : undefined;
}

function outputOf(config: JsonObject): number | undefined {
  const nested = config['generationConfig'];
  const places = [config, typeof nested === 'object' && nested !== null ? (nested as JsonObject) : {}];
  for (const place of places) {
    for (const member of OUTPUT_MEMBERS) {
      const value = place[member];
      if (typeof value === 'number') {
        return value;
      }
    }
  }
  return undefined;
}
