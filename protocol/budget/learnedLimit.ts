import type { BudgetEvent } from './budgetEvents.ts';
import type { BudgetState } from './budgetState.ts';

/** How providers say that a request is too long. */
const TOO_LONG =
  /context[_ ](?:length|window)[_ ]?(?:exceeded|limit)?|prompt is too long|maximum context length|too many (?:input )?tokens|exceeds? (?:the (?:maximum|context)|context limit)|input (?:is )?too long/i;

/** How they say that there were too many of something in a time: the same request may go out later. */
const OF_A_RATE = /rate.?limit|throttl|too many requests|per (?:second|minute|hour|day)|please wait|quota/i;

/**
 * How they say what they take: `maximum context length is 8192 tokens`, `203456 tokens > 200000 maximum`, `the maximum number of
 * tokens allowed (1048576)`.
 */
const LIMIT =
  /(?:maximum(?: context length| number of tokens allowed)?(?: is| of)?|limit(?: is| of)?|>)[\s:]{0,8}\(?(\d[\d,]{0,20})/i;

/** `199000 + 8192 > 200000`: what is too much is the input with the answer, so no number is one of the input. */
const SUM = /\d\s*\+\s*\d/;

/** No model takes less: a smaller number counts something else, such as images, or would end the session for good. */
const LEAST = 100;

/** Of a request that was refused without a number, so much is taken for too much. */
const TAKEN_OFF = 0.1;

/** Whether a provider refused a request for its length. */
function isTooLong(said: string): boolean {
  return TOO_LONG.test(said) && !OF_A_RATE.test(said);
}

/**
 * What a refusal of this request teaches: the limit that it names, else nine tenths of what was sent. Absent where it says
 * nothing of length.
 */
export function learnedLimit(
  said: string,
  requestSequence: number,
  sentTokens: number,
  model = '',
): Extract<BudgetEvent, { readonly type: 'budget/limit-learned' }> | undefined {
  if (!isTooLong(said)) {
    return undefined;
  }
  const named = SUM.test(said) ? Number.NaN : Number(LIMIT.exec(said)?.[1]?.replaceAll(',', ''));
  const isNamed = Number.isSafeInteger(named) && named >= LEAST && named < sentTokens;
  return {
    type: 'budget/limit-learned',
    data: {
      tokens: isNamed ? named : Math.max(1, Math.floor(sentTokens * (1 - TAKEN_OFF))),
      source: isNamed ? 'the number in the error of the provider' : 'an error of the provider that names no number',
      ...(model !== '' && { model }),
      requestSequence,
    },
  };
}

/** tiers 6: a request that was refused for its length is planned anew once; one that was planned so and is refused again is not. */
export function mayPlanAgain({ learned }: BudgetState, refusedSequence: number): boolean {
  return learned === undefined || learned.requestSequence !== refusedSequence - 1;
}
