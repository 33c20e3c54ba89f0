import type { GivenLimits } from '../../budget/sessionLimits.ts';
import type { PiModel } from './piApi.ts';

/** pi 0.73 asks for no longer answer, whatever the model can give; 1.6 asks for what the request leaves of the window. */
const LONGEST_ANSWER = 32_000;

/** What pi knows of its model, where it knows it; numbers that a person wrote wrong into models.json are nobody's limits. */
export function limitsOf({ contextWindow, maxTokens }: PiModel | Record<string, never> = {}): GivenLimits {
  return {
    ...(isAmount(contextWindow) && { window: contextWindow }),
    ...(isAmount(maxTokens) && { outputReserve: Math.min(maxTokens, LONGEST_ANSWER) }),
  };
}

function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
