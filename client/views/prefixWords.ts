import { sentence } from '../../protocol/log/sentence.ts';
import type { EventData, Price, Sizes } from '../../protocol/log/sessionEvents.ts';
import type { RequestState } from '../../protocol/log/sessionState.ts';
import { messagesText } from './requestWords.ts';
import type { Wording } from './wording.ts';

type Sealed = EventData<'request/sealed'>;

/**
 * `first 2 of 3 messages kept (~64%)`: what of the prefix of the request before stands at its place in this one. Empty where the
 * log does not say which messages were prefix; without a share where its numbers do not tell one.
 */
export function prefixKeptText({ price, sizes }: Sealed, before: RequestState | undefined, wording: Wording): string {
  const { say } = wording;
  const earlier = before?.sealed.prefixMessages;
  if (!price || earlier === undefined || earlier === 0) {
    return '';
  }
  const { part, index = 0 } = price.divergence ?? {};
  const isHarmless = part === 'config' && price.rewritten.tokens + price.freed.tokens === 0;
  if (part === undefined || part === 'messages' || isHarmless || (part === 'prefix' && index >= earlier)) {
    return say(sentence('kept whole'));
  }
  const all = messagesText(earlier, wording);
  if (part !== 'prefix') {
    return say(sentence('none of {0} kept', all));
  }
  const share = keptShare(price, sizes, before?.sealed.sizes);
  const messages =
    index === 0 ? say(sentence('none of {0} kept whole', all)) : say(sentence('first {0} of {1} kept', index, all));
  return share === undefined ? messages : say(sentence('{0} (~{1}%)', messages, Math.floor(share * 100)));
}

/** More than this, of the prefix, what follows from whole numbers may not be off. */
const TOLERANCE = 0.05;

/**
 * Of the tokens of a prefix, the share in front of the first difference, which is in that prefix. Absent where it is not known: a
 * price that frees nothing does not tell how long the old text was.
 */
function keptShare(
  { rewritten, freed }: Price,
  sizes: Sizes | undefined,
  before: Sizes | undefined,
): number | undefined {
  if (!sizes || !before || before.prefix.tokens <= 0 || freed.tokens <= 0) {
    return undefined;
  }
  // The same text was counted for both: how the two counts differ tells what the calibration has learned in between.
  const [unchanged, unchangedBefore] = [sizes, before].map(({ system, tools }) => system.tokens + tools.tokens);
  if (!unchanged || !unchangedBefore) {
    return undefined;
  }
  const behind = ((rewritten.tokens + freed.tokens) * unchangedBefore) / unchanged;
  const share = 1 - (behind - before.messages.tokens) / before.prefix.tokens;
  const uncertain = behind / unchanged / before.prefix.tokens;
  return share >= 0 && share < 1 && uncertain <= TOLERANCE ? share : undefined;
}
