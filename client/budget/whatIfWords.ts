import { countText } from '../../protocol/log/countText.ts';
import { payBackText, tokensText } from '../../protocol/log/priceWords.ts';
import { sentence } from '../../protocol/log/sentence.ts';
import type { CompressionWhatIf } from '../session/sessionModel.ts';
import type { Wording } from '../views/wording.ts';

/** tiers 5: what a compression would free and cost, before it is due. */
export function whatIfText(whatIf: CompressionWhatIf, wording: Pick<Wording, 'say'>): string {
  const { say } = wording;
  if (whatIf === null) {
    return say(sentence('A compression now would change nothing.'));
  }
  const { before, after, price } = whatIf;
  if (!price) {
    return say(sentence('A compression now would make {0} of {1}.', tokensText(wording, after), countText(before)));
  }
  return say(
    sentence(
      "A compression now would free {0} and rewrite {1} of the provider's cache: it {2}.",
      tokensText(wording, price.freed),
      countText(price.rewritten),
      payBackText(price.breakEven, wording),
    ),
  );
}
