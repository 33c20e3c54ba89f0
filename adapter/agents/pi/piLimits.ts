import type { GivenLimits } from '../../budget/sessionLimits.ts';
import type { PiModel } from './piApi.ts';

/**
 * pi 0.73 asks for no longer answer, whatever the model can give; 1.6 asks for what the request leaves of the window, so that a
 * model whose answers may fill its window keeps no more than this share of it free.
 */
const LONGEST_ANSWER = 32_000;
const ANSWER_SHARE = 4;

/** What pi knows of its model, where it knows it; numbers that a person wrote wrong into models.json are nobody's limits. */
export function limitsOf({ contextWindow, maxTokens }: PiModel | Record<string, never> = {}): GivenLimits {
  const longest = isAmount(contextWindow)
    ? Math.min(LONGEST_ANSWER, Math.floor(contextWindow / ANSWER_SHARE))
    : LONGEST_ANSWER;
  return {
    ...(isAmount(contextWindow) && { window: contextWindow }),
    ...(isAmount(maxTokens) && longest > 0 && { outputReserve: Math.min(maxTokens, longest) }),
  };
}

function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
