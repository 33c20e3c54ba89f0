import { grouped } from './countText.ts';
import { partText, payBackText, type Saying, tokensText } from './priceWords.ts';
import { sentence } from './sentence.ts';
import type { Price } from './sessionEvents.ts';

/**
 * What a discard would change, a sentence each, before it is done. `price` is absent where nobody counts, and
 * `unanswered` where the session was asked in vain; `observed` is the adapter's
 * sentence about a source that the agent goes on to send by itself, harmless already.
 */
export function discardPriceLines(
  price: Price | 'unanswered' | undefined,
  saying: Saying,
  observed: string | undefined,
): readonly string[] {
  const { say } = saying;
  const forGood = say(sentence('A discarded block does not come back in this session.'));
  if (observed !== undefined) {
    return [
      say(sentence('The agent sends the source of this block by itself: the model goes on to see it.')),
      observed,
      forGood,
    ];
  }
  if (price === 'unanswered') {
    return [say(sentence('What it would save is not known: the session gave no answer.')), forGood];
  }
  if (!price) {
    return [say(sentence('What it would save is not known: nobody counts the tokens of this session.')), forGood];
  }
  const { divergence, rewritten, freed, breakEven } = price;
  return [
    say(sentence('It frees {0} of each later request.', tokensText(saying, freed))),
    divergence
      ? say(
          sentence(
            'The first part of the request that changes is {0}, from byte {1} on.',
            divergence.index === undefined
              ? partText(divergence.part, saying)
              : say(sentence('{0}, number {1}', partText(divergence.part, saying), divergence.index + 1)),
            grouped(divergence.offset),
          ),
        )
      : say(sentence('No part of the last request changes.')),
    say(sentence('A cache loses {0}, which are sent anew once.', tokensText(saying, rewritten))),
    say(sentence('It {0}.', payBackText(breakEven, saying))),
    forGood,
  ];
}

/**
 * What came of a discard that was asked for over the wire. `id` is harmless already; `observed` as for `discardPriceLines`; `request`,
 * from which on the block is absent, is left out where it is not known.
 */
export function discardOutcomeText(
  id: string,
  outcome: 'discarded' | 'repeated' | 'unknown' | 'denied',
  { say }: Saying,
  { observed, request }: { readonly observed?: string | undefined; readonly request?: number } = {},
): string {
  switch (outcome) {
    case 'discarded':
      if (observed !== undefined) {
        return say(sentence('Block {0} is discarded, but the agent goes on to send it by itself.', id));
      }
      return request === undefined
        ? say(sentence('Block {0} is discarded: it is absent from the next request and all later ones.', id))
        : say(sentence('Block {0} is discarded: it is absent from request {1} on.', id, request));
    case 'repeated':
      return say(sentence('Block {0} was discarded already, so nothing changed.', id));
    case 'unknown':
      return say(sentence('The session knows no block {0}, so nothing changed.', id));
    case 'denied':
      return say(sentence('The policy of the session does not let an editor discard, so block {0} stays.', id));
  }
}
