import type { Sourced } from '../../protocol/budget/budgetEvents.ts';
import type { UsageReport } from '../../protocol/budget/usageReport.ts';
import { grouped } from '../../protocol/log/countText.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import { shown, type Wording } from '../views/wording.ts';

/** Which number the hard limit comes from, and who gave that number (tiers 2). */
export function limitText({ limits }: UsageReport, { say }: Wording): string {
  const { window, outputReserve, inputLimit, learned, hard, binds } = limits;
  const limit = grouped(hard);
  const whole = grouped(window.tokens);
  switch (binds) {
    case 'window':
      return say(
        sentence('The limit is {0} tokens: nine tenths of the window of {1} ({2}).', limit, whole, sourceOf(window)),
      );
    case 'output-reserve':
      return say(
        sentence(
          'The limit is {0} tokens: the window of {1} ({2}) less {3} for the answer ({4}).',
          limit,
          whole,
          sourceOf(window),
          grouped(outputReserve?.tokens ?? 0),
          sourceOf(outputReserve),
        ),
      );
    case 'input-limit':
      return say(sentence('The limit is {0} tokens: the provider takes no more ({1}).', limit, sourceOf(inputLimit)));
    case 'learned':
      return say(
        sentence('The limit is {0} tokens: the provider refused a longer request ({1}).', limit, sourceOf(learned)),
      );
  }
}

function sourceOf(number: Sourced | undefined): string {
  return shown(number?.source ?? '?');
}
